import {
  type Grant,
  grantsOfRoles,
  isBuiltIn,
  isRootRole,
  listRoles,
  type Role,
} from '#features/people/access/index.ts';
import { isRoleOfNewAccounts } from '#features/people/auth-settings/index.ts';
import { type CopyEnvironmentData, listEnvironments } from '#features/projects/environments/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { findPermission, presentGrants } from './permission.ts';
import * as store from './store.ts';

export interface PermissionInput {
  readonly id?: number | undefined;
  readonly name?: string | undefined;
  readonly environment?: string | null | undefined;
}

export interface RoleInput {
  readonly name: string;
  readonly description?: string | undefined;
  readonly type?: 'root-custom' | 'custom' | undefined;
  readonly permissions?: readonly PermissionInput[] | undefined;
}

export interface RoleWithGrants {
  readonly role: Role;
  readonly grants: readonly Grant[];
}

type RoleData = Omit<Role, 'id'> & { readonly grants: readonly Grant[] };

/**
 * Validates the input and returns the data of the role. Rejects with 400 for an unknown permission or one that a role
 * of this type cannot grant, and with 409 when another role has the name.
 */
export async function checkRole(db: Db, input: RoleInput, ownId?: number): Promise<RoleData> {
  const type = input.type ?? 'custom';
  const namesake = (await listRoles(db)).find(({ name }) => foldCase(name) === foldCase(input.name));
  if (namesake !== undefined && namesake.id !== ownId) {
    throw new Problem('NameExistsError', `A role named ${namesake.name} exists already. Choose another name.`, {
      details: [{ message: 'is taken', path: 'name' }],
    });
  }
  const environments = new Set((await listEnvironments(db)).map(({ name }) => name));
  const grants = (input.permissions ?? []).map((permission, index) =>
    toGrant(permission, `permissions.${index}`, isRootRole({ type }), environments),
  );
  return { name: input.name, type, description: input.description ?? '', grants: distinct(grants) };
}

/** Creates a role. Rejects as {@link checkRole} does. */
export async function createRole(tx: Tx, input: RoleInput): Promise<Role> {
  const data = await checkRole(tx.db, input);
  const role = await store.insertRole(tx, data);
  await store.insertGrants(tx, role.id, data.grants);
  tx.record({ type: 'role-created', data: eventData({ role, grants: data.grants }) });
  return role;
}

