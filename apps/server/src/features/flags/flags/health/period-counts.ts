import type { FlagWindows, LeadTime, Windows } from '#features/projects/projects/index.ts';
import { type Db, sql } from '#storage/tx.ts';

/**
 * Counts the flags of a project, archived flags included, that were created or archived in each period, and those that
 * went live in the current period, with one statement.
 */
export async function flagPeriodCounts(db: Db, project: string, { past, current }: Windows): Promise<FlagWindows> {
  const since = (column: 'created_at' | 'archived_at' | 'live_at', time: number) =>
    sql<number>`count(case when ${sql.ref(column)} >= ${time} then 1 end)`;
  const row = await db
    .selectFrom('features')
    .where('project', '=', project)
    .select([
      since('created_at', past).as('created_both'),
      since('created_at', current).as('created'),
      since('archived_at', past).as('archived_both'),
      since('archived_at', current).as('archived'),
      since('live_at', current).as('live'),
      sql<number | null>`cast(sum(case when live_at >= ${current} then live_at - created_at end) as bigint)`.as(
        'ms_to_live',
      ),
    ])
    .executeTakeFirstOrThrow();
  return {
    created: { past: row.created_both - row.created, current: row.created },
    archived: { past: row.archived_both - row.archived, current: row.archived },
    live: row.live,
    msToLive: row.ms_to_live ?? 0,
  };
}

/**
 * Returns the project's active flags that were evaluated in production, sorted by name, with the time from creation to
 * live.
 */
export async function leadTimes(db: Db, project: string): Promise<readonly LeadTime[]> {
  const rows = await db
    .selectFrom('features')
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .where('live_at', 'is not', null)
    .select(['name', sql<number>`live_at - created_at`.as('msToLive')])
    .execute();
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
