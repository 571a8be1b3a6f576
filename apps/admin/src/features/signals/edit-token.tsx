import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-drawer.tsx';
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
  const { submit, pending, formError } = useSaving(form, {
    save: ({ name, ...limits }) =>
      api('PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
        params: { signalEndpointId: endpoint.id, id: token.id },
        body: { name, ...limitsOfValues(limits) },
      }),
    changes: ['GET /api/admin/signal-endpoints'],
    onSaved: onClose,
  });
  return (
    <Dialog onClose={onClose} title="Edit token" closeOnClickOutside={false}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput label="Token name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
          <TokenLimits form={form} endpoint={endpoint} />
          <FormError>{formError}</FormError>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={pending}>
              Save token
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
