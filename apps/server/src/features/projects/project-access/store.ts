import { type Db, sql, type Tx } from '#storage/tx.ts';
import type { DatedRoleAssignment, RoleAssignment } from './role-assignment.ts';

/** Returns the role assignments of a project: users first, each ordered by assignee id and role id. */
export async function listRoleAssignments(db: Db, project: string): Promise<DatedRoleAssignment[]> {
  const [users, groups] = await Promise.all([
    db
      .selectFrom('project_user_roles')
      .select(['user_id as assigneeId', 'role_id as roleId', 'added_at as addedAt'])
      .where('project', '=', project)
      .orderBy('user_id')
      .orderBy('role_id')
      .execute(),
    db
      .selectFrom('project_group_roles')
      .select(['group_id as assigneeId', 'role_id as roleId', 'added_at as addedAt'])
      .where('project', '=', project)
      .orderBy('group_id')
      .orderBy('role_id')
      .execute(),
  ]);
  return [
    ...users.map((row) => ({ kind: 'user' as const, ...row })),
    ...groups.map((row) => ({ kind: 'group' as const, ...row })),
  ];
}

export async function insertRoleAssignments(
  tx: Tx,
  project: string,
  assignments: readonly RoleAssignment[],
): Promise<void> {
  for (const [kind, table, column] of tables) {
    const rows = assignments.filter((assignment) => assignment.kind === kind);
    await tx.insertMany(
      {
        table,
        columns: [
          ['project', 'text'],
          [column, 'integer'],
          ['role_id', 'integer'],
          ['added_at', 'integer'],
        ],
      },
      rows.map(({ assigneeId, roleId }) => [project, assigneeId, roleId, tx.now]),
    );
  }
}

export async function deleteRoleAssignments(
  tx: Tx,
  project: string,
  assignments: readonly RoleAssignment[],
): Promise<void> {
  for (const { kind, assigneeId, roleId } of assignments) {
    const change =
      kind === 'user'
        ? tx.db.deleteFrom('project_user_roles').where('user_id', '=', assigneeId)
        : tx.db.deleteFrom('project_group_roles').where('group_id', '=', assigneeId);
    await change.where('project', '=', project).where('role_id', '=', roleId).execute();
  }
}

const tables = [
  ['user', 'project_user_roles', 'user_id'],
  ['group', 'project_group_roles', 'group_id'],
] as const;

export interface RoleUse {
  readonly project: string;
  readonly userCount: number;
  readonly serviceAccountCount: number;
  readonly groupCount: number;
}

/** Counts the users, service accounts and groups that have a role, by project. */
export async function usesOfRole(db: Db, roleId: number): Promise<RoleUse[]> {
  const [accounts, groups] = await Promise.all([
    db
      .selectFrom('project_user_roles as r')
      .innerJoin('users as u', 'u.id', 'r.user_id')
      .select((eb) => [
        'r.project',
        eb.fn.countAll<number>().as('all'),
        sql<number>`count(case when u.kind = 'user' then 1 end)`.as('people'),
      ])
      .where('r.role_id', '=', roleId)
      .groupBy('r.project')
      .execute(),
    db
      .selectFrom('project_group_roles')
      .select((eb) => ['project', eb.fn.countAll<number>().as('n')])
      .where('role_id', '=', roleId)
      .groupBy('project')
      .execute(),
  ]);
  const uses = new Map<string, RoleUse>();
  for (const { project, all, people } of accounts)
    uses.set(project, { project, userCount: people, serviceAccountCount: all - people, groupCount: 0 });
  for (const { project, n } of groups) {
    const known = uses.get(project) ?? { project, userCount: 0, serviceAccountCount: 0 };
    uses.set(project, { ...known, groupCount: n });
  }
  return [...uses.values()].toSorted((a, b) => (a.project < b.project ? -1 : 1));
}
