import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { QueryNow } from './query-now.ts';
import { noSeries, notANumber, type Reading, type SourceCurve, type SourcePeriod, severalSeries } from './source.ts';
import type { InstantQuery } from './store.ts';

/** Reads the value of PromQL at a full minute in the past. Never rejects because the server fails. */
export type ReadPast = (query: InstantQuery) => Promise<Reading>;

const stepMs = 60_000;
/** The maximum number of range queries, and the time after which no more are sent. */
const limits = { queries: 100, timeMs: 20_000 } as const;

/**
 * Creates a {@link ReadPast} for minutes up to `to`, in milliseconds UTC. The first read of a PromQL sends one range
 * query from its minute to `to`, so later reads must be of the same or a later minute. At most 100 queries are sent,
 * and none after 20 s. Must be used outside of transactions. An instant query for each minute would be thousands of
 * requests, and stored answers are those of real decisions of the last ten minutes.
 */
export function createReadPast(queryNow: QueryNow, clock: Pick<Clock, 'elapsed'>, to: number): ReadPast {
  const began = clock.elapsed();
  const known = new Map<string, Promise<(at: number) => Reading>>();
  const query = async (promql: string, from: number): Promise<(at: number) => Reading> => {
    if (known.size >= limits.queries)
      return failing(`The rehearsal has sent ${limits.queries} queries to the Prometheus server, which is the limit.`);
    if (clock.elapsed() - began > limits.timeMs)
      return failing(
        `The rehearsal has queried the Prometheus server for ${limits.timeMs / 1000} s, the longest time.`,
      );
    try {
      // A point has the time at the start of its step, and the value at the end.
      const period = { from: from - stepMs, to, stepMs };
      return readingsOfCurves(await queryNow((source) => source.curves(promql, period)), period);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return failing(error.name === 'BadDataError' ? 'No Prometheus server is set.' : error.message);
    }
  };
  return async ({ promql, at }) => {
    const readings = known.get(promql) ?? known.set(promql, query(promql, at)).get(promql);
    if (readings === undefined) throw new Error('unreachable: the query has just been stored');
    return (await readings)(at);
  };
}

function failing(reason: string): () => Reading {
  return () => ({ reason, hasFailed: true });
}

/** Returns the readings of the minutes of a range query, by the same rules as the reading of an instant query. */
function readingsOfCurves(
  [curve, ...others]: readonly SourceCurve[],
  { from, to }: Pick<SourcePeriod, 'from' | 'to'>,
): (at: number) => Reading {
  if (others.length > 0) return () => severalSeries;
  // A typed array, because a week has 10,080 minutes: NaN is a minute without a value, infinity one that is no number.
  const values = new Float64Array(Math.max(0, (to - from) / stepMs)).fill(Number.NaN);
  for (const [at, value] of curve?.points ?? [])
    values[Math.round((at - from) / stepMs)] = Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
  return (at) => {
    const value = values[(at - from) / stepMs - 1];
    if (value === undefined || Number.isNaN(value)) return noSeries;
    return Number.isFinite(value) ? { value } : notANumber;
  };
}
