import type { AggregationMode, MetricType } from '@yardarm/contract';
import { badField } from '#kernel/errors.ts';

/** A query of a Prometheus server: a metric, the labels that select its series, and how the series are aggregated. */
export interface ExternalQuery {
  readonly metricName: string;
  readonly aggregationMode: AggregationMode;
  /** The values that each label may have; any value when the list is empty. */
  readonly labelSelectors: Readonly<Record<string, readonly string[]>>;
}

const metricNames = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelNames = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Rejects with 400 a metric or label name that is not valid in Prometheus. */
export function requireNames({ metricName, labelSelectors }: Omit<ExternalQuery, 'aggregationMode'>): void {
  if (!metricNames.test(metricName))
    throw badField('metricName', 'must be a name of letters, digits, _ and :, such as http_requests_total');
  for (const name of Object.keys(labelSelectors)) requireLabel(name, `labelSelectors.${name}`);
}

/** Rejects with 400 a label name that is not valid in Prometheus. */
export function requireLabel(name: string, path: string): void {
  if (!labelNames.test(name)) throw badField(path, 'must be a label of letters, digits and _');
}

/**
 * Returns the type of a metric by its name. Counters end with `_total`, `_count`, `_sum` or `_bucket`, and metrics of
 * SDKs begin with their type, as in `unleash_counter_requests`. Undefined for other names.
 */
export function typeOfName(metricName: string): MetricType | undefined {
  const [, type] = /^unleash_(counter|gauge)_/.exec(metricName) ?? [];
  if (type !== undefined) return type as MetricType;
  return /_(?:total|count|sum|bucket)$/.test(metricName) ? 'counter' : undefined;
}

/** Returns whether a query counts occurrences, so that an answer without series can mean zero. */
export function isCount({ metricName, aggregationMode: mode }: ExternalQuery): boolean {
  return mode === 'rps' || mode === 'count' || (mode === 'sum' && typeOfName(metricName) === 'counter');
}

/**
 * Returns the PromQL of a query for the `seconds` before the time at which it is evaluated. The result has one series,
 * or with `by` one for each value of this label. If the name does not say that the metric is a counter, the metric is
 * read as a gauge, or as a histogram if the server has its `_count`, `_sum` and `_bucket`.
 */
export function toPromql(
  { metricName, aggregationMode: mode, labelSelectors }: ExternalQuery,
  seconds: number,
  by?: string,
) {
  const selectors = selectorsOf(labelSelectors);
  const part = (ending: string) => `${metricName}${ending}${selectors}[${seconds}s]`;
  const group = by === undefined ? '' : ` by (${by}) `;
  const sum = (of: string, ending = '') => `sum${group}(${of}(${part(ending)}))`;
  const isCounter = typeOfName(metricName) === 'counter';
  if (mode === 'rps' || mode === 'count') {
    const rise = mode === 'rps' ? 'rate' : 'increase';
    return isCounter ? sum(rise) : `${sum(rise)} or ${sum(rise, '_count')}`;
  }
  if (mode === 'sum') return isCounter ? sum('increase') : `${sum('avg_over_time')} or ${sum('increase', '_sum')}`;
  if (mode === 'avg')
    return `${sum('sum_over_time')} / ${sum('count_over_time')} or ${sum('increase', '_sum')} / ${sum('increase', '_count')}`;
  const labels = by === undefined ? 'le' : `le, ${by}`;
  return `histogram_quantile(${quantiles[mode]}, sum by (${labels}) (rate(${part('_bucket')})))`;
}

const quantiles = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** Returns the selectors of labels: `{job="shop",code=~"500|503"}`; empty without any. */
function selectorsOf(selectors: ExternalQuery['labelSelectors']): string {
  const matchers = Object.entries(selectors).flatMap(([label, values]) => {
    const [first, ...others] = values;
    if (first === undefined) return [];
    if (others.length === 0) return `${label}=${quoted(first)}`;
    return `${label}=~${quoted(values.map(escapePattern).join('|'))}`;
  });
  return matchers.length === 0 ? '' : `{${matchers.join(',')}}`;
}

/** Escapes the special characters of RE2 patterns. */
function escapePattern(value: string): string {
  return value.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}

/** Returns a PromQL string literal, with quotes, backslashes and line breaks escaped. */
function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}
