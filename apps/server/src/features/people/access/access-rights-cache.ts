import { touches } from '#features/platform/event-effects/index.ts';
import type { Database } from '#storage/database.ts';
import { prepared } from '#storage/prepared-query.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { type Db, sql } from '#storage/tx.ts';
import { AccessRights, type ClosedProjects } from './access-rights.ts';
import { grantsOfRoles } from './role-store.ts';

/**
 * Caches the access rights of accounts. An event that can change access rights, from this process or another, clears
 * the cache, so a removed role has no effect from the next request on.
 */
export interface AccessRightsCache {
  /** Returns the access rights when they are cached; undefined otherwise. */
  peek(accountId: number): AccessRights | undefined;
  /** Returns the access rights, and reads them from the database when they are not cached. */
  get(accountId: number): Promise<AccessRights>;
  /** Returns whether a project exists, archived or not. */
  hasProject(id: string): Promise<boolean>;
}

export function createAccessRightsCache({ db, feed }: Pick<Database, 'db' | 'feed'>): AccessRightsCache {
  const matters = (event: EventRow) => touches(event, 'access-rights');
  const closed = new ReadThroughCache(feed, matters, () => closedProjects(db), 1);
  const projects = new ReadThroughCache(feed, matters, () => projectIds(db), 1);
  const accessRights = new ReadThroughCache(
    feed,
    matters,
    (key) => loadAccessRights(db, Number(key), async () => (await closed.get('')) ?? new Map()),
    10_000,
  );
  return {
    peek: (accountId) => accessRights.peek(String(accountId)),
    get: async (accountId) => (await accessRights.get(String(accountId))) as AccessRights,
    hasProject: async (id) => (await projects.get(''))?.has(id) === true,
  };
}

/** Reads the ids of private projects. Deleted ones are among them. */
export async function privateProjects(db: Db): Promise<ReadonlySet<string>> {
  const closed = await closedProjects(db);
  return new Set([...closed].flatMap(([id, mode]) => (mode === 'private' ? [id] : [])));
}

/** Reads the ids of all projects. */
async function projectIds(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('projects').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** Reads the access rights of an account from the database, not from the cache. */
export async function readAccessRights(db: Db, accountId: number): Promise<AccessRights> {
  return loadAccessRights(db, accountId, () => closedProjects(db));
}

async function loadAccessRights(
  db: Db,
  accountId: number,
  readClosed: () => Promise<ClosedProjects>,
): Promise<AccessRights> {
  const [rootIds, projectRoles, closed] = await Promise.all([
    rootRolesOf(db, accountId),
    projectRolesOf(db, accountId),
    readClosed(),
  ]);
  const grants = await grantsOfRoles(db, [...rootIds, ...projectRoles.map(({ roleId }) => roleId)]);
  return new AccessRights({ rootRoles: rootIds, projectRoles, grants }, closed);
}

const selectRootRoles = prepared<{ accountId: number }>().query((db, { accountId }) =>
  db
    .selectFrom('users')
    .select('root_role_id')
    .where('id', '=', accountId)
    .unionAll(
      db
        .selectFrom('group_users as m')
        .innerJoin('user_groups as g', 'g.id', 'm.group_id')
        .select((eb) => eb.ref('g.root_role_id').$notNull().as('root_role_id'))
        .where('m.user_id', '=', accountId)
        .where('g.root_role_id', 'is not', null),
    ),
);

/** Reads the root roles that an account has directly and through its groups. */
async function rootRolesOf(db: Db, accountId: number): Promise<number[]> {
  return (await selectRootRoles(db, { accountId })).map((row) => row.root_role_id);
}

/** Returns whether an account has a role, directly or through a group: a root role, or one in the project. */
export async function hasRole(db: Db, accountId: number, roleId: number, project: string): Promise<boolean> {
  const inProject = await projectRolesOf(db, accountId, project);
  return inProject.some((role) => role.roleId === roleId) || (await rootRolesOf(db, accountId)).includes(roleId);
}

const selectProjectRoles = prepared<{ accountId: number }>().query((db, { accountId }) =>
  db
    .selectFrom('project_user_roles')
    .select(['project', 'role_id'])
    .where('user_id', '=', accountId)
    .union(
      db
        .selectFrom('group_users as m')
        .innerJoin('project_group_roles as r', 'r.group_id', 'm.group_id')
        .select(['r.project', 'r.role_id'])
        .where('m.user_id', '=', accountId),
    ),
);

/** Reads the project roles that an account has directly and through its groups: in all projects, or in `project`. */
export async function projectRolesOf(
  db: Db,
  accountId: number,
  project?: string,
): Promise<{ project: string; roleId: number }[]> {
  const rows = await selectProjectRoles(db, { accountId });
  const wanted = project === undefined ? rows : rows.filter((row) => row.project === project);
  return wanted.map((row) => ({ project: row.project, roleId: row.role_id }));
}

const selectClosedProjects = prepared().query((db) =>
  db
    .selectFrom('projects')
    .select(['id', 'mode'])
    .where('mode', '<>', 'open')
    .unionAll(
      db
        .selectFrom('deleted_private_projects')
        .select(['id', sql.lit('private').as('mode')])
        .where('id', 'not in', db.selectFrom('projects').select('id')),
    ),
);

/** Reads the projects whose mode is not `open`, with their mode. Deleted private projects are among them. */
export async function closedProjects(db: Db): Promise<ClosedProjects> {
  const rows = await selectClosedProjects(db, {});
  return new Map(rows.map(({ id, mode }) => [id, mode as 'protected' | 'private']));
}
