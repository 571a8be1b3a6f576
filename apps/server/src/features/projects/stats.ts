import { eventsOfProject } from '../../storage/event-days.ts';
import { type Db, sql } from '../../storage/tx.ts';
import { daysToProduction, type ProjectFlags } from './project-flags.ts';

const windowDays = 30;
const windowMs = windowDays * 24 * 60 * 60 * 1000;

/**
 * Returns what happened in a project in the last 30 days, and in the 30 days before: three statements. Events are kept by the
 * day, so their windows are calendar days (UTC), today included.
 */
export async function projectStats(db: Db, flags: Pick<ProjectFlags, 'windows'>, project: string, now: number) {
  const windows = { past: now - 2 * windowMs, current: now - windowMs };
  const [ofFlags, events, members] = await Promise.all([
    flags.windows(db, project, windows),
    eventsOfProject(db, project, windowDays, now),
    countMembersAdded(db, project, windows.current),
  ]);
  return {
    avgTimeToProdCurrentWindow: daysToProduction(ofFlags),
    createdCurrentWindow: ofFlags.created.current,
    createdPastWindow: ofFlags.created.past,
    archivedCurrentWindow: ofFlags.archived.current,
    archivedPastWindow: ofFlags.archived.past,
    projectActivityCurrentWindow: events.current,
    projectActivityPastWindow: events.past,
    projectMembersAddedCurrentWindow: members,
  };
}

/** Users who have a role in the project, themselves or through a group, and had none of these before. */
async function countMembersAdded(db: Db, project: string, since: number): Promise<number> {
  const own = db.selectFrom('project_user_roles').where('project', '=', project).select(['user_id', 'added_at']);
  const through = db
    .selectFrom('project_group_roles as r')
    .innerJoin('group_users as m', 'm.group_id', 'r.group_id')
    .where('r.project', '=', project)
    .select([
      'm.user_id',
      sql<number>`case when m.joined_at > r.added_at then m.joined_at else r.added_at end`.as('added_at'),
    ]);
  const rows = await db
    .selectFrom(own.unionAll(through).as('grants'))
    .select('grants.user_id')
    .groupBy('grants.user_id')
    .having((eb) => eb(eb.fn.min('grants.added_at'), '>=', since))
    .execute();
  return rows.length;
}
