import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import type { SignalEndpoint } from './signal-queries.ts';
import { limitsOfValues, limitValuesOf, TokenLimits } from './token-limits.tsx';

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly token: SignalEndpoint['tokens'][number];
  readonly onClose: () => void;
}

/** Changes the name and the limits of a token. */
export function EditToken({ endpoint, token, onClose }: Props) {
  const form = useForm({
    initialValues: { name: token.name, ...limitValuesOf(token) },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: ({ name, ...limits }) =>
      api('PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
        params: { signalEndpointId: endpoint.id, id: token.id },
        body: { name, ...limitsOfValues(limits) },
      }),
    changes: ['GET /api/admin/signal-endpoints'],
    onSaved: onClose,
  });
  return (
    <FormDialog title="Edit token" save="Save token" saving={saving} onClose={onClose}>
      <TextInput label="Token name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TokenLimits form={form} endpoint={endpoint} />
    </FormDialog>
  );
}
