import { sql } from 'kysely';
import type { Tx } from '../../storage/tx.ts';
import { type HourlyCount, mostCounted } from './counts.ts';

const rowsAtOnce = 500;

/** Adds counts to what is there. Rows come in the order of their keys, so that two processes cannot deadlock. */
export async function addCounts(tx: Tx, counts: readonly HourlyCount[]): Promise<void> {
  const sorted = counts.toSorted(
    (a, b) =>
      compare(a.featureName, b.featureName) ||
      compare(a.environment, b.environment) ||
      a.hour - b.hour ||
      compare(a.appName, b.appName),
  );
  for (const some of chunks(sorted.map(row))) {
    await tx.db
      .insertInto('client_metrics')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['feature_name', 'environment', 'hour', 'app_name']).doUpdateSet({
          yes: added('client_metrics.yes', 'excluded.yes'),
          no: added('client_metrics.no', 'excluded.no'),
        }),
      )
      .execute();
  }
  for (const some of chunks(sorted.flatMap(variantRows))) {
    await tx.db
      .insertInto('client_metric_variants')
      .values(some)
      .onConflict((conflict) =>
        conflict
          .columns(['feature_name', 'environment', 'hour', 'app_name', 'variant'])
          .doUpdateSet({ count: added('client_metric_variants.count', 'excluded.count') }),
      )
      .execute();
  }
}

function added(there: string, more: string) {
  const total = sql<number>`${sql.ref(there)} + ${sql.ref(more)}`;
  return sql<number>`case when ${total} > ${mostCounted} then ${mostCounted} else ${total} end`;
}

function row({ featureName, appName, environment, hour, yes, no }: HourlyCount) {
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
  for (let i = 0; i < rows.length; i += rowsAtOnce) yield rows.slice(i, i + rowsAtOnce);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
