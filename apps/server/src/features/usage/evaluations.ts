import { type Db, sql } from '../../storage/tx.ts';

/**
 * Returns the evaluations of a flag in an environment, on and off, of the hours that began at `since` or later, in
 * milliseconds UTC. Of hours that are no longer kept (see {@link rollUpCounts}), those of whole days since then.
 */
export async function evaluationsSince(
  db: Db,
  { featureName, environment }: { readonly featureName: string; readonly environment: string },
  { since, until }: { readonly since: number; readonly until: number },
): Promise<number> {
  const total = sql<number>`cast(coalesce(sum(yes + no), 0) as bigint)`.as('total');
  const hourly = db
    .selectFrom('client_metrics')
    .select(total)
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .where('hour', '>=', since)
    .where('hour', '<=', until);
  const daily = db
    .selectFrom('client_metrics_daily')
    .select(total)
    .where('feature_name', '=', featureName)
    .where('environment', '=', environment)
    .where('day', '>=', since)
    .where('day', '<=', until);
  const counts = await hourly.unionAll(daily).execute();
  return counts.reduce((sum, count) => sum + count.total, 0);
}
