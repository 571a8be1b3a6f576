import type { AggregationMode, MetricRange, MetricType } from '@yardarm/contract';
import type { Reader } from '#features/people/token-scopes/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { aggregate, requireMode } from './aggregate.ts';
import { type Labels, labelName } from './report.ts';
import { type Cell, listSeries, type StoredSeries, sumSamples } from './store.ts';

/** The label values that a query selects, by label name. An empty list selects all values. */
export type LabelSelectors = Readonly<Record<string, readonly string[]>>;

/** A query of a metric: its name, the labels that select its series, and how their values are aggregated. */
export interface MetricQuery {
  readonly metricName: string;
  readonly aggregationMode: AggregationMode;
  readonly labelSelectors: LabelSelectors;
}

/** A period that is divided into steps. Times are in milliseconds UTC; `to` is not included. */
export interface Period {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

export interface Curve {
  /** The label value of the curve, such as `{ appName: 'shop' }`; empty for all series together. */
  readonly metric: Labels;
  /** Start of the step in milliseconds UTC, and the value. Steps without samples are absent. */
  readonly points: readonly (readonly [number, number])[];
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The length of each range and of its steps, in milliseconds. */
const ranges: Readonly<Record<MetricRange, { readonly lengthMs: number; readonly stepMs: number }>> = {
  hour: { lengthMs: hourMs, stepMs: minuteMs },
  day: { lengthMs: dayMs, stepMs: 15 * minuteMs },
  week: { lengthMs: 7 * dayMs, stepMs: 3 * hourMs },
  month: { lengthMs: 30 * dayMs, stepMs: dayMs },
};

/** The maximum number of curves of a grouped query. */
export const maxGroups = 20;

/** Returns the steps of a range that ends with the last full minute before `now`. */
export function periodOf(range: MetricRange, now: number): Period {
  const { lengthMs, stepMs } = ranges[range];
  const to = Math.floor(now / minuteMs) * minuteMs;
  // Steps start at multiples of their length, so that a chart does not change its steps each minute.
  return { from: Math.floor((to - lengthMs) / stepMs) * stepMs, to, stepMs };
}

/**
 * Returns the values of a metric that a reader may read in steps, as one curve or one for each value of the label
 * `groupBy`. Rejects with 404 for an unknown metric, and with 400 for an aggregation that does not fit its type.
 */
export async function readCurves(
  db: Db,
  reader: Reader,
  query: MetricQuery,
  period: Period,
  groupBy?: string,
): Promise<{ readonly curves: readonly Curve[]; readonly series: readonly StoredSeries[] }> {
  const series = await listSeries(db, reader, query.metricName);
  const type = typeOf(series);
  if (type === undefined) throw new Problem('NotFoundError', `No SDK has reported the metric ${query.metricName}.`);
  requireMode(query.aggregationMode, type);
  const matching = series.filter(({ labels }) => matches(labels, query.labelSelectors));
  const curves: Curve[] = [];
  for (const [metric, group] of groups(matching, groupBy)) {
    const cells = await sumSamples(db, idsOf(group), period);
    curves.push({ metric, points: pointsOf(cells, query.aggregationMode, type, period) });
  }
  return { curves, series };
}

/**
 * Returns the value of a metric that a reader may read for a whole period. Returns undefined when there is no data: no
 * sample of the metric or, for an average, a percentile or a gauge, no sample with these labels. The value of a count
 * is 0 when the metric has samples, but none with these labels.
 */
export async function readValue(
  db: Db,
  reader: Reader,
  query: MetricQuery,
  { from, to }: Pick<Period, 'from' | 'to'>,
): Promise<number | undefined> {
  const series = await listSeries(db, reader, query.metricName);
  const type = typeOf(series);
  if (type === undefined || to <= from) return undefined;
  const period = { from, to, stepMs: to - from };
  const matching = series.filter(({ labels }) => matches(labels, query.labelSelectors));
  const cells = await sumSamples(db, idsOf(matching), period);
  const value = aggregate(cells, query.aggregationMode, type, (to - from) / 1000);
  if (value !== undefined || type === 'gauge' || !counting.has(query.aggregationMode)) return value;
  const others = await sumSamples(db, idsOf(series), period);
  return others.length === 0 ? undefined : 0;
}

const counting: ReadonlySet<AggregationMode> = new Set(['rps', 'count', 'sum']);

/** Returns the values of each label of series, at most 100 of each. */
export function labelsOf(series: readonly StoredSeries[]): Record<string, string[]> {
  const values = new Map<string, Set<string>>();
  for (const { labels } of series) {
    for (const [name, value] of Object.entries(labels)) {
      const known = values.get(name) ?? new Set();
      if (known.size < 100) values.set(name, known.add(value));
    }
  }
  return Object.fromEntries([...values].map(([name, known]) => [name, [...known].toSorted()]));
}

function typeOf(series: readonly StoredSeries[]): MetricType | undefined {
  return series[0]?.type;
}

function idsOf(series: readonly StoredSeries[]): string[] {
  return series.map(({ id }) => id);
}

function matches(labels: Labels, selectors: LabelSelectors): boolean {
  return Object.entries(selectors).every(
    ([name, values]) => values.length === 0 || values.includes(labels[labelName(name)] ?? ''),
  );
}

/** Groups series by a label. Leaves out series without the label. Returns one group when `label` is undefined. */
function groups(series: readonly StoredSeries[], label: string | undefined): (readonly [Labels, StoredSeries[]])[] {
  if (label === undefined) return [[{}, [...series]]];
  const name = labelName(label);
  const byValue = Map.groupBy(series, ({ labels }) => labels[name]);
  return [...byValue]
    .flatMap(([value, group]) => (value === undefined ? [] : [[{ [name]: value }, group] as const]))
    .slice(0, maxGroups);
}

function pointsOf(cells: readonly Cell[], mode: AggregationMode, type: MetricType, { to, stepMs }: Period) {
  const bySteps = Map.groupBy(cells, ({ at }) => at);
  return [...bySteps]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([at, parts]) => {
      const value = aggregate(parts, mode, type, (Math.min(at + stepMs, to) - at) / 1000);
      return value === undefined ? [] : [[at, value] as const];
    });
}
