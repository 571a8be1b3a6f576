import { badField } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { builtInGrants, type Grant, isBuiltIn, isRootRole, type Role } from './role.ts';

/** Returns all roles, the oldest first. */
export async function listRoles(db: Db): Promise<Role[]> {
  return db.selectFrom('roles').select(['id', 'name', 'type', 'description']).orderBy('id').execute();
}

/** Returns the roles that hold for the whole instance. */
export async function listRootRoles(db: Db): Promise<Role[]> {
  return (await listRoles(db)).filter(isRootRole);
}

/** Returns the root role with an id or name. Rejects with 400 when no such root role exists. */
export async function requireRootRole(db: Db, reference: number | string, path = 'rootRole'): Promise<Role> {
  const roles = await listRootRoles(db);
  const role = roles.find((candidate) => candidate.id === reference || candidate.name === reference);
  if (role === undefined)
    throw badField(path, `must be one of ${roles.map(({ id, name }) => `${id} (${name})`).join(', ')}`);
  return role;
}

/** Returns the permissions of each role by its id. A role without permissions is absent. */
export async function grantsOfRoles(db: Db, roleIds: readonly number[]): Promise<Map<number, Grant[]>> {
  const grants = new Map(roleIds.filter(isBuiltIn).map((id) => [id, builtInGrants(id)]));
  const custom = [...new Set(roleIds)].filter((id) => !isBuiltIn(id));
  if (custom.length === 0) return grants;
  const rows = await db
    .selectFrom('role_permissions')
    .select(['role_id', 'permission', 'environment'])
    .where('role_id', 'in', custom)
    .orderBy('role_id')
    .orderBy('permission')
    .orderBy('environment')
    .execute();
  for (const [id, granted] of Map.groupBy(rows, (row) => row.role_id))
    grants.set(
      id,
      granted.map(({ permission, environment }) => ({ permission, environment })),
    );
  return grants;
}
