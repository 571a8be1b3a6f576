import { isDeepStrictEqual } from 'node:util';
import type { MetricChartBody } from '@yardarm/contract';
import { type Feature, recordFeatureEvents } from '#features/flags/feature/index.ts';
import { requireLabel, requireNames } from '#features/metrics/external-metrics/index.ts';
import { requireMode } from '#features/metrics/impact-metrics/index.ts';
import { Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { limitReached } from '#kernel/limits.ts';
import type { NewEvent, Tx } from '#storage/tx.ts';
import { chartEventData, type MetricChart, typeOf } from './chart.ts';
import * as store from './store.ts';

/** The maximum number of charts of a flag, and of the instance. */
const most = { flag: 20, instance: 50 } as const;

/**
 * Adds a chart, or changes the chart with the `id` when it is given. The chart is of the flag `feature`, or of the
 * instance when that is undefined. Rejects with 404 for an unknown id, and with 400 when the aggregation does not fit
 * the metric. Records no event when nothing changes.
 */
export async function saveChart(
  tx: Tx,
  feature: Feature | undefined,
  { id, title, ...drawn }: MetricChartBody,
): Promise<MetricChart> {
  requireReadable(drawn);
  const charts = await store.chartsOf(tx.db, feature?.name ?? null);
  const before = id === undefined ? undefined : require(charts, id, feature);
  const limit = feature === undefined ? most.instance : most.flag;
  if (before === undefined && charts.length >= limit)
    throw limitReached(limit, feature === undefined ? 'charts of the instance' : `charts of the flag ${feature.name}`);
  const after: MetricChart = {
    ...drawn,
    id: before?.id ?? newId(),
    title: title.trim(),
    featureName: feature?.name ?? null,
    createdAt: before?.createdAt ?? tx.now,
  };
  const data = chartEventData(after);
  if (before === undefined) {
    await store.insertChart(tx, after);
    await record(tx, feature, { type: 'impact-metric-created', data });
    return after;
  }
  const preData = chartEventData(before);
  if (isDeepStrictEqual(data, preData)) return before;
  await store.updateChart(tx, after);
  await record(tx, feature, { type: 'impact-metric-updated', preData, data });
  return after;
}

/** Deletes a chart of `feature`, or of the instance when that is undefined. Rejects with 404 for an unknown id. */
export async function removeChart(tx: Tx, feature: Feature | undefined, id: string): Promise<void> {
  const chart = require(await store.chartsOf(tx.db, feature?.name ?? null), id, feature);
  await store.deleteChart(tx, id);
  await record(tx, feature, { type: 'impact-metric-deleted', preData: chartEventData(chart) });
}

/** Rejects with 400 when the aggregation does not fit the metric, or when Prometheus would not allow a name. */
function requireReadable(drawn: Omit<MetricChartBody, 'id' | 'title'>): void {
  if (drawn.source === 'external') {
    requireNames(drawn);
    if (drawn.groupBy !== null) requireLabel(drawn.groupBy, 'groupBy');
  }
  const type = typeOf(drawn);
  if (type !== undefined) requireMode(drawn.aggregationMode, type);
}

function require(charts: readonly MetricChart[], id: string, feature: Feature | undefined): MetricChart {
  const chart = charts.find((candidate) => candidate.id === id);
  if (chart !== undefined) return chart;
  const owner = feature === undefined ? 'instance' : `flag ${feature.name}`;
  throw new Problem('NotFoundError', `The ${owner} has no chart ${id}.`);
}

async function record(
  tx: Tx,
  feature: Feature | undefined,
  event: Pick<NewEvent, 'type' | 'data' | 'preData'>,
): Promise<void> {
  if (feature === undefined) tx.record(event);
  else await recordFeatureEvents(tx, [{ feature, event }]);
}
