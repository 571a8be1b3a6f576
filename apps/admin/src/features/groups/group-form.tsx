import { MultiSelect, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { nameOf, roleChoices, usersQuery } from '../users/user-queries.ts';
import type { UserGroup } from './group-queries.ts';

interface Props {
  /** The one that is edited; a new one is made without. */
  readonly group?: UserGroup;
  readonly onClose: () => void;
}

/** Makes or edits a group and who is in it. */
export function GroupForm({ group, onClose }: Props) {
  const { data } = useQuery(usersQuery);
  const form = useForm({
    initialValues: {
      name: group?.name ?? '',
      description: group?.description ?? '',
      users: group?.users.map(({ user }) => `${user.id}`) ?? [],
      rootRole: group?.rootRole == null ? null : `${group.rootRole}`,
      mappingsSSO: group?.mappingsSSO ?? [],
    },
  });
  const saving = useSaving(form, {
    save: ({ name, description, users, rootRole, mappingsSSO }) => {
      const body = {
        name,
        description,
        mappingsSSO,
        rootRole: rootRole === null ? null : Number(rootRole),
        users: users.map((id) => ({ user: { id: Number(id) } })),
      };
      return group === undefined
        ? api('POST /api/admin/groups', { body })
        : api('PUT /api/admin/groups/:groupId', { params: { groupId: group.id }, body });
    },
    changes: ['GET /api/admin/groups'],
    said: group === undefined ? 'Group created' : 'Group saved',
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
        description="Its users have it besides their own."
        placeholder="None"
        clearable
        data={roleChoices(data?.rootRoles)}
        {...form.getInputProps('rootRole')}
      />
      <TagsInput
        label="Single sign-on groups"
        description="Groups of the OpenID Connect provider; who is in one of them is in this group after logging in."
        clearable
        {...form.getInputProps('mappingsSSO')}
      />
    </FormDrawer>
  );
}

type Named = Parameters<typeof nameOf>[0];

/** Each of them once: who is in the group already need not be among the users, as service accounts are not. */
function choicesOf(users: readonly Named[]) {
  const byId = new Map(users.map((user) => [user.id, nameOf(user)]));
  return [...byId].map(([id, label]) => ({ value: `${id}`, label }));
}
