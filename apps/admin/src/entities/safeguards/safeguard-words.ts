import type { Safeguard } from './safeguard-queries.ts';

type Mode = Safeguard['impactMetric']['aggregationMode'];

/** The names of the ways to aggregate a metric. */
export const modeWords: Readonly<Record<Mode, string>> = {
  count: 'Count',
  sum: 'Sum',
  rps: 'Per second',
  avg: 'Average',
  p50: 'Median (p50)',
  p95: '95th percentile (p95)',
  p99: '99th percentile (p99)',
};

/**
 * Returns the metric of a safeguard, its threshold and its effect, such as "errors (count, last 5 min) above 9: halts
 * the plan".
 */
export function describeSafeguard({ impactMetric, triggerCondition, action }: Safeguard): string {
  return `${describeMetric(impactMetric, triggerCondition)}: ${effectOf(action)}`;
}

function effectOf(action: Safeguard['action']): string {
  if (action.type === 'disableFeatureEnvironment') return 'switches the flag off';
  return action.type === 'holdFeature' ? `holds the flag ${heldAtWords(action.holdAt)}` : 'halts the plan';
}

/** Returns how a flag is held: "off", "at the milestone before", "at the milestone Staff". */
export function heldAtWords(holdAt: string): string {
  if (holdAt === 'off') return 'off';
  if (holdAt === 'previous') return 'at the milestone before';
  return holdAt === 'first' ? 'at the first milestone' : `at the milestone ${holdAt}`;
}

/** Returns a metric and its threshold, such as "errors (count, last 5 min) above 9". */
export function describeMetric(
  { metricName, dividedBy, aggregationMode, minutes, timeRange, source }: Omit<Safeguard['impactMetric'], 'id'>,
  { operator, threshold }: Safeguard['triggerCondition'],
): string {
  const metric = dividedBy === undefined ? metricName : `${metricName} / ${dividedBy.metricName}`;
  const time = minutes === undefined ? `last ${timeRange}` : `last ${minutes} min`;
  const side = operator === '>' ? 'above' : 'below';
  const from = source === 'external' ? ', from Prometheus' : '';
  return `${metric} (${modeWords[aggregationMode].toLowerCase()}, ${time}${from}) ${side} ${threshold}`;
}

/** Returns the values of labels for which a metric is read, such as "Reads environment = production." */
export function describeLabels(labels: Safeguard['impactMetric']['labelSelectors']): string {
  const read = Object.entries(labels).map(([label, values]) => `${label} = ${values.join(' or ')}`);
  return read.length === 0 ? 'Reads all labels.' : `Reads ${read.join(', ')}.`;
}

/** Returns the state of a safeguard in words. */
export function describeStatus({ status, action }: Safeguard): string {
  const already = {
    disableFeatureEnvironment: 'the flag is off already, or automation is overridden',
    pauseReleasePlanProgressions: 'the plan is paused already',
    holdFeature: 'automation is overridden, or the plan is in shadow mode',
  }[action.type];
  if (status.reason !== null) return status.reason;
  switch (status.state) {
    case 'no-data':
      if (status.lookedAt === null) return 'Not looked at yet';
      return action.type === 'disableFeatureEnvironment'
        ? 'No data: does nothing'
        : 'No data: the plan starts no milestone without a value';
    case 'within':
      return `Now ${shortNumber(status.value)}`;
    case 'crossed':
      return `Now ${shortNumber(status.value)}, beyond the threshold; ${already}`;
    case 'triggered':
      return `Triggered. Now ${shortNumber(status.value)}; ${action.type === 'holdFeature' ? 'released' : 'ready again'} once it is back`;
  }
}

/** Returns a number with four significant digits, at most six of them decimals: "12.35", "0.0123". */
export function shortNumber(value: number | null): string {
  return value === null ? '–' : Number(value.toPrecision(4)).toLocaleString('en', { maximumFractionDigits: 6 });
}
