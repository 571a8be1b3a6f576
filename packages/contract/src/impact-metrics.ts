import { z } from 'zod';
import { arrayOf, recordOf } from './bounded-collections.ts';
import { defineRoutes, ok, text } from './route.ts';

import { filledText, plainText } from './text.ts';

const longestName = 255;
/** The maximum numbers of metrics in a report, samples of a metric, labels of a sample and buckets of a histogram. */
const most = { metrics: 200, samples: 500, labels: 20, buckets: 64 } as const;

const name = filledText(longestName);
/** The greatest value of a sample: the sums of values must stay below the greatest number that a database holds. */
const greatest = 1e100;
export const sampleValue = z.number().min(-greatest).max(greatest);
const count = z.number().min(0).max(greatest);
const labels = recordOf(name, z.union([plainText(longestName), z.number()]), most.labels)
  .nullish()
  .transform((given) => given ?? {});

const bucket = z.object({ le: z.union([z.number(), z.literal('+Inf')]), count });

const metric = { name, help: plainText(1000) };

/**
 * The impact metrics in an SDK's report. Counters and histograms count since the previous report; gauges are current
 * values.
 */
export const impactMetricsReport = arrayOf(
  z.discriminatedUnion('type', [
    z.object({
      ...metric,
      type: z.literal('counter'),
      samples: arrayOf(z.object({ value: count, labels }), most.samples),
    }),
    z.object({
      ...metric,
      type: z.literal('gauge'),
      samples: arrayOf(z.object({ value: sampleValue, labels }), most.samples),
    }),
    z.object({
      ...metric,
      type: z.literal('histogram'),
      samples: arrayOf(
        z.object({ count, sum: sampleValue, buckets: arrayOf(bucket, most.buckets), labels }),
        most.samples,
      ),
    }),
  ]),
  most.metrics,
)
  .nullish()
  .transform((reported) => reported ?? []);

export const metricTypes = ['counter', 'gauge', 'histogram'] as const;
export const metricRanges = ['hour', 'day', 'week', 'month'] as const;
/** The sources of a metric: `internal` for reports of SDKs, `external` for the Prometheus server in the settings. */
export const metricSources = ['internal', 'external'] as const;
export const aggregationModes = ['rps', 'count', 'sum', 'avg', 'p50', 'p95', 'p99'] as const;

/** The aggregations that each type of metric allows, the most common first. */
export const modesOfType = {
  counter: ['count', 'rps', 'sum'],
  gauge: ['avg', 'sum'],
  histogram: ['p50', 'p95', 'p99', 'avg', 'rps', 'count', 'sum'],
} as const satisfies Record<(typeof metricTypes)[number], readonly (typeof aggregationModes)[number][]>;

const labelSelectors = recordOf(name, arrayOf(plainText(longestName), 100), most.labels);

/** The query of a metric, as safeguards and charts contain it. */
export const metricQueryShape = {
  metricName: filledText(longestName + 20).meta({ description: 'Such as unleash_counter_requests_total' }),
  timeRange: z.enum(metricRanges),
  aggregationMode: z.enum(aggregationModes),
  labelSelectors: labelSelectors.meta({ description: 'The values that count, for each label; all when empty' }),
};

const aggregation = z.enum(aggregationModes).meta({
  description:
    'For counters: `rps` (per second) and `count` or `sum` (added up). For gauges: `avg`, and `sum` over all series. For histograms: `p50`, `p95`, `p99` (estimated in their buckets), `avg`, `rps`, `count`, and `sum` of the observed values',
});

const point = z.tuple([z.number().meta({ description: 'Start of the step, in Unix seconds' }), z.number()]);

const ofProject = plainText(longestName).optional().meta({
  description:
    'A project: only what SDKs reported with tokens that hold it, as safeguards and gates of its flags read. Without it, what they reported with tokens that hold any project that the caller sees',
});

