import type { Grant, Role } from '#features/people/access/index.ts';
import type { Db, Tx } from '#storage/tx.ts';

export async function insertRole(tx: Tx, { name, type, description }: Omit<Role, 'id'>): Promise<Role> {
  const { id } = await tx.db
    .insertInto('roles')
    .values({ name, type, description })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name, type, description };
}

export async function updateRoleRow(tx: Tx, { id, name, description }: Role): Promise<void> {
  await tx.db.updateTable('roles').set({ name, description }).where('id', '=', id).execute();
}

/** Deletes a role and its permissions. No account or group may have the role. */
export async function deleteRoleRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('roles').where('id', '=', id).execute();
}

export async function insertGrants(tx: Tx, roleId: number, grants: readonly Grant[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'role_permissions',
      columns: [
        ['role_id', 'integer'],
        ['permission', 'text'],
        ['environment', 'text'],
      ],
    },
    grants.map(({ permission, environment }) => [roleId, permission, environment]),
  );
}

export async function deleteGrants(tx: Tx, roleId: number): Promise<void> {
  await tx.db.deleteFrom('role_permissions').where('role_id', '=', roleId).execute();
}

/** Counts the accounts and groups that have a role, in projects or as their root role. */
export async function countUses(db: Db, roleId: number): Promise<number> {
  const tables = [
    ['users', 'root_role_id'],
    ['user_groups', 'root_role_id'],
    ['project_user_roles', 'role_id'],
    ['project_group_roles', 'role_id'],
  ] as const;
  const counts = await Promise.all(
    tables.map(([table, column]) =>
      db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .where(column as 'role_id', '=', roleId)
        .executeTakeFirstOrThrow(),
    ),
  );
  return counts.reduce((sum, { n }) => sum + n, 0);
}
