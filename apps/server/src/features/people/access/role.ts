import { type BuiltInRole, type Permission, permissionsOfRole } from '@yardarm/contract';

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

const roleIds: Readonly<Record<BuiltInRole, number>> = {
  admin: adminRoleId,
  editor: editorRoleId,
  viewer: viewerRoleId,
  owner: ownerRoleId,
  member: memberRoleId,
  reader: readerRoleId,
};

/** The permissions of the built-in roles, by the id of the role. */
const builtIn: ReadonlyMap<number, readonly Permission[]> = new Map(
  (Object.keys(roleIds) as BuiltInRole[]).map((role) => [roleIds[role], permissionsOfRole(role)]),
);

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
