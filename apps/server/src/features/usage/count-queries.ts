import type { Db } from '../../storage/tx.ts';
import type { HourlyCount } from './counts.ts';

/** What was counted of a flag since the hour that began at `since`, newest first: two statements. */
export async function countsSince(db: Db, featureName: string, since: number): Promise<HourlyCount[]> {
  const [counts, variants] = await Promise.all([
    db
      .selectFrom('client_metrics')
      .selectAll()
      .where('feature_name', '=', featureName)
      .where('hour', '>=', since)
      .orderBy('hour', 'desc')
      .orderBy('environment')
      .orderBy('app_name')
      .execute(),
    db
      .selectFrom('client_metric_variants')
      .selectAll()
      .where('feature_name', '=', featureName)
      .where('hour', '>=', since)
      .orderBy('variant')
      .execute(),
  ]);
  const variantsOf = Map.groupBy(variants, keyOf);
  return counts.map((row) => ({
    featureName: row.feature_name,
    appName: row.app_name,
    environment: row.environment,
    hour: row.hour,
    yes: row.yes,
    no: row.no,
    variants: new Map((variantsOf.get(keyOf(row)) ?? []).map(({ variant, count }) => [variant, count])),
  }));
}

function keyOf(row: { readonly environment: string; readonly hour: number; readonly app_name: string }): string {
  return JSON.stringify([row.environment, row.hour, row.app_name]);
}

/** Applications that have evaluated a flag, as far back as counts are kept. */
export async function applicationsOf(db: Db, featureName: string): Promise<string[]> {
  const rows = await db
    .selectFrom('client_metrics')
    .select('app_name')
    .distinct()
    .where('feature_name', '=', featureName)
    .orderBy('app_name')
    .execute();
  return rows.map((row) => row.app_name);
}
