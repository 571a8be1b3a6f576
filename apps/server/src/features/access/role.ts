import {
  breakGlassPermission,
  environmentPermissions,
  type Permission,
  projectPermissions,
  projectSettingPermissions,
  rootPermissions,
} from '@yardarm/contract';

/** What can be given to somebody: `root` and `root-custom` for the whole instance, `project` and `custom` in projects. */
export interface Role {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** A permission that a role grants; those of environments in one of them, or in all when it is null. */
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

/** What an Editor lacks of the root permissions: saying who may do what, and how the instance is run. */
const administrative: readonly Permission[] = [
  'ADMIN',
  'READ_ROLE',
  'READ_LOGS',
  'UPDATE_MAINTENANCE_MODE',
  'UPDATE_INSTANCE_BANNERS',
  'UPDATE_CORS',
  'UPDATE_AUTH_CONFIGURATION',
];

/** What a Member lacks: managing the project, and taking flags out of it. */
const managing: readonly Permission[] = [
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
  ...projectSettingPermissions.filter((permission) => permission.endsWith('_WRITE')),
];

const ofProjects = ([...projectPermissions, ...environmentPermissions] as readonly Permission[]).filter(
  (permission) => permission !== breakGlassPermission,
);

/** What the roles grant that come with the product. A Viewer has nothing: looking needs no permission. */
const builtIn: ReadonlyMap<number, readonly Permission[]> = new Map([
  [adminRoleId, ['ADMIN']],
  [editorRoleId, rootPermissions.filter((permission) => !administrative.includes(permission))],
  [viewerRoleId, []],
  [ownerRoleId, ofProjects],
  [memberRoleId, ofProjects.filter((permission) => !managing.includes(permission))],
  [readerRoleId, projectSettingPermissions.filter((permission) => permission.endsWith('_READ'))],
]);

/** Whether a role comes with the product, so that it cannot be changed. */
export function isBuiltIn(roleId: number): boolean {
  return builtIn.has(roleId);
}

/** What a role grants that comes with the product; nothing of others. */
export function builtInGrants(roleId: number): Grant[] {
  return (builtIn.get(roleId) ?? []).map((permission) => ({ permission, environment: null }));
}

export function isRootRole({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root' || type === 'root-custom';
}

/** A role as the API shows it; none belongs to one project alone. */
export function presentRole({ id, name, type, description }: Role) {
  return { id, name, type, description, project: null };
}
