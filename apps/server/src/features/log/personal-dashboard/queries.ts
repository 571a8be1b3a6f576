import { adminRoleId } from '#features/people/access/index.ts';
import { type Db, sql } from '#storage/tx.ts';

const maxFlags = 100;

/** A role of an account in a project. */
export interface ProjectRole {
  readonly project: string;
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

/** Returns the project roles of an account and its groups, in all projects or in one, in one statement. */
export async function rolesInProjects(db: Db, accountId: number, project?: string): Promise<ProjectRole[]> {
  const own = db.selectFrom('project_user_roles').select(['project', 'role_id']).where('user_id', '=', accountId);
  const through = db
    .selectFrom('group_users as m')
    .innerJoin('project_group_roles as r', 'r.group_id', 'm.group_id')
    .select(['r.project', 'r.role_id'])
    .where('m.user_id', '=', accountId);
  let held = db
    .selectFrom(own.union(through).as('h'))
    .innerJoin('roles as r', 'r.id', 'h.role_id')
    .select(['h.project', 'r.id', 'r.name', 'r.type'])
    .orderBy('r.id');
  if (project !== undefined) held = held.where('h.project', '=', project);
  return held.execute();
}

/** A flag that the user created or made a favorite; `createdAt` in milliseconds UTC. */
export interface OwnFlag {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly createdAt: number;
  readonly created: boolean;
  readonly favorite: boolean;
}

/**
 * Returns the newest flags that a user created or made a favorite, without archived and hidden flags, in one statement.
 */
export async function ownFlags(db: Db, userId: number, hidden: ReadonlySet<string>): Promise<OwnFlag[]> {
  let query = db
    .selectFrom('features as f')
    .leftJoin('favorite_features as l', (join) =>
      join.onRef('l.feature_name', '=', 'f.name').on('l.user_id', '=', userId),
    )
    .select([
      'f.name',
      'f.project',
      'f.type',
      'f.created_at as createdAt',
      'f.created_by_user_id as creator',
      'l.feature_name as liked',
    ])
    .where('f.archived_at', 'is', null)
    .where((eb) => eb.or([eb('f.created_by_user_id', '=', userId), eb('l.feature_name', 'is not', null)]))
    .orderBy('f.created_at', 'desc')
    .orderBy('f.name')
    .limit(maxFlags);
  if (hidden.size > 0) query = query.where('f.project', 'not in', [...hidden]);
  const rows = await query.execute();
  return rows.map(({ creator, liked, ...flag }) => ({
    ...flag,
    created: creator === userId,
    favorite: liked !== null,
  }));
}

/** Returns the users with ADMIN through an own role or a group, the oldest account first, in one statement. */
export function administrators(db: Db) {
  const isAdmin = (roleId: string) => sql<boolean>`(${sql.ref(roleId)} = ${adminRoleId}
    or ${sql.ref(roleId)} in (select role_id from role_permissions where permission = 'ADMIN'))`;
  return db
    .selectFrom('users as u')
    .select(['u.id', 'u.name', 'u.username', 'u.email'])
    .where('u.kind', '=', 'user')
    .where(
      sql<boolean>`(${isAdmin('u.root_role_id')} or exists (select 1 from group_users as m
        join user_groups as g on g.id = m.group_id where m.user_id = u.id and ${isAdmin('g.root_role_id')}))`,
    )
    .orderBy('u.id')
    .execute();
}
