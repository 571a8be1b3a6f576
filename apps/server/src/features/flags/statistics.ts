import { type Db, sql } from '../../storage/tx.ts';
import type { FlagStatistics } from '../projects/index.ts';
import { overdue } from './overdue.ts';

/** Numbers of the flags that are not archived, by project: one statement. */
export async function flagStatistics(
  db: Db,
  now: number,
  project?: string,
): Promise<ReadonlyMap<string, FlagStatistics>> {
  const statistics = new Map<string, FlagStatistics>();
  for (const row of await countByType(db, now, project)) {
    const { active, stale, potentiallyStale, lastSeenAt, types } = statistics.get(row.project) ?? none;
    statistics.set(row.project, {
      active: active + row.count,
      stale: stale + row.stale,
      potentiallyStale: potentiallyStale + row.overdue,
      lastSeenAt: Math.max(lastSeenAt ?? 0, row.last_seen_at ?? 0) || null,
      types: [...types, { type: row.type, count: row.count }],
    });
  }
  return statistics;
}

const none: FlagStatistics = { active: 0, stale: 0, potentiallyStale: 0, lastSeenAt: null, types: [] };

function countByType(db: Db, now: number, project: string | undefined) {
  let query = db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .select((eb) => [
      'project',
      'type',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('last_seen_at').as('last_seen_at'),
      sql<number>`sum(case when stale = 1 then 1 else 0 end)`.as('stale'),
      sql<number>`sum(case when stale = 0 and ${overdue('features', now)} then 1 else 0 end)`.as('overdue'),
    ])
    .groupBy(['project', 'type'])
    .orderBy('project')
    .orderBy('type');
  if (project !== undefined) query = query.where('project', '=', project);
  return query.execute();
}

/** The flag of the project that was created first, of those that are not archived. */
export async function oldestFlag(db: Db, project: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('features')
    .select('name')
    .where('project', '=', project)
    .where('archived_at', 'is', null)
    .orderBy('created_at')
    .orderBy('name')
    .limit(1)
    .executeTakeFirst();
  return row?.name;
}
