import { type Db, sql } from '../../storage/tx.ts';
import { daysToProduction, type ProjectFlags, type Windows } from './project-flags.ts';

const windowMs = 30 * 24 * 60 * 60 * 1000;

/** What happened in a project in the last 30 days, and in the 30 days before: three statements. */
export async function projectStats(db: Db, flags: Pick<ProjectFlags, 'windows'>, project: string, now: number) {
  const windows = { past: now - 2 * windowMs, current: now - windowMs };
  const [ofFlags, events, members] = await Promise.all([
    flags.windows(db, project, windows),
    countEvents(db, project, windows),
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

/** Ids grow with time, and the index of a project's events has them: no event itself is read. */
async function countEvents(
  db: Db,
  project: string,
  { past, current }: Windows,
): Promise<Record<keyof Windows, number>> {
  const since = (time: number) =>
    db
      .selectFrom('events as first')
      .select('first.id')
      .where('first.created_at', '>=', time)
      .orderBy('first.created_at')
      .orderBy('first.id')
      .limit(1);
  const row = await db
    .selectFrom('events')
    .where('project', '=', project)
    .where('id', '>=', since(past))
    .select((eb) => [
      eb.fn.countAll<number>().as('both'),
      sql<number>`count(case when id >= ${since(current)} then 1 end)`.as('current'),
    ])
    .executeTakeFirstOrThrow();
  return { past: row.both - row.current, current: row.current };
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
