import { Alert, Fieldset, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { serviceAccountsQuery } from '../../entities/actions/action-queries.ts';
import { TextLink } from '../../ui/link.tsx';
import type { ActionSetForm } from './use-action-set-form.ts';

/** Edits the name of a set, the account that runs it, and whether it is on. */
export function SetFields({ form }: { readonly form: ActionSetForm }) {
  const { data: accounts } = useQuery(serviceAccountsQuery);
  const { actorId } = form.values;
  return (
    <Fieldset legend="Name and account">
      <Stack gap="sm">
        <TextInput label="Action name" required autoComplete="off" {...form.getInputProps('name')} />
        <Textarea label="Action description" autosize minRows={1} {...form.getInputProps('description')} />
        {accounts?.length === 0 && (
          <Alert color="yellow" variant="light">
            Actions run as a service account, and there is none yet. Create one first.
          </Alert>
        )}
        <Select
          label="Service account"
          description="Actions run with the permissions of this account."
          required
          data={
            accounts?.map(({ id, name, username }) => ({ value: String(id), label: name || username || `#${id}` })) ??
            []
          }
          value={actorId === '' ? null : actorId}
          onChange={(chosen) => form.setFieldValue('actorId', chosen ?? '')}
          error={form.errors.actorId}
        />
        <TextLink to="/admin/service-accounts" target="_blank" size="sm">
          Create service account
        </TextLink>
        <Switch label="Action status" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      </Stack>
    </Fieldset>
  );
}
