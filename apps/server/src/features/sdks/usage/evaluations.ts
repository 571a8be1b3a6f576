import { type Db, sql } from '#storage/tx.ts';

/**
 * Returns the number of evaluations of a flag in an environment, on and off, in the hours that began between `since`
 * and `until` (milliseconds UTC). For hours that are no longer kept (see {@link rollUpCounts}), counts the days that
 * began in this time.
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
