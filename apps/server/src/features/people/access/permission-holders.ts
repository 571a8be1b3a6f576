import type { Db } from '#storage/tx.ts';
import { AccessRights } from './access-rights.ts';
import { closedProjects } from './access-rights-cache.ts';
import type { Account } from './account.ts';
import { accountColumns, toAccount } from './account-store.ts';
import { grantsOfRoles } from './role-store.ts';

/**
 * Returns the accounts that hold a permission in an environment of a project, the oldest first. The number of SQL
 * statements does not grow with the number of accounts.
 */
export async function accountsWithPermission(
  db: Db,
  permission: string,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<Account[]> {
  const [accounts, groupRootRoles, directRoles, groupRoles, closed] = await Promise.all([
    db.selectFrom('users as u').select(accountColumns).orderBy('u.id').execute(),
    db
      .selectFrom('group_users as m')
      .innerJoin('user_groups as g', 'g.id', 'm.group_id')
      .select((eb) => ['m.user_id', eb.ref('g.root_role_id').$notNull().as('role_id')])
      .where('g.root_role_id', 'is not', null)
      .execute(),
    db.selectFrom('project_user_roles').select(['user_id', 'role_id']).where('project', '=', project).execute(),
    db
      .selectFrom('group_users as m')
      .innerJoin('project_group_roles as r', 'r.group_id', 'm.group_id')
      .select(['m.user_id', 'r.role_id'])
      .where('r.project', '=', project)
      .execute(),
    closedProjects(db),
  ]);
  const held = [...groupRootRoles, ...directRoles, ...groupRoles].map((row) => row.role_id);
  const grants = await grantsOfRoles(db, [...new Set([...accounts.map((row) => row.root_role_id), ...held])]);
  const rootOf = Map.groupBy(groupRootRoles, (row) => row.user_id);
  const inProject = Map.groupBy([...directRoles, ...groupRoles], (row) => row.user_id);
  return accounts.map(toAccount).filter(({ id, rootRole }) => {
    const rootRoles = [rootRole, ...(rootOf.get(id) ?? []).map((row) => row.role_id)];
    const projectRoles = (inProject.get(id) ?? []).map((row) => ({ project, roleId: row.role_id }));
    return new AccessRights({ rootRoles, projectRoles, grants }, closed).can(permission, { project, environment });
  });
}