/** Impact metrics: numbers that SDKs report beside their usage. They are kept for a day, one value for each minute. */
export const impactMetricRoutes = defineRoutes('Impact metrics', {
  'GET /api/admin/impact-metrics': {
    summary: 'Query an impact metric',
    description:
      'One value per step: a minute for an hour, 15 minutes for a day, 3 hours for a week, a day for a month. Samples are kept for a day. A step without samples has no point. The minute in progress is left out.',
    access: 'signed-in',
    query: z.object({
      metricName: metricQueryShape.metricName,
      range: metricQueryShape.timeRange,
      aggregationMode: aggregation,
      labels: plainText(10_000)
        .optional()
        .meta({ description: 'JSON such as `{"environment":["production"]}`: the values that count, for each label' }),
      groupBy: name.optional().meta({ description: 'A label: one series for each of its values, 20 at most' }),
      mode: z
        .enum(['edit', 'display'])
        .default('edit')
        .meta({ description: '`edit` also returns the labels of the metric' }),
      source: z
        .enum(metricSources)
        .default('internal')
        .meta({ description: '`external`: the Prometheus server of the settings' }),
      project: ofProject,
    }),
    answers: ok({
      start: z.string().meta({ description: 'Unix seconds' }),
      end: z.string().meta({ description: 'Unix seconds' }),
      step: z.string().meta({ description: 'Seconds' }),
      series: z.array(z.object({ metric: z.record(z.string(), z.string()), data: z.array(point) })),
      labels: z.record(z.string(), z.array(z.string())).optional(),
    }),
    errors: [404, 502, 503],
  },
  'GET /api/admin/impact-metrics/names': {
    summary: 'List the impact metrics that SDKs reported, with their labels',
    description:
      'With `source=external`, those of the Prometheus server, without labels. It does not tell their types: names that end with `_total`, `_count`, `_sum` or `_bucket` are counters, those with a `_bucket` histograms, and others gauges.',
    access: 'signed-in',
    query: z.object({ source: z.enum(metricSources).default('internal'), project: ofProject }),
    answers: ok({
      metrics: z.array(
        z.object({
          metricName: z.string(),
          type: z.enum(metricTypes),
          help: z.string(),
          aggregationModes: z
            .array(z.enum(aggregationModes))
            .meta({ description: 'The aggregations that fit its type, the most usual first' }),
          labels: z.record(z.string(), z.array(z.string())).meta({ description: '100 values of each at most' }),
        }),
      ),
    }),
    errors: [404, 502, 503],
  },
  'GET /api/admin/impact-metrics/external-source': {
    summary: 'Show the Prometheus server of the settings',
    description: 'It is set by YARDARM_PROMETHEUS_URL, not by a route as in Unleash.',
    access: { permission: 'ADMIN' },
    answers: ok({
      enabled: z.boolean(),
      url: z.string().meta({ description: 'Without user name and password; empty when none is set' }),
    }),
  },
  'POST /api/admin/impact-metrics/external-source/validate': {
    summary: 'Ask the Prometheus server of the settings for the names of its metrics',
    description: 'Answers 200 in any case, with the names or with the error. A server in the request is not asked.',
    access: { permission: 'ADMIN' },
    answers: ok({ metricNames: z.array(z.string()).optional(), error: z.string().optional() }),
    emits: [],
  },
  'GET /internal-backstage/impact/metrics': {
    summary: 'Impact metrics in the text format of Prometheus',
    description:
      'Counters and histograms grow from their first report on, across restarts. Has the series of tokens that hold a project which the caller sees; those with the same labels are added up, and of gauges the newest counts. Needs a token, unlike Unleash’s.',
    access: 'signed-in',
    answers: { 200: text('text/plain; version=0.0.4; charset=utf-8') },
  },
});

/** Validates the parsed `labels` of a query. */
export const labelSelectorsSchema = labelSelectors;

export type ImpactMetricsReport = z.output<typeof impactMetricsReport>;
export type AggregationMode = (typeof aggregationModes)[number];
export type MetricType = (typeof metricTypes)[number];
export type MetricRange = (typeof metricRanges)[number];
