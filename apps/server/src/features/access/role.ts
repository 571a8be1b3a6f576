import {
  breakGlassPermission,
  environmentPermissions,
  type Permission,
  projectPermissions,
  projectSettingPermissions,
  rootPermissions,
} from '@yardarm/contract';

/** A role. Types `root` and `root-custom` hold for the whole instance, `project` and `custom` in projects. */
export interface Role {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** A permission of a role. A null `environment` means all environments, or a permission that has no environment. */
export interface Grant {
  readonly permission: string;
  readonly environment: string | null;
}

export const adminRoleId = 1;
export const editorRoleId = 2;
export const viewerRoleId = 3;
export const ownerRoleId = 4;
export const memberRoleId = 5;
export const readerRoleId = 6;

/** Root permissions that an Editor lacks: managing access, and running the instance. */
const notForEditors: readonly Permission[] = [
  'ADMIN',
  'READ_ROLE',
  'READ_LOGS',
  'UPDATE_MAINTENANCE_MODE',
  'UPDATE_INSTANCE_BANNERS',
  'UPDATE_CORS',
  'UPDATE_AUTH_CONFIGURATION',
];

/** Project permissions that a Member lacks: managing the project, and moving flags out of it. */
const notForMembers: readonly Permission[] = [
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  ...projectSettingPermissions.filter((permission) => permission.endsWith('_WRITE')),
];

const projectScoped = ([...projectPermissions, ...environmentPermissions] as readonly Permission[]).filter(
  (permission) => permission !== breakGlassPermission,
);

/** The permissions of the built-in roles. A Viewer has none, because reading needs no permission. */
const builtIn: ReadonlyMap<number, readonly Permission[]> = new Map([
  [adminRoleId, ['ADMIN']],
  [editorRoleId, rootPermissions.filter((permission) => !notForEditors.includes(permission))],
  [viewerRoleId, []],
  [ownerRoleId, projectScoped],
  [memberRoleId, projectScoped.filter((permission) => !notForMembers.includes(permission))],
  [readerRoleId, projectSettingPermissions.filter((permission) => permission.endsWith('_READ'))],
]);

/** Returns whether a role is built in. Built-in roles cannot be changed. */
export function isBuiltIn(roleId: number): boolean {
  return builtIn.has(roleId);
}

/** Returns the permissions of a built-in role; an empty list for a custom role. */
export function builtInGrants(roleId: number): Grant[] {
  return (builtIn.get(roleId) ?? []).map((permission) => ({ permission, environment: null }));
}

export function isRootRole({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root' || type === 'root-custom';
}

/** Returns a role as the API shows it. `project` is always null: no role belongs to a single project. */
export function presentRole({ id, name, type, description }: Role) {
  return { id, name, type, description, project: null };
}
