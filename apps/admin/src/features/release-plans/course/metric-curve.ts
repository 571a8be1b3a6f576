import type { Safeguard } from '../../../entities/safeguards/safeguard-queries.ts';
import type { Answer } from '../../../lib/api.ts';

/** The metric query of a safeguard or a gate. */
export type WatchedQuery = Omit<Safeguard['impactMetric'], 'id'>;

/** The values of a metric by steps of time, in Unix seconds. A step without samples has no point. */
export interface Steps {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly points: readonly (readonly [number, number])[];
}

/** A point of a curve: its time in milliseconds UTC, and its value; null when there is no data. */
export interface CurvePoint {
  readonly at: number;
  readonly value: number | null;
}

const minutesOf = { hour: 60, day: 1440, week: 7 * 1440, month: 30 * 1440 } as const;

/** Returns over how many minutes before a time the query computes its value. */
export function minutesBack({ minutes, timeRange }: Pick<WatchedQuery, 'minutes' | 'timeRange'>): number {
  return minutes ?? minutesOf[timeRange];
}

/** Returns the steps in an answer of `GET /api/admin/impact-metrics`. */
export function stepsOf({ start, end, step, series }: Answer<'GET /api/admin/impact-metrics'>): Steps {
  return { start: Number(start), end: Number(end), step: Number(step), points: series[0]?.data ?? [] };
}

/**
 * Returns the values that a safeguard or a gate with this query saw at the end of each step, as far as they can be
 * computed from steps. Counts and rates are combined over the minutes of the query; if these are shorter than a step,
 * counts are scaled down. Averages, percentiles and gauges cannot be combined: the value is that of the step.
 */
export function curveOf(query: WatchedQuery, value: Steps, divisor?: Steps): CurvePoint[] {
  const seconds = minutesBack(query) * 60;
  const divide =
    divisor === undefined ? undefined : valuesOf(divisor, seconds, kindOf(query, query.dividedBy?.metricName));
  const values = valuesOf(value, seconds, kindOf(query, query.metricName));
  return startsOf(value).map((start) => {
    const at = Math.min(start + value.step, value.end) * 1000;
    const dividend = values.get(start);
    const by = divide === undefined ? 1 : divide.get(start);
    return { at, value: dividend === undefined || by === undefined || by === 0 ? null : dividend / by };
  });
}

/** Returns the coarse curve up to the first value of the fine curve, and the fine curve from there on. */
export function joined(coarse: readonly CurvePoint[], fine: readonly CurvePoint[]): CurvePoint[] {
  const start = fine.find(({ value }) => value !== null)?.at ?? Number.POSITIVE_INFINITY;
  return [...coarse.filter(({ at }) => at < start), ...fine.filter(({ at }) => at >= start)];
}

/** The longest gap that the line of the chart bridges: SDKs may report less often than a step is long. */
const shortGapMs = 15 * 60_000;

/** Returns the curve without the empty points of short gaps, so that the line bridges these gaps. */
export function overShortGaps(curve: readonly CurvePoint[]): CurvePoint[] {
  let before = Number.NEGATIVE_INFINITY;
  return curve.filter(({ at, value }, index) => {
    if (value !== null) before = at;
    if (value !== null) return true;
    const after = curve.slice(index).find((point) => point.value !== null)?.at ?? Number.POSITIVE_INFINITY;
    return after - before > shortGapMs;
  });
}

/** The names by which the server tells counters of the Prometheus server from gauges. */
const isExternalCounter = /_(total|count|sum|bucket)$/;

/** How the values of several steps are combined: added up, averaged over the time, or not at all. */
type Kind = 'count' | 'rate' | 'value';

function kindOf({ aggregationMode, source }: Pick<WatchedQuery, 'aggregationMode' | 'source'>, metricName = ''): Kind {
  if (source === 'external' ? !isExternalCounter.test(metricName) : metricName.startsWith('unleash_gauge_'))
    return 'value';
  if (aggregationMode === 'rps') return 'rate';
  return aggregationMode === 'count' || aggregationMode === 'sum' ? 'count' : 'value';
}

function startsOf({ start, end, step }: Steps): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((end - start) / step)) }, (_, index) => start + index * step);
}

/**
 * Returns the value for each step, by the start of the step. Steps whose minutes begin before the first step have no
 * value.
 */
function valuesOf(steps: Steps, seconds: number, kind: Kind): ReadonlyMap<number, number> {
  const { start: first, end, step, points } = steps;
  if (kind === 'value') return new Map(points);
  const count = Math.max(1, Math.round(seconds / step));
  const reported = new Map(points);
  const values = new Map<number, number>();
  for (const start of startsOf(steps).slice(count - 1)) {
    const length = (count - 1) * step + Math.min(step, end - start);
    let sum: number | undefined;
    for (let at = Math.max(first, start - (count - 1) * step); at <= start; at += step) {
      const value = reported.get(at);
      if (value !== undefined) sum = (sum ?? 0) + (kind === 'rate' ? value * Math.min(step, end - at) : value);
    }
    if (sum !== undefined) values.set(start, kind === 'rate' ? sum / length : sum * (seconds / length));
  }
  return values;
}