/** Updates a role; keeps its permissions when `permissions` is missing. Records an event only when a field changes. */
export async function updateRole(tx: Tx, id: number, input: RoleInput): Promise<Role> {
  const before = await requireCustomRole(tx.db, id);
  const { role } = before;
  const type = role.type as 'root-custom' | 'custom';
  if (input.type !== undefined && input.type !== type)
    throw badField('type', `cannot be changed: it must stay ${type}`);
  const checked = await checkRole(tx.db, { ...input, type }, id);
  const after: RoleWithGrants = {
    role: { id, type, name: checked.name, description: input.description ?? role.description },
    grants: input.permissions === undefined ? before.grants : checked.grants,
  };
  const [preData, data] = [eventData(before), eventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return role;
  await store.updateRoleRow(tx, after.role);
  await store.deleteGrants(tx, id);
  await store.insertGrants(tx, id, after.grants);
  tx.record({ type: 'role-updated', preData, data });
  return after.role;
}

/** Copies the permissions that custom roles have in the environment `from` to the new environment `to`. */
export const copyGrantsOfEnvironment: CopyEnvironmentData = async (tx, { from, to, permissions }) => {
  if (!permissions) return;
  const roles = (await listRoles(tx.db)).filter(({ id }) => !isBuiltIn(id));
  const grants = await grantsOfRoles(
    tx.db,
    roles.map(({ id }) => id),
  );
  for (const role of roles) {
    const before = grants.get(role.id) ?? [];
    const added = before
      .filter(({ environment }) => environment === from)
      .map((grant) => ({ ...grant, environment: to }));
    if (added.length === 0) continue;
    await store.insertGrants(tx, role.id, added);
    const [preData, data] = [before, [...before, ...added]].map((list) => eventData({ role, grants: list }));
    tx.record({ type: 'role-updated', preData, data });
  }
};

/** Deletes a role. Rejects with 400 while an account or a group has it, or single sign-on gives it to new users. */
export async function deleteRole(tx: Tx, id: number): Promise<void> {
  const before = await requireCustomRole(tx.db, id);
  const uses = await store.countUses(tx.db, id);
  if (uses > 0) {
    const message = `The role ${before.role.name} is in use by ${uses} ${uses === 1 ? 'user or group' : 'users and groups'}. Remove it from them first.`;
    throw new Problem('RoleInUseError', message, { details: [{ message }] });
  }
  if (await isRoleOfNewAccounts(tx.db, id)) {
    const message = `Single sign-on gives the role ${before.role.name} to new users. Choose another default role there first.`;
    throw new Problem('RoleInUseError', message, { details: [{ message }] });
  }
  await store.deleteRoleRow(tx, id);
  tx.record({ type: 'role-deleted', preData: eventData(before) });
}

/** Returns the role with its permissions. Rejects with 404 when there is none. */
export async function requireRole(db: Db, id: number): Promise<RoleWithGrants> {
  const role = (await listRoles(db)).find((present) => present.id === id);
  if (role === undefined) throw new Problem('NotFoundError', `There is no role ${id}.`);
  return { role, grants: (await grantsOfRoles(db, [id])).get(id) ?? [] };
}

/** Returns a custom role, as {@link requireRole} does. Rejects with 403 when the role is built in. */
async function requireCustomRole(db: Db, id: number): Promise<RoleWithGrants> {
  const found = await requireRole(db, id);
  if (isBuiltIn(id)) {
    throw new Problem(
      'InvalidOperationError',
      `The role ${found.role.name} is built in and cannot be changed or deleted. Create a custom role instead.`,
    );
  }
  return found;
}

function toGrant(input: PermissionInput, path: string, forInstance: boolean, environments: ReadonlySet<string>): Grant {
  const permission = findPermission(input);
  if (permission === undefined) throw badField(`${path}.name`, `is not a known permission: ${input.name ?? input.id}`);
  if (forInstance ? !permission.ofRootRoles : permission.type === 'root') {
    const kind = forInstance ? 'root-custom' : 'custom';
    throw badField(`${path}.name`, `is ${permission.name}, which a role of type ${kind} cannot grant`);
  }
  // Unleash's UI sends an empty string for no environment.
  const environment = input.environment || null;
  if (environment === null) return { permission: permission.name, environment };
  if (forInstance) throw badField(`${path}.environment`, 'must be empty: a root role applies in every environment');
  if (permission.type !== 'environment')
    throw badField(`${path}.environment`, `must be empty: ${permission.name} cannot be limited to an environment`);
  if (!environments.has(environment)) throw badField(`${path}.environment`, `is ${environment}, which does not exist`);
  return { permission: permission.name, environment };
}

/** Removes duplicates, and permissions for one environment that are also granted for all environments. */
function distinct(grants: readonly Grant[]): Grant[] {
  const everywhere = new Set(grants.filter(({ environment }) => environment === null).map((grant) => grant.permission));
  const kept = grants.filter(({ permission, environment }) => environment === null || !everywhere.has(permission));
  return [...new Map(kept.map((grant) => [`${grant.permission} ${grant.environment ?? ''}`, grant])).values()];
}

/** Returns a role as events store it (docs/spec#event-types). */
function eventData({ role, grants }: RoleWithGrants): Record<string, unknown> {
  const { id, name, type, description } = role;
  const permissions = presentGrants(grants).map(({ name: permission, environment }) => ({
    name: permission,
    ...(environment === undefined ? {} : { environment }),
  }));
  return { id, name, type, description, permissions };
}
