import { sql } from 'kysely';
import type { Tx } from '../../storage/tx.ts';
import { knownApplications } from '../applications/index.ts';
import { type HourlyCount, mostCounted } from './counts.ts';
import { knownFlags } from './known-flags.ts';

const rowsAtOnce = 500;

/**
 * Adds counts to what is there; those of flags and applications that there are not are left out. Rows come in the order of their keys, so that two processes cannot
 * deadlock.
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
  for (const some of chunks(sorted.map(row))) {
    await tx.db
      .insertInto('client_metrics')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['feature_name', 'environment', 'hour', 'app_name']).doUpdateSet({
          yes: capped('client_metrics.yes', 'excluded.yes'),
          no: capped('client_metrics.no', 'excluded.no'),
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
          .doUpdateSet({ count: capped('client_metric_variants.count', 'excluded.count') }),
      )
      .execute();
  }
}

/** The sum of two columns, or the most that a count may be. */
export function capped(there: string, more: string) {
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
