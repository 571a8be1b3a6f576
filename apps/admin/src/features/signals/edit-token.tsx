import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { limitsOfValues, limitValuesOf, TokenLimits } from './token-limits.tsx';

type Token = SignalEndpoint['tokens'][number];

interface Props {
  readonly endpoint: SignalEndpoint;
  readonly token: Token;
  readonly onClose: () => void;
}

/** Changes the name and the limits of a token. */
export function EditToken({ endpoint, token, onClose }: Props) {
  const form = useForm({
    initialValues: valuesOf(token),
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const params = { signalEndpointId: endpoint.id, id: token.id };
      const tokens = await api('GET /api/admin/signal-endpoints/:signalEndpointId/tokens', { params });
      const now = tokens.signalEndpointTokens.find(({ id }) => id === token.id) ?? token;
      const [loaded, current] = [bodyOf(form.getInitialValues()), bodyOf(valuesOf(now))];
      const body = { name: current.name, ...editedFields({ loaded, edited: bodyOf(values), current }) };
      return api('PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', { params, body });
    },
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

function valuesOf(token: Token) {
  return { name: token.name, ...limitValuesOf(token) };
}

function bodyOf({ name, ...limits }: ReturnType<typeof valuesOf>) {
  return { name, ...limitsOfValues(limits) };
}
