import type { LifecycleSummary } from '#features/projects/projects/index.ts';
import { type Db, sql } from '#storage/tx.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The columns with the times at which a flag enters its stages, in order. */
const entries = ['created_at', 'pre_live_at', 'live_at', 'completed_at', 'archived_at'] as const;
type Entry = (typeof entries)[number];

/**
 * Returns the number of flags of a project in each stage and the average time flags spent in it, with one statement.
 */
export async function lifecycleSummary(db: Db, project: string, since: number): Promise<LifecycleSummary> {
  const row = await db
    .selectFrom('features')
    .where('project', '=', project)
    .select([
      ...stage('created_at', 'initial'),
      ...stage('pre_live_at', 'preLive'),
      ...stage('live_at', 'live'),
      ...stage('completed_at', 'completed'),
      sql<number>`count(archived_at)`.as('archived'),
      sql<number>`count(case when archived_at >= ${since} then 1 end)`.as('archivedSince'),
    ])
    .executeTakeFirstOrThrow();
  const summary = (name: 'initial' | 'preLive' | 'live' | 'completed') => {
    const left = row[`${name}Left`];
    return {
      averageDays: left === 0 ? null : Math.round((row[`${name}Ms`] / left / dayMs) * 100) / 100,
      currentFlags: row[`${name}Flags`],
    };
  };
  return {
    initial: summary('initial'),
    preLive: summary('preLive'),
    live: summary('live'),
    completed: summary('completed'),
    archived: { currentFlags: row.archived, archivedSince: row.archivedSince },
  };
}

/**
 * Selects three values of a stage: flags in it, flags that left it, and the milliseconds that flags spent in it before
 * leaving.
 */
function stage<Name extends string>(entry: Entry, name: Name) {
  const later = entries.slice(entries.indexOf(entry) + 1).map((column) => sql.ref(column));
  const next = later.length === 1 ? later[0] : sql`coalesce(${sql.join(later)})`;
  const entered = sql.ref(entry);
  return [
    sql<number>`count(case when ${entered} is not null and ${next} is null then 1 end)`.as(`${name}Flags` as const),
    sql<number>`count(case when ${entered} is not null and ${next} is not null then 1 end)`.as(`${name}Left` as const),
    sql<number>`cast(coalesce(sum(case when ${entered} is not null then ${next} - ${entered} end), 0) as bigint)`.as(
      `${name}Ms` as const,
    ),
  ] as const;
}
