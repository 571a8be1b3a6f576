import type { MetricSource, Safeguard } from './safeguard-queries.ts';

type Query = Omit<Safeguard['impactMetric'], 'id'>;
export type Mode = Query['aggregationMode'];

/** The values of a form for a metric and its threshold. */
export interface MetricInput {
  readonly source: MetricSource;
  readonly metric: string;
  readonly mode: Mode;
  readonly dividedBy: string;
  /**
   * Labels on the Prometheus server, such as `job=shop`: those of the metric, and those of the metric that it is
   * divided by.
   */
  readonly labels: readonly string[];
  readonly dividedByLabels: readonly string[];
  readonly minutes: number | string;
  readonly operator: '>' | '<';
  readonly threshold: number | string;
  /** The stored query, with parts that the form does not edit. */
  readonly stored?: Query;
}

export const noMetric: MetricInput = {
  source: 'internal',
  metric: '',
  mode: 'count',
  dividedBy: '',
  labels: [],
  dividedByLabels: [],
  minutes: 5,
  operator: '>',
  threshold: '',
};

/**
 * Returns the stored query, whose parts are kept while the metric is the same; undefined when the user has chosen
 * another metric.
 */
export function keptQuery({ stored, source, metric }: MetricInput): Query | undefined {
  return stored?.metricName === metric && (stored.source ?? 'internal') === source ? stored : undefined;
}

/** Returns the values of the form for a metric and its threshold. */
export function metricInputOf(query: Query, { operator, threshold }: Safeguard['triggerCondition']): MetricInput {
  const { source = 'internal', metricName, aggregationMode, dividedBy, minutes = '', labelSelectors } = query;
  const isExternal = source === 'external';
  return {
    source,
    metric: metricName,
    mode: aggregationMode,
    dividedBy: dividedBy?.metricName ?? '',
    labels: isExternal ? toLabels(labelSelectors) : [],
    dividedByLabels: isExternal && dividedBy !== undefined ? toLabels(dividedBy.labelSelectors) : [],
    minutes,
    operator,
    threshold,
    stored: query,
  };
}

/** Returns the errors of missing and invalid fields, by field; null without errors. */
export function problemsOf(input: MetricInput): Readonly<Record<string, string>> | null {
  const { metric, minutes, threshold } = input;
  const kept = keptQuery(input);
  // A stored query without minutes is valid: it reads its whole time range.
  const needsMinutes = kept === undefined || kept.minutes !== undefined;
  const problems = {
    ...(input.labels.every(isLabel) ? {} : { labels: wrongLabel }),
    ...(input.dividedByLabels.every(isLabel) ? {} : { dividedByLabels: wrongLabel }),
    ...(metric === '' ? { metric: 'Choose a metric.' } : {}),
    ...(minutes === '' && needsMinutes ? { minutes: 'Must be a number of minutes.' } : {}),
    ...(threshold === '' ? { threshold: 'Must be a number.' } : {}),
  };
  return Object.keys(problems).length === 0 ? null : problems;
}

const wrongLabel = 'Must be a name, = and a value, such as job=shop.';

function isLabel(text: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*=/.test(text);
}

/** Returns labels in the format of the form: `job=shop`. */
function toLabels(selectors: Query['labelSelectors']): string[] {
  return Object.entries(selectors).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
}

/** Returns labels such as `job=shop` in the format of requests. Several values of one label are alternatives. */
function toSelectors(labels: readonly string[]): Record<string, string[]> {
  const selectors: Record<string, string[]> = {};
  for (const label of labels.filter(isLabel)) {
    const [name, value] = [label.slice(0, label.indexOf('=')), label.slice(label.indexOf('=') + 1)];
    selectors[name] = [...(selectors[name] ?? []), value];
  }
  return selectors;
}

/**
 * Returns the labels of a metric: for Prometheus those of the form; for SDKs those of the stored query, or else the
 * environment.
 */
export function selectorsOf(input: MetricInput, labels: readonly string[], environment: string) {
  if (input.source === 'external') return toSelectors(labels);
  return keptQuery(input)?.labelSelectors ?? { environment: [environment] };
}

/** Returns the metric and its threshold in the format of requests. A metric of SDKs is read in this environment. */
export function toMetric(input: MetricInput, environment: string) {
  const { source, metric, mode, minutes, operator, threshold } = input;
  const { minutes: _, dividedBy: __, ...kept } = keptQuery(input) ?? { timeRange: 'hour' as const };
  const dividedBy = toDivisor(input, environment);
  return {
    impactMetric: {
      ...kept,
      ...(source === 'internal' ? {} : { source }),
      metricName: metric,
      aggregationMode: mode,
      labelSelectors: selectorsOf(input, input.labels, environment),
      ...(minutes === '' ? {} : { minutes: Number(minutes) }),
      ...(dividedBy === undefined ? {} : { dividedBy }),
    },
    condition: { operator, threshold: Number(threshold) },
  };
}

function toDivisor(input: MetricInput, environment: string): Query['dividedBy'] {
  const { source, dividedBy, dividedByLabels } = input;
  if (dividedBy === '') return undefined;
  const stored = keptQuery(input)?.dividedBy;
  if (source === 'internal' && stored?.metricName === dividedBy) return stored;
  return { metricName: dividedBy, labelSelectors: selectorsOf(input, dividedByLabels, environment) };
}
