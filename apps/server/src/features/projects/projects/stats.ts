import { eventsOfProject } from '#storage/event-days.ts';
import { type Db, sql } from '#storage/tx.ts';
import { daysToProduction, type ProjectFlags } from './project-flags.ts';

const windowDays = 30;
const windowMs = windowDays * 24 * 60 * 60 * 1000;

/**
 * Counts the activity of a project in the last 30 days and in the 30 days before, with three statements. Events are
 * counted by calendar day (UTC), including today.
 */
export async function projectStats(db: Db, flags: Pick<ProjectFlags, 'windows'>, project: string, now: number) {
  const windows = { past: now - 2 * windowMs, current: now - windowMs };
  const [flagCounts, events, members] = await Promise.all([
    flags.windows(db, project, windows),
    eventsOfProject(db, project, windowDays, now),
    countMembersAdded(db, project, windows.current),
  ]);
  return {
    avgTimeToProdCurrentWindow: daysToProduction(flagCounts),
    createdCurrentWindow: flagCounts.created.current,
    createdPastWindow: flagCounts.created.past,
    archivedCurrentWindow: flagCounts.archived.current,
    archivedPastWindow: flagCounts.archived.past,
    projectActivityCurrentWindow: events.current,
    projectActivityPastWindow: events.past,
    projectMembersAddedCurrentWindow: members,
  };
}

/** Counts users who got their first role in the project, directly or through a group, since `since`. */
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
