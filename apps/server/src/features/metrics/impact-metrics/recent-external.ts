import type { RecentQuery } from '@yardarm/contract';
import {
  type ExternalQuery,
  type InstantQuery,
  isCount,
  type Reading,
  readingsOf,
  toPromql,
} from '#features/metrics/external-metrics/index.ts';
import type { Db } from '#storage/tx.ts';

/** The answer of the Prometheus server. Without an answer, `pending` has the queries that have not been stored yet. */
export type ExternalReading = Reading | { readonly pending: readonly InstantQuery[] };

/**
 * Returns the reading of a query in a period, in milliseconds UTC, from stored answers. Sends no request: the caller
 * stores the queries of a pending reading with `enqueueQueries`, and a job sends them.
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
  return combineReadings(query, answered);
}

/** Returns the reading of a query from the readings of its {@link partsOf parts}. */
export function combineReadings(query: RecentQuery, parts: readonly Reading[]): Reading {
  const [dividend, divisor] = parts as [Reading, Reading | undefined];
  return divisor === undefined ? dividend : share(query, dividend, divisor);
}

/** Returns the query of the metric and, when the metric is divided by another, the query of the divisor. */
export function partsOf({ metricName, aggregationMode, labelSelectors, dividedBy }: RecentQuery): ExternalQuery[] {
  const first = { metricName, aggregationMode, labelSelectors };
  return dividedBy === undefined ? [first] : [first, { ...dividedBy, aggregationMode }];
}

/**
 * Divides one reading by another. When the query counts and the dividend has no series, the result is 0: Prometheus has
 * no series of errors until the first error happens, and the divisor shows that the application reports.
 */
function share(query: RecentQuery, dividend: Reading, divisor: Reading): Reading {
  if (divisor.value === undefined) return divisor;
  if (divisor.value === 0) return { reason: 'The metric that it is divided by is 0.' };
  if (dividend.value !== undefined) {
    const value = dividend.value / divisor.value;
    return Number.isFinite(value) ? { value } : { reason: 'The quotient is beyond the range of numbers.' };
  }
  return dividend.isEmpty === true && isCount(query) ? { value: 0 } : dividend;
}
