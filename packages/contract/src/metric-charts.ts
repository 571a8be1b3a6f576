import { z } from 'zod';
import { inFlag } from './flags.ts';
import { metricQueryShape, metricSources, metricTypes } from './impact-metrics.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { filledText, nameParam, plainText } from './text.ts';

const yAxisMin = z
  .enum(['auto', 'zero'])
  .meta({ description: 'Where the value axis begins: at the lowest value, or at 0' });
const source = z.enum(metricSources).meta({ description: '`external`: the Prometheus server of the settings' });
const groupBy = filledText(255).nullable().meta({
  description:
    'A label: one line for each of its values, 20 at most. SDKs can label a metric with the name of a flag; then the lines are with and without the flag',
});
const title = plainText(255).meta({ description: 'When empty, the name of the metric is shown' });

/** A chart to save. A chart without an id is a new one. */
const metricChartBody = z.object({
  id: filledText(100).optional().meta({ description: 'Of the chart to change' }),
  ...metricQueryShape,
  title: title.default(''),
  yAxisMin,
  source: source.default('internal'),
  groupBy: groupBy.default(null),
});

/** A chart as events contain it. */
export const metricChartDataSchema = z.object({
  id: z.string(),
  ...metricQueryShape,
  title,
  yAxisMin,
  source,
  groupBy,
});

const metricChart = metricChartDataSchema.extend({
  type: z.enum([...metricTypes, 'unknown']).meta({ description: '`unknown`: its name does not tell' }),
  displayName: z.string().meta({ description: 'The name without `unleash_` and the type: as the SDK names it' }),
  step: z.enum(['1m', '15m', '3h', '1d']).meta({ description: 'The distance of two values' }),
});

const listed = {
  access: 'signed-in',
  answers: ok({ configs: z.array(metricChart) }),
} as const;
const saved = { body: metricChartBody, answers: { 200: json(metricChart) } } as const;
const ofFlag = { permission: 'UPDATE_FEATURE' } as const;
const ofInstance = { permission: 'ADMIN' } as const;
const saving = 'Without an `id` it adds a chart. The metric need not be reported yet.';

/** Charts of impact metrics of a flag, or of the whole instance. */
export const metricChartRoutes = defineRoutes('Impact metrics', {
  'GET /api/admin/projects/:projectId/features/:featureName/impact-metrics/config': {
    ...listed,
    summary: 'List the charts of a flag',
  },
  'POST /api/admin/projects/:projectId/features/:featureName/impact-metrics/config': {
    ...saved,
    access: ofFlag,
    summary: 'Save a chart of a flag, at most 20',
    description: saving,
    emits: ['impact-metric-created', 'impact-metric-updated'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/impact-metrics/config/:id': {
    access: ofFlag,
    summary: 'Delete a chart of a flag',
    params: inFlag.extend({ id: nameParam }),
    answers: { 204: empty },
    emits: ['impact-metric-deleted'],
  },
  'GET /api/admin/impact-metrics/config': {
    ...listed,
    summary: 'List the charts of the instance',
  },
  'POST /api/admin/impact-metrics/config': {
    ...saved,
    access: ofInstance,
    summary: 'Save a chart of the instance, at most 50',
    description: saving,
    errors: [404],
    emits: ['impact-metric-created', 'impact-metric-updated'],
  },
  'DELETE /api/admin/impact-metrics/config/:id': {
    access: ofInstance,
    summary: 'Delete a chart of the instance',
    params: z.object({ id: nameParam }),
    answers: { 204: empty },
    emits: ['impact-metric-deleted'],
  },
});

export type MetricChartBody = z.output<typeof metricChartBody>;
