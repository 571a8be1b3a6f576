import { environmentPermissions, type Permission, projectPermissions } from '@yardarm/contract';

/** A role that holds for the whole instance. */
export interface RootRole {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

export const adminRoleId = 1;
const editorRoleId = 2;

const admin: ReadonlySet<Permission> = new Set(['ADMIN']);
const editor: ReadonlySet<Permission> = new Set<Permission>([
  ...projectPermissions,
  ...environmentPermissions,
  'CREATE_PROJECT',
  'CREATE_SEGMENT',
  'UPDATE_SEGMENT',
  'DELETE_SEGMENT',
  'CREATE_CONTEXT_FIELD',
  'UPDATE_CONTEXT_FIELD',
  'DELETE_CONTEXT_FIELD',
  'CREATE_STRATEGY',
  'UPDATE_STRATEGY',
  'DELETE_STRATEGY',
  'CREATE_TAG_TYPE',
  'UPDATE_TAG_TYPE',
  'DELETE_TAG_TYPE',
  'CREATE_CLIENT_API_TOKEN',
  'READ_CLIENT_API_TOKEN',
  'UPDATE_CLIENT_API_TOKEN',
  'DELETE_CLIENT_API_TOKEN',
  'CREATE_FRONTEND_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
  'UPDATE_FRONTEND_API_TOKEN',
  'DELETE_FRONTEND_API_TOKEN',
]);
// Reading needs no permission, so a viewer has none.
const none: ReadonlySet<Permission> = new Set();

/** What a root role grants, in every project and environment. The roles that come with the product are fixed. */
export function permissionsOf(roleId: number): ReadonlySet<Permission> {
  if (roleId === adminRoleId) return admin;
  return roleId === editorRoleId ? editor : none;
}

/** Whether a root role grants `permission`; ADMIN implies every permission. */
export function grants(roleId: number, permission: string): boolean {
  const granted = permissionsOf(roleId);
  return granted.has('ADMIN') || granted.has(permission as Permission);
}
