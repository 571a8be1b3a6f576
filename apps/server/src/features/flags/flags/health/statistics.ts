import type { FlagStatistics } from '#features/projects/projects/index.ts';
import { type Db, sql } from '#storage/tx.ts';
import { overdue } from './overdue.ts';

/** Returns statistics of the active flags by project, with one statement. */
export async function flagStatistics(
  db: Db,
  now: number,
  project?: string,
): Promise<ReadonlyMap<string, FlagStatistics>> {
  const statistics = new Map<string, FlagStatistics>();
  for (const row of await countByType(db, now, project)) {
    const before = statistics.get(row.project) ?? none;
    const { active, stale, potentiallyStale, completed, live, msToLive, lastSeenAt, types } = before;
    statistics.set(row.project, {
      active: active + row.count,
      completed: completed + row.completed,
      live: live + row.live,
      msToLive: msToLive + (row.ms_to_live ?? 0),
      stale: stale + row.stale,
      potentiallyStale: potentiallyStale + row.overdue,
      lastSeenAt: Math.max(lastSeenAt ?? 0, row.last_seen_at ?? 0) || null,
      types: [...types, { type: row.type, count: row.count }],
    });
  }
  return statistics;
}

const none: FlagStatistics = {
  active: 0,
  stale: 0,
  potentiallyStale: 0,
  completed: 0,
  live: 0,
  msToLive: 0,
  lastSeenAt: null,
  types: [],
};

function countByType(db: Db, now: number, project: string | undefined) {
  let query = db
    .selectFrom('features')
    .where('archived_at', 'is', null)
    .select((eb) => [
      'project',
      'type',
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('last_seen_at').as('last_seen_at'),
      eb.fn.count<number>('completed_at').as('completed'),
      eb.fn.count<number>('live_at').as('live'),
      sql<number | null>`cast(sum(live_at - created_at) as bigint)`.as('ms_to_live'),
      sql<number>`sum(case when stale = 1 then 1 else 0 end)`.as('stale'),
      sql<number>`sum(case when stale = 0 and ${overdue('features', now)} then 1 else 0 end)`.as('overdue'),
    ])
    .groupBy(['project', 'type'])
    .orderBy('project')
    .orderBy('type');
  if (project !== undefined) query = query.where('project', '=', project);
  return query.execute();
}

/** Returns the oldest active flag of each project, with one statement and one index lookup for each project. */
export async function oldestFlags(db: Db, projects: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (projects.length === 0) return new Map();
  const rows = await db
    .selectFrom('projects as p')
    .where('p.id', 'in', projects)
    .select((eb) => [
      'p.id',
      eb
        .selectFrom('features as f')
        .select('f.name')
        .whereRef('f.project', '=', 'p.id')
        .where('f.archived_at', 'is', null)
        .orderBy('f.created_at')
        .orderBy('f.name')
        .limit(1)
        .as('oldest'),
    ])
    .execute();
  return new Map(rows.flatMap(({ id, oldest }) => (oldest === null ? [] : [[id, oldest]])));
}
