import type { RecentQuery } from '@yardarm/contract';
import type { Db } from '../../storage/tx.ts';
import {
  type ExternalQuery,
  type InstantQuery,
  isCount,
  type Reading,
  readingsOf,
  toPromql,
} from '../external-metrics/index.ts';

/** The answer of a Prometheus server; `pending` with the queries that have not been stored yet. */
export type ExternalReading = Reading | { readonly pending: readonly InstantQuery[] };

/**
 * Returns the reading of a query in a period, in milliseconds UTC. Sends no request: store the queries of a pending
 * reading with `enqueueQueries`.
 */
export async function readExternal(
  db: Db,
  query: RecentQuery,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ExternalReading> {
  const parts = partsOf(query);
  const queries = parts.map((part) => ({ promql: toPromql(part, (to - from) / 1000), at: to }));
  const readings = await readingsOf(db, queries);
  const answered = readings.flatMap((reading) => (reading === undefined || reading === 'pending' ? [] : [reading]));
  if (answered.length < parts.length) return { pending: queries.filter((_, index) => readings[index] === undefined) };
  const [dividend, divisor] = answered as [Reading, Reading | undefined];
  return divisor === undefined ? dividend : share(query, dividend, divisor);
}

/** Returns the query, and that of the metric that it is divided by. */
function partsOf({ metricName, aggregationMode, labelSelectors, dividedBy }: RecentQuery): ExternalQuery[] {
  const first = { metricName, aggregationMode, labelSelectors };
  return dividedBy === undefined ? [first] : [first, { ...dividedBy, aggregationMode }];
}

/**
 * Returns the share of two readings. Without series of the first metric it is 0, where the metric counts: Prometheus
 * has none until the first error happens, and the second metric says that the application reports.
 */
function share(query: RecentQuery, dividend: Reading, divisor: Reading): Reading {
  if (divisor.value === undefined) return divisor;
  if (divisor.value === 0) return { reason: 'The metric that it is divided by is 0.' };
  if (dividend.value !== undefined) return { value: dividend.value / divisor.value };
  return dividend.isEmpty === true && isCount(query) ? { value: 0 } : dividend;
}
