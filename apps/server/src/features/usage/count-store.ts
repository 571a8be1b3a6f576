import { sql, type Tx } from '../../storage/tx.ts';
import { knownApplications } from '../applications/index.ts';
import { type HourlyCount, maxCount } from './counts.ts';
import { knownFlags } from './known-flags.ts';

const rowsPerStatement = 500;

/**
 * Adds counts to the stored counts. Skips counts of unknown flags and applications. Rows are written in the order of
 * their keys, so that two processes cannot deadlock.
 */
export async function addCounts(tx: Tx, counts: readonly HourlyCount[]): Promise<void> {
  const flags = await knownFlags(tx.db, [...new Set(counts.map(({ featureName }) => featureName))]);
  const applications = await knownApplications(tx.db, [...new Set(counts.map(({ appName }) => appName))]);
  const kept = counts.filter(({ featureName, appName }) => flags.has(featureName) && applications.has(appName));
  const sorted = kept.toSorted(
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
