import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Db } from '../../storage/tx.ts';
import { grantsOfRoles } from './role-store.ts';
import { type ClosedProjects, Standing } from './standing.ts';

/** Events after which somebody may do more, or less. */
const concerns =
  /^(role-(updated|deleted)|group-.+|project-(created|updated|deleted|access-.+)|(user|service-account)-(updated|deleted)|environment-deleted)$/;

/**
 * What accounts may do. Read once, and again after an event that may have changed it, here or in another process: a role
 * that was taken away is gone with the next request.
 */
export interface Standings {
  /** The standing if it is in memory. */
  peek(accountId: number): Standing | undefined;
  of(accountId: number): Promise<Standing>;
}

export function createStandings({ db, feed }: Pick<Database, 'db' | 'feed'>): Standings {
  const matters = ({ type }: EventRow) => concerns.test(type);
  const closed = new ReadThroughCache(feed, matters, () => closedProjects(db), 1);
  const standings = new ReadThroughCache(
    feed,
    matters,
    async (key) => standingOf(db, Number(key), (await closed.get('')) ?? new Map()),
    10_000,
  );
  return {
    peek: (accountId) => standings.peek(String(accountId)),
    of: async (accountId) => (await standings.get(String(accountId))) as Standing,
  };
}

/** What an account may do by what is stored now. */
export async function readStanding(db: Db, accountId: number): Promise<Standing> {
  return standingOf(db, accountId, await closedProjects(db));
}

async function standingOf(db: Db, accountId: number, closed: ClosedProjects): Promise<Standing> {
  const [rootRoles, projectRoles] = await Promise.all([
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
      )
      .execute(),
    projectRolesOf(db, accountId),
  ]);
  const rootIds = rootRoles.map((row) => row.root_role_id);
  const grants = await grantsOfRoles(db, [...rootIds, ...projectRoles.map(({ roleId }) => roleId)]);
  return new Standing({ rootRoles: rootIds, projectRoles, grants }, closed);
}

/** The roles that an account has in projects, itself and through its groups, or those in one project. */
export async function projectRolesOf(
  db: Db,
  accountId: number,
  project?: string,
): Promise<{ project: string; roleId: number }[]> {
  let own = db.selectFrom('project_user_roles').select(['project', 'role_id']).where('user_id', '=', accountId);
  let through = db
    .selectFrom('group_users as m')
    .innerJoin('project_group_roles as r', 'r.group_id', 'm.group_id')
    .select(['r.project', 'r.role_id'])
    .where('m.user_id', '=', accountId);
  if (project !== undefined) {
    own = own.where('project', '=', project);
    through = through.where('r.project', '=', project);
  }
  const rows = await own.union(through).execute();
  return rows.map((row) => ({ project: row.project, roleId: row.role_id }));
}

/** The projects that are not open to every Editor. */
export async function closedProjects(db: Db): Promise<ClosedProjects> {
  const rows = await db.selectFrom('projects').select(['id', 'mode']).where('mode', '<>', 'open').execute();
  return new Map(rows.map(({ id, mode }) => [id, mode as 'protected' | 'private']));
}
