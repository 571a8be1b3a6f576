import { MultiSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { type Member, membersOf, nameOf, type ProjectAccess } from './access-queries.ts';

interface Props {
  readonly projectId: string;
  readonly access: ProjectAccess;
  readonly onClose: () => void;
}

const rolesOf = ({ roles }: ProjectAccess) =>
  roles.map(({ id, name, description }) => ({ value: String(id), label: name, description: description ?? '' }));

/** Assigns roles in a project to users and groups. */
export function AddAccess({ projectId, access, onClose }: Props) {
  const { data } = useQuery(apiQuery('GET /api/admin/user-admin/access'));
  const members = membersOf(access);
  const there = (kind: Member['kind'], id: number) =>
    members.some((member) => member.kind === kind && member.id === id);
  const form = useForm({
    initialValues: { users: [] as number[], groups: [] as number[], roles: [] as string[] },
    validate: {
      users: (users, { groups }) => (users.length + groups.length === 0 ? 'Select a user or a group.' : null),
      roles: (roles) => (roles.length === 0 ? 'Select a role.' : null),
    },
  });
  const saving = useSaving(form, {
    save: ({ roles, ...assignees }) =>
      api('POST /api/admin/projects/:projectId/access', {
        params: { projectId },
        body: { ...assignees, roles: roles.map(Number) },
      }),
    changes: ['GET /api/admin/projects/:projectId/access', 'GET /api/admin/projects'],
    notice: 'Access granted',
    onSaved: onClose,
  });
  const choose = (assignees: readonly string[]) => {
    const idsOf = (kind: Member['kind']) =>
      assignees.filter((key) => key.startsWith(`${kind} `)).map((key) => Number(key.slice(kind.length + 1)));
    form.setValues({ users: idsOf('user'), groups: idsOf('group') });
  };
  const groups = data?.groups.filter(({ id }) => !there('group', id)) ?? [];
  const users = data?.users.filter(({ id }) => !there('user', id)) ?? [];
  return (
    <FormDrawer title="Assign user or group" save="Assign" saving={saving} onClose={onClose}>
      <MultiSelect
        label="Users and groups"
        required
        searchable
        limit={100}
        data={[
          { group: 'Groups', items: groups.map((group) => ({ value: `group ${group.id}`, label: group.name })) },
          { group: 'Users', items: users.map((user) => ({ value: `user ${user.id}`, label: nameOf(user) })) },
        ]}
        nothingFoundMessage="No matches"
        data-autofocus
        value={[...form.values.groups.map((id) => `group ${id}`), ...form.values.users.map((id) => `user ${id}`)]}
        onChange={choose}
        error={form.errors.users ?? form.errors.groups}
      />
      <MultiSelect label="Roles" required data={rolesOf(access)} {...form.getInputProps('roles')} />
    </FormDrawer>
  );
}

/** Edits the roles of a member. */
export function EditAccess({ projectId, access, member, onClose }: Props & { readonly member: Member }) {
  const form = useForm({
    initialValues: { roles: member.roles.map(String) },
    validate: {
      roles: (roles) => (roles.length === 0 ? 'Select a role, or remove the member from the project.' : null),
    },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const bodyOf = ({ roles }: { readonly roles: readonly (string | number)[] }) => ({ roles: roles.map(Number) });
      const now = membersOf(await api('GET /api/admin/projects/:projectId/access', { params: { projectId } }));
      const current = bodyOf(now.find(({ kind, id }) => kind === member.kind && id === member.id) ?? member);
      const edits = editedFields({ loaded: bodyOf(form.getInitialValues()), edited: bodyOf(values), current });
      const body = { ...current, ...edits };
      return member.kind === 'user'
        ? api('PUT /api/admin/projects/:projectId/users/:userId/roles', {
            params: { projectId, userId: member.id },
            body,
          })
        : api('PUT /api/admin/projects/:projectId/groups/:groupId/roles', {
            params: { projectId, groupId: member.id },
            body,
          });
    },
    changes: ['GET /api/admin/projects/:projectId/access'],
    notice: 'Roles saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`Roles of ${member.name}`} save="Save roles" saving={saving} onClose={onClose}>
      <MultiSelect label="Roles" required data={rolesOf(access)} data-autofocus {...form.getInputProps('roles')} />
    </FormDrawer>
  );
}
