import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { roleChoices } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { type ServiceAccount, serviceAccountsQuery } from './account-queries.ts';

interface Props {
  /** The account to edit; absent to create a new account. */
  readonly account?: ServiceAccount;
  readonly onClose: () => void;
}

/** Creates or edits a service account. */
export function AccountForm({ account, onClose }: Props) {
  const { data } = useQuery(serviceAccountsQuery);
  const form = useForm({
    initialValues: {
      name: account?.name ?? '',
      username: account?.username ?? '',
      rootRole: account === undefined ? '' : `${account.rootRole}`,
    },
    validate: { rootRole: (role) => (role === '' ? 'Select a role.' : null) },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      const { username } = values;
      if (account === undefined) return api('POST /api/admin/service-account', { body: { username, ...edited } });
      const { serviceAccounts } = await api('GET /api/admin/service-account');
      const current = bodyOf(serviceAccounts.find(({ id }) => id === account.id) ?? account);
      const body = editedFields({ loaded: bodyOf(form.getInitialValues()), edited, current });
      return api('PUT /api/admin/service-account/:id', { params: { id: account.id }, body });
    },
    changes: ['GET /api/admin/service-account'],
    notice: account === undefined ? 'Service account created' : 'Service account saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={account === undefined ? 'New service account' : `Edit ${account.name}`}
      save={account === undefined ? 'Create service account' : 'Save service account'}
      saving={saving}
      onClose={onClose}
    >
      <TextInput label="Name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label="User name"
        description={account === undefined ? 'Shown in the event log.' : 'It cannot be changed.'}
        required={account === undefined}
        disabled={account !== undefined}
        autoComplete="off"
        {...form.getInputProps('username')}
      />
      <Select
        label="Root role"
        description="Permissions for the whole instance."
        required
        allowDeselect={false}
        data={roleChoices(data?.rootRoles)}
        {...form.getInputProps('rootRole')}
      />
    </FormDrawer>
  );
}

function bodyOf({ name, rootRole }: { readonly name?: string | null | undefined; readonly rootRole: number | string }) {
  return { name: name ?? '', rootRole: Number(rootRole) };
}
