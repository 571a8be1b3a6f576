import { type MetricType, modesOfType } from '@yardarm/contract';
import { type QueryNow, requireLabel, toPromql, typeOfName } from '#features/metrics/external-metrics/index.ts';
import { type Curve, type MetricQuery, maxGroups, type Period } from './query.ts';
import { requireExternal } from './require-recent.ts';

/**
 * Returns the values of a metric of the Prometheus server in full steps, as one curve or one for each value of the
 * label `groupBy`. Rejects with 400 when the query is not valid or no server is set, and with 502 when the server gives
 * no answer.
 */
export async function readExternalCurves(
  queryNow: QueryNow,
  query: MetricQuery,
  period: Period,
  groupBy?: string,
): Promise<{ readonly curves: readonly Curve[]; readonly series: readonly [] }> {
  await requireExternal(query);
  if (groupBy !== undefined) requireLabel(groupBy, 'groupBy');
  const promql = toPromql(query, period.stepMs / 1000, groupBy);
  const curves = await queryNow((source) => source.curves(promql, period));
  const isFinitePoint = ([, value]: readonly [number, number]) => Number.isFinite(value);
  return {
    curves: curves
      .slice(0, maxGroups)
      .map(({ labels: metric, points }) => ({ metric, points: points.filter(isFinitePoint) })),
    series: [],
  };
}

/** Returns the metrics of the Prometheus server with their types, which are derived from the names of the metrics. */
export function externalMetrics(names: readonly string[]) {
  const histograms = names.flatMap((name) => (name.endsWith('_bucket') ? [name.slice(0, -'_bucket'.length)] : []));
  const parts = new Set(histograms.flatMap((name) => ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`)));
  const metrics = [
    ...histograms.map((name) => presentMetric(name, 'histogram')),
    ...names.filter((name) => !parts.has(name)).map((name) => presentMetric(name, typeOfName(name) ?? 'gauge')),
  ];
  return metrics.toSorted((a, b) => (a.metricName < b.metricName ? -1 : 1));
}

function presentMetric(metricName: string, type: MetricType) {
  return { metricName, type, help: '', aggregationModes: [...modesOfType[type]], labels: {} };
}
