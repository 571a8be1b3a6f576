import { createReadPast, type QueryNow, toPromql } from '#features/metrics/external-metrics/index.ts';
import type { Clock } from '#kernel/clock.ts';
import { lastMinute, type ReadRecent, readRecent, windowOf } from './recent.ts';
import { combineReadings, partsOf } from './recent-external.ts';

const minuteMs = 60_000;

/**
 * Creates a {@link ReadRecent} for times in the past up to `to`, in milliseconds UTC, each the same or later than the
 * one before. Reads values of the Prometheus server by range queries, at most one for each query and length of its
 * period.
 */
export function createReadPastRecent(queryNow: QueryNow, clock: Clock, to: number): ReadRecent {
  const readPast = createReadPast(queryNow, clock, lastMinute(to));
  return (db, query, period) =>
    readRecent(db, query, period, {
      external: async (_, __, { from, to: at }) => {
        const minutes = (at - from) / minuteMs;
        const read = at - from < windowOf(query) ? fewerLengths(minutes) : minutes;
        const parts = partsOf(query).map((part) => readPast({ promql: toPromql(part, read * 60), at }));
        return combineReadings(query, await Promise.all(parts));
      },
    });
}

/**
 * Returns a number of minutes that is at most a fifth less: 1 to 8, then 10, 12, 14, 16, 20, 24, … Until the milestone
 * is older than the period of a query, each minute has a period of another length. Without this, each would be another
 * range query.
 */
function fewerLengths(minutes: number): number {
  const unit = 2 ** Math.max(0, Math.floor(Math.log2(minutes)) - 2);
  return Math.floor(minutes / unit) * unit;
}
