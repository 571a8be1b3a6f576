import { holds } from '#features/people/token-scopes/index.ts';
import { knownApplications } from '#features/sdks/applications/index.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { addedUp, type HourlyCount, maxCount, type ReportedCount } from './counts.ts';
import { projectsOfFlags } from './known-flags.ts';

const rowsPerStatement = 500;

/**
 * Adds counts to the stored counts. Skips counts of unknown flags and applications, and counts of flags whose project
 * the token of the report does not hold: a token must not open the gates of another project. Rows are written in the
 * order of their keys, so that two processes cannot deadlock.
 */
export async function addCounts(tx: Tx, counts: readonly ReportedCount[]): Promise<void> {
  const projects = await projectsOfFlags(tx.db, [...new Set(counts.map(({ featureName }) => featureName))]);
  const applications = await knownApplications(tx.db, [...new Set(counts.map(({ appName }) => appName))]);
  const kept = counts.filter(
    ({ featureName, appName, scope }) => holds(scope, projects.get(featureName)) && applications.has(appName),
  );
  const sorted = withoutScopes(kept).toSorted(
    (a, b) =>
      compare(a.featureName, b.featureName) ||
      compare(a.environment, b.environment) ||
      a.hour - b.hour ||
      compare(a.appName, b.appName),
  );
  for (const rows of chunks(sorted.map(toRow))) {
    await tx.db
      .insertInto('client_metrics')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['feature_name', 'environment', 'hour', 'app_name']).doUpdateSet({
          yes: cappedSum('client_metrics.yes', 'excluded.yes'),
          no: cappedSum('client_metrics.no', 'excluded.no'),
        }),
      )
      .execute();
  }
  for (const rows of chunks(sorted.flatMap(variantRows))) {
    await tx.db
      .insertInto('client_metric_variants')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['feature_name', 'environment', 'hour', 'app_name', 'variant'])
          .doUpdateSet({ count: cappedSum('client_metric_variants.count', 'excluded.count') }),
      )
      .execute();
  }
}

/** Adds up the counts of different scopes: PostgreSQL refuses to change a row twice in one statement. */
function withoutScopes(counts: readonly ReportedCount[]): HourlyCount[] {
  const sums = new Map<string, HourlyCount>();
  for (const { scope: _, ...count } of counts) {
    const key = JSON.stringify([count.featureName, count.environment, count.hour, count.appName]);
    const before = sums.get(key);
    sums.set(key, before === undefined ? count : sumOf(before, count));
  }
  return [...sums.values()];
}

function sumOf(a: HourlyCount, b: HourlyCount): HourlyCount {
  const variants = new Map(a.variants);
  for (const [variant, count] of b.variants) variants.set(variant, addedUp(variants.get(variant) ?? 0, count));
  return { ...a, yes: addedUp(a.yes, b.yes), no: addedUp(a.no, b.no), variants };
}

/** Returns the sum of two columns, limited to {@link maxCount}. */
export function cappedSum(stored: string, added: string) {
  const total = sql<number>`${sql.ref(stored)} + ${sql.ref(added)}`;
  return sql<number>`case when ${total} > ${maxCount} then ${maxCount} else ${total} end`;
}

function toRow({ featureName, appName, environment, hour, yes, no }: HourlyCount) {
  return { feature_name: featureName, app_name: appName, environment, hour, yes, no };
}

function variantRows({ featureName, appName, environment, hour, variants }: HourlyCount) {
  return [...variants]
    .toSorted(([a], [b]) => compare(a, b))
    .map(([variant, count]) => ({
      feature_name: featureName,
      app_name: appName,
      environment,
      hour,
      variant,
      count,
    }));
}

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let i = 0; i < rows.length; i += rowsPerStatement) yield rows.slice(i, i + rowsPerStatement);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
