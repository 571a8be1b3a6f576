import { MultiSelect, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { nameOf, roleChoices, usersQuery } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import type { UserGroup } from './group-queries.ts';

interface Props {
  /** The group to edit; absent to create a new group. */
  readonly group?: UserGroup;
  readonly onClose: () => void;
}

/** Creates or edits a group and its users. */
export function GroupForm({ group, onClose }: Props) {
  const { data } = useQuery(usersQuery);
  const form = useForm({
    initialValues: valuesOf(group),
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      if (group === undefined) return api('POST /api/admin/groups', { body: edited });
      const params = { groupId: group.id };
      const loaded = bodyOf(form.getInitialValues());
      const current = bodyOf(valuesOf(await api('GET /api/admin/groups/:groupId', { params })));
      const body = { name: current.name, ...editedFields({ loaded, edited, current }) };
      return api('PUT /api/admin/groups/:groupId', { params, body });
    },
    changes: ['GET /api/admin/groups'],
    notice: group === undefined ? 'Group created' : 'Group saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={group === undefined ? 'New group' : `Edit ${group.name}`}
      save={group === undefined ? 'Create group' : 'Save group'}
      saving={saving}
      onClose={onClose}
    >
      <TextInput label="Group name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Group description" autosize minRows={2} {...form.getInputProps('description')} />
      <MultiSelect
        label="Users"
        data={choicesOf([...(data?.users ?? []), ...(group?.users.map(({ user }) => user) ?? [])])}
        searchable
        clearable
        hidePickedOptions
        {...form.getInputProps('users')}
      />
      <Select
        label="Root role"
        description="All users of the group get this role."
        placeholder="None"
        clearable
        data={roleChoices(data?.rootRoles)}
        {...form.getInputProps('rootRole')}
      />
      <TagsInput
        label="Single sign-on groups"
        description="Groups of the OpenID Connect provider. Users in one of them join this group when they log in."
        clearable
        {...form.getInputProps('mappingsSSO')}
      />
    </FormDrawer>
  );
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf(group: Pick<UserGroup, 'name' | 'description' | 'users' | 'rootRole' | 'mappingsSSO'> | undefined) {
  return {
    name: group?.name ?? '',
    description: group?.description ?? '',
    users: group?.users.map(({ user }) => `${user.id}`) ?? [],
    rootRole: group?.rootRole == null ? null : `${group.rootRole}`,
    mappingsSSO: group?.mappingsSSO ?? [],
  };
}

function bodyOf({ name, description, users, rootRole, mappingsSSO }: Values) {
  return {
    name,
    description,
    mappingsSSO,
    rootRole: rootRole === null ? null : Number(rootRole),
    users: users.map((id) => ({ user: { id: Number(id) } })),
  };
}

type Named = Parameters<typeof nameOf>[0];

/**
 * Returns the users as options, each user once: members are added to the list of all users, which has no service
 * accounts.
 */
function choicesOf(users: readonly Named[]) {
  const byId = new Map(users.map((user) => [user.id, nameOf(user)]));
  return [...byId].map(([id, label]) => ({ value: `${id}`, label }));
}
