import { type Db, sql } from './tx.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the start of the first day (UTC) of the last `days` days, the day of `now` included; times in milliseconds.
 */
export function firstOfDays(days: number, now: number): number {
  return now - (now % dayMs) - (days - 1) * dayMs;
}

/** Returns how many events a project had on each of the last `days` days (UTC) that had any, the oldest first. */
export async function eventsByDay(
  db: Db,
  project: string,
  days: number,
  now: number,
): Promise<{ readonly day: number; readonly total: number }[]> {
  return db
    .selectFrom('event_days')
    .where('scope', '=', 'project')
    .where('name', '=', project)
    .where('day', '>=', firstOfDays(days, now))
    .select(['day', 'total'])
    .orderBy('day')
    .execute();
}

/** Returns how many events a project had in the last `days` days, today included, and in as many days before. */
export async function eventsOfProject(
  db: Db,
  project: string,
  days: number,
  now: number,
): Promise<{ readonly current: number; readonly past: number }> {
  const first = firstOfDays(days, now);
  const row = await db
    .selectFrom('event_days')
    .where('scope', '=', 'project')
    .where('name', '=', project)
    .where('day', '>=', firstOfDays(2 * days, now))
    .select([
      sql<number>`cast(coalesce(sum(case when day >= ${first} then total end), 0) as bigint)`.as('current'),
      sql<number>`cast(coalesce(sum(case when day < ${first} then total end), 0) as bigint)`.as('past'),
    ])
    .executeTakeFirstOrThrow();
  return row;
}
