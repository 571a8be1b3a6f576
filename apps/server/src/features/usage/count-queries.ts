import type { Db } from '../../storage/tx.ts';
import { dayMs, type HourlyCount } from './counts.ts';

/** Counts of a flag, by the hour or, of days that are further back than hours are kept, by the day: newest first. */
export async function countsSince(db: Db, featureName: string, since: number): Promise<HourlyCount[]> {
  const [hourly, daily] = await Promise.all([
    hourlySince(db, featureName, since),
    dailySince(db, featureName, since - (since % dayMs)),
  ]);
  return [...hourly, ...daily];
}

/** What was counted of a flag since the hour that began at `since`, newest first: two statements. */
export async function hourlySince(db: Db, featureName: string, since: number): Promise<HourlyCount[]> {
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
  return joined(counts, variants);
}

async function dailySince(db: Db, featureName: string, since: number): Promise<HourlyCount[]> {
  const [counts, variants] = await Promise.all([
    db
      .selectFrom('client_metrics_daily')
      .select(['feature_name', 'app_name', 'environment', 'day as hour', 'yes', 'no'])
      .where('feature_name', '=', featureName)
      .where('day', '>=', since)
      .orderBy('day', 'desc')
      .orderBy('environment')
      .orderBy('app_name')
      .execute(),
    db
      .selectFrom('client_metric_variants_daily')
      .select(['feature_name', 'app_name', 'environment', 'day as hour', 'variant', 'count'])
      .where('feature_name', '=', featureName)
      .where('day', '>=', since)
      .orderBy('variant')
      .execute(),
  ]);
  return joined(counts, variants);
}

interface Place {
  readonly feature_name: string;
  readonly environment: string;
  readonly hour: number;
  readonly app_name: string;
}

function joined(
  counts: readonly (Place & { readonly yes: number; readonly no: number })[],
  variants: readonly (Place & { readonly variant: string; readonly count: number })[],
): HourlyCount[] {
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

function keyOf(row: Place): string {
  return JSON.stringify([row.environment, row.hour, row.app_name]);
}

/** Applications that have evaluated a flag, as far back as counts are kept. */
export async function applicationsOf(db: Db, featureName: string): Promise<string[]> {
  const rows = await db
    .selectFrom('client_metrics')
    .select('app_name')
    .where('feature_name', '=', featureName)
    .union(db.selectFrom('client_metrics_daily').select('app_name').where('feature_name', '=', featureName))
    .orderBy('app_name')
    .execute();
  return rows.map((row) => row.app_name);
}
