import { nameOfQuery, type RecentQuery } from '@yardarm/contract';
import type { InstantQuery } from '#features/metrics/external-metrics/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import type { Db } from '#storage/tx.ts';
import { readValue } from './query.ts';
import { readExternal } from './recent-external.ts';

const minuteMs = 60_000;
const minutesOf = { hour: 60, day: 1440, week: 7 * 1440, month: 30 * 1440 } as const;
/** The delay until the reports of a minute are stored: they arrive after the minute, and are written within seconds. */
export const reportDelayMs = 5000;

/** Returns the length of the period that a query covers, in milliseconds. */
export function windowOf({ minutes, timeRange }: Pick<RecentQuery, 'minutes' | 'timeRange'>): number {
  return (minutes ?? minutesOf[timeRange]) * minuteMs;
}

/** Returns the end of the last minute whose reports have arrived at `now`, in milliseconds UTC. */
export function lastMinute(now: number): number {
  return Math.floor((now - reportDelayMs) / minuteMs) * minuteMs;
}

/** How values are read: as `readValue` reads those that SDKs reported, and as `readExternal` the external ones. */
interface Readers {
  readonly internal?: typeof readValue;
  readonly external?: typeof readExternal;
}

/** Whose reports are read, and of which time, in milliseconds UTC: those between `since` and `now`. */
interface Reading {
  readonly reader: Reader;
  readonly since: number;
  readonly now: number;
}

/** Returns the value of a query at `now`, computed from the reports since `since`. */
export type ReadRecent = (db: Db, query: RecentQuery, reading: Reading) => Promise<Recent>;

/** The value of a query at a time, or the reason why there is none. */
export type Recent = { readonly value: number } | NoValue;

interface NoValue {
  readonly value?: undefined;
  /** A sentence; absent where the metric was not reported. */
  readonly reason?: string;
  /** True when a query of a past time to the Prometheus server failed. */
  readonly hasFailed?: true;
  /** Set while the Prometheus server has not answered: the queries that have not been stored yet. */
  readonly pending?: readonly InstantQuery[];
}

/**
 * Returns the value of a query at `now`, computed from the reports since `since`. Unless `readers` does, sends no
 * request to a Prometheus server: without its answer the reading is pending.
 */
export async function readRecent(
  db: Db,
  query: RecentQuery,
  { reader, since, now }: Reading,
  { internal: read = readValue, external = readExternal }: Readers = {},
): Promise<Recent> {
  const { metricName, labelSelectors, aggregationMode, dividedBy } = query;
  const to = lastMinute(now);
  // A minute that began before `since` is left out, because its reports are also about the time before.
  const from = Math.max(to - windowOf(query), Math.ceil(since / minuteMs) * minuteMs);
  if (isExternal(query)) return from >= to ? {} : external(db, query, { from, to });
  const value = await read(db, reader, { metricName, labelSelectors, aggregationMode }, { from, to });
  if (value === undefined || dividedBy === undefined) return value === undefined ? {} : { value };
  const divisor = await read(db, reader, { ...dividedBy, aggregationMode }, { from, to });
  // A quotient beyond the range of numbers, also of a division by 0, is no value.
  return divisor !== undefined && Number.isFinite(value / divisor) ? { value: value / divisor } : {};
}

/** How many of the last minutes are searched for a reading, because the reading of the last minute may be pending. */
const shownMinutes = 4;

/** Returns the newest reading of a query that is available at `now`, to show in an answer; see {@link readRecent}. */
export async function newestRecent(db: Db, query: RecentQuery, { reader, since, now }: Reading): Promise<Recent> {
  const newest = await readRecent(db, query, { reader, since, now });
  for (let recent = newest, minute = 1; isPending(recent) && minute < shownMinutes; minute++) {
    recent = await readRecent(db, query, { reader, since, now: now - minute * minuteMs });
    if (recent.value !== undefined || recent.reason !== undefined) return recent;
  }
  return newest;
}

function isPending(recent: Recent): boolean {
  return recent.value === undefined && recent.pending !== undefined;
}

function isExternal({ source }: Pick<RecentQuery, 'source'>): boolean {
  return source === 'external';
}

/** Says why a query has no value: "No data of errors (count)", with the reason if there is one. */
export function describeNoData(query: RecentQuery, { reason, pending }: NoValue): string {
  const why = pending === undefined ? reason : 'The Prometheus server has not answered yet.';
  return `No data of ${nameOfQuery(query)}${why === undefined ? '' : `: ${why.replace(/\.$/, '')}`}`;
}
