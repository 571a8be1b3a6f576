import type { MetricChartBody, MetricRange, MetricType } from '@yardarm/contract';
import { typeOfName } from '#features/metrics/external-metrics/index.ts';

/** A chart of an impact metric. */
export interface MetricChart extends Omit<MetricChartBody, 'id'> {
  readonly id: string;
  /** The flag that the chart belongs to; null for a chart of the instance. */
  readonly featureName: string | null;
  readonly createdAt: number;
}

const reportedName = /^unleash_(counter|gauge|histogram)_(.+)$/;

const steps: Readonly<Record<MetricRange, '1m' | '15m' | '3h' | '1d'>> = {
  hour: '1m',
  day: '15m',
  week: '3h',
  month: '1d',
};

/** Returns a chart as the event log stores it. */
export function chartEventData({ featureName: _, createdAt: __, ...data }: MetricChart) {
  return data;
}

/** Returns a chart as answers contain it. */
export function presentChart(chart: MetricChart) {
  return {
    ...chartEventData(chart),
    type: typeOf(chart) ?? ('unknown' as const),
    displayName: (chart.source === 'internal' && reportedName.exec(chart.metricName)?.[2]) || chart.metricName,
    step: steps[chart.timeRange],
  };
}

/** Returns the type of a metric, derived from its name; undefined when the name does not tell the type. */
export function typeOf({ source, metricName }: Pick<MetricChart, 'source' | 'metricName'>): MetricType | undefined {
  if (source === 'external') return typeOfName(metricName);
  return reportedName.exec(metricName)?.[1] as MetricType | undefined;
}
