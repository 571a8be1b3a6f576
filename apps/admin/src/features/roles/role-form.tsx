import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import {
  isBuiltIn,
  type Permission,
  type Permissions,
  permissionsQuery,
  type Role,
  type RoleWithPermissions,
  roleQuery,
} from '../../entities/roles/role-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { groupsOf, keyOf } from './permission-groups.ts';
import { PermissionMatrix } from './permission-matrix.tsx';

interface Props {
  /** The role to edit; absent to create a new role. */
  readonly role?: Role;
  readonly ofProjects: boolean;
  readonly onClose: () => void;
}

/** Creates or edits a role, or shows a built-in one. */
export function RoleForm({ role, ofProjects, onClose }: Props) {
  const permissions = useQuery(permissionsQuery);
  // Not from the cache, so that the form shows the permissions as they are now.
  const whole = useQuery({ ...roleQuery(role?.id ?? 0), enabled: role !== undefined, gcTime: 0 });
  if (permissions.data === undefined || (role !== undefined && whole.data === undefined))
    return (
      <SidePanel onClose={onClose} size={720} title={role?.name ?? 'New role'}>
        {permissions.data === undefined ? (
          <Loaded query={permissions}>{() => null}</Loaded>
        ) : (
          <Loaded query={whole}>{() => null}</Loaded>
        )}
      </SidePanel>
    );
  if (role !== undefined && whole.data !== undefined && isBuiltIn(role))
    return (
      <SidePanel onClose={onClose} size={720} title={role.name}>
        <PermissionMatrix
          groups={groupsOf(permissions.data, ofProjects)}
          chosen={new Set(whole.data.permissions.map(keyOf))}
        />
      </SidePanel>
    );
  return <Editor role={whole.data} permissions={permissions.data} ofProjects={ofProjects} onClose={onClose} />;
}

interface EditorProps {
  readonly role: RoleWithPermissions | undefined;
  readonly permissions: Permissions;
  readonly ofProjects: boolean;
  readonly onClose: () => void;
}

interface RoleValues extends Record<string, unknown> {
  name: string;
  description: string;
  permissions: readonly Permission[];
}

function valuesOf(role: RoleWithPermissions | undefined): RoleValues {
  return {
    name: role?.name ?? '',
    description: role?.description ?? '',
    permissions: role?.permissions ?? [],
  };
}

function bodyOf({ name, description, permissions }: RoleValues, ofProjects: boolean) {
  return {
    name,
    description,
    type: ofProjects ? ('custom' as const) : ('root-custom' as const),
    permissions: permissions.map((permission) => ({
      name: permission.name,
      ...(permission.environment === undefined ? {} : { environment: permission.environment }),
    })),
  };
}

function Editor({ role, permissions, ofProjects, onClose }: EditorProps) {
  const form = useForm<RoleValues>({
    initialValues: valuesOf(role),
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values, ofProjects);
      if (role === undefined) return api('POST /api/admin/roles', { body: edited });
      const params = { roleId: role.id };
      const loaded = bodyOf(form.getInitialValues(), ofProjects);
      const current = bodyOf(valuesOf(await api('GET /api/admin/roles/:roleId', { params })), ofProjects);
      const body = { ...current, ...editedFields({ loaded, edited, current }) };
      return api('PUT /api/admin/roles/:roleId', { params, body });
    },
    changes: ['GET /api/admin/roles', 'GET /api/admin/roles/:roleId', 'GET /api/admin/user-admin'],
    notice: role === undefined ? 'Role created' : 'Role saved',
    onSaved: onClose,
  });
  const chosen = new Set(form.values.permissions.map(keyOf));
  const change = (some: readonly Permission[], on: boolean) => {
    const keys = new Set(some.map(keyOf));
    const others = form.values.permissions.filter((permission) => !keys.has(keyOf(permission)));
    form.setFieldValue('permissions', on ? [...others, ...some] : others);
  };
  return (
    <FormDrawer
      title={role === undefined ? (ofProjects ? 'New project role' : 'New root role') : `Edit ${role.name}`}
      save={role === undefined ? 'Create role' : 'Save role'}
      saving={saving}
      onClose={onClose}
      width={720}
    >
      <TextInput label="Role name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label="Role description"
        description="The purpose of the role."
        autosize
        minRows={2}
        {...form.getInputProps('description')}
      />
      <PermissionMatrix groups={groupsOf(permissions, ofProjects)} chosen={chosen} onChange={change} />
    </FormDrawer>
  );
}
