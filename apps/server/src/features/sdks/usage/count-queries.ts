import type { Row } from '#storage/tables.ts';
import { type Condition, type Db, sql } from '#storage/tx.ts';
import { dayMs, type HourlyCount } from './counts.ts';

/** Rows of a page of counts. A page is longer when a single hour or day has more rows. */
const rowsPerPage = 2000;

/**
 * Yields the counts of a flag since a time, newest first, in pages: first counts by the hour and then, with `days`,
 * counts by the day for the time of which hourly counts are no longer kept.
 */
export async function* pagesOfCounts(
  db: Db,
  featureName: string,
  since: number,
  days: boolean,
): AsyncGenerator<HourlyCount[]> {
  const hours = await db
    .selectFrom('client_metrics')
    .select((eb) => ['environment', 'hour as at', eb.fn.countAll<number>().as('rows')])
    .where('feature_name', '=', featureName)
    .where('hour', '>=', since)
    .groupBy(['environment', 'hour'])
    .execute();
  yield* pagesOf(hours, (range) => hourlyIn(db, featureName, range));
  if (!days) return;
  const daily = await db
    .selectFrom('client_metrics_daily')
    .select((eb) => ['environment', 'day as at', eb.fn.countAll<number>().as('rows')])
    .where('feature_name', '=', featureName)
    .where('day', '>=', since - (since % dayMs))
    .groupBy(['environment', 'day'])
    .execute();
  yield* pagesOf(daily, (range) => dailyIn(db, featureName, range));
}

/**
 * Times from `from` to `to`, inclusive, and environments: the columns that begin the primary key, after the flag's
 * name.
 */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly environments: readonly string[];
}

async function* pagesOf(
  groups: readonly { readonly environment: string; readonly at: number; readonly rows: number }[],
  read: (range: Range) => Promise<HourlyCount[]>,
): AsyncGenerator<HourlyCount[]> {
  const environments = [...new Set(groups.map(({ environment }) => environment))];
  const times = [...Map.groupBy(groups, ({ at }) => at)]
    .map(([at, groupsAt]) => ({ at, rows: groupsAt.reduce((sum, { rows }) => sum + rows, 0) }))
    .toSorted((a, b) => b.at - a.at);
  let page: { to: number; from: number; rows: number } | undefined;
  for (const { at, rows } of times) {
    if (page !== undefined && page.rows + rows > rowsPerPage) {
      yield await read({ ...page, environments });
      page = undefined;
    }
    page = { to: page?.to ?? at, from: at, rows: (page?.rows ?? 0) + rows };
  }
  if (page !== undefined) yield await read({ ...page, environments });
}

async function hourlyIn(
  db: Db,
  featureName: string,
  { from, to, environments }: Partial<Range> & Pick<Range, 'from' | 'to'>,
): Promise<HourlyCount[]> {
  const inEnvironments: Condition =
    environments === undefined ? sql<boolean>`1 = 1` : sql<boolean>`environment in (${sql.join(environments)})`;
  const [counts, variants] = await Promise.all([
    db
      .selectFrom('client_metrics')
      .selectAll()
      .where('feature_name', '=', featureName)
      .where(inEnvironments)
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .orderBy('hour', 'desc')
      .orderBy('environment')
      .orderBy('app_name')
      .execute(),
    db
      .selectFrom('client_metric_variants')
      .selectAll()
      .where('feature_name', '=', featureName)
      .where(inEnvironments)
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .orderBy('variant')
      .execute(),
  ]);
  return joined(counts, variants);
}

/** Returns the counts of a flag since the hour that began at `since`, newest first, with two statements. */
export function hourlySince(db: Db, featureName: string, since: number): Promise<HourlyCount[]> {
  return hourlyIn(db, featureName, { from: since, to: Number.MAX_SAFE_INTEGER });
}

async function dailyIn(db: Db, featureName: string, { from, to, environments }: Range): Promise<HourlyCount[]> {
  const [counts, variants] = await Promise.all([
    db
      .selectFrom('client_metrics_daily')
      .select(['feature_name', 'app_name', 'environment', 'day as hour', 'yes', 'no'])
      .where('feature_name', '=', featureName)
      .where('environment', 'in', environments)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('day', 'desc')
      .orderBy('environment')
      .orderBy('app_name')
      .execute(),
    db
      .selectFrom('client_metric_variants_daily')
      .select(['feature_name', 'app_name', 'environment', 'day as hour', 'variant', 'count'])
      .where('feature_name', '=', featureName)
      .where('environment', 'in', environments)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .orderBy('variant')
      .execute(),
  ]);
  return joined(counts, variants);
}

type CountKey = Pick<Row<'client_metrics'>, 'feature_name' | 'environment' | 'hour' | 'app_name'>;

function joined(
  counts: readonly Row<'client_metrics'>[],
  variants: readonly Row<'client_metric_variants'>[],
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

function keyOf(row: CountKey): string {
  return JSON.stringify([row.environment, row.hour, row.app_name]);
}

/** Returns the applications that have evaluated a flag, as far back as counts are kept. */
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
