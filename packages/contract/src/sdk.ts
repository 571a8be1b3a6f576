import { z } from 'zod';
import { arrayOf, recordOf } from './bounded-collections.ts';
import { impactMetricsReport } from './impact-metrics.ts';
import { defineRoutes, empty, ready } from './route.ts';
import { anyJson } from './scalars.ts';

const clientVariantSchema = z.object({
  name: z.string(),
  weight: z.number(),
  weightType: z.string().optional(),
  stickiness: z.string().optional(),
  payload: z.object({ type: z.string(), value: z.string() }).optional(),
  overrides: z.array(z.object({ contextName: z.string(), values: z.array(z.string()) })).optional(),
});

export const clientFeatureSchema = z.object({
  name: z.string(),
  type: z.string(),
  description: z.string().nullable(),
  project: z.string(),
  stale: z.boolean(),
  enabled: z.boolean(),
  impressionData: z.boolean(),
  strategies: z.array(
    z.object({
      name: z.string(),
      parameters: z.record(z.string(), z.string()),
      constraints: z.array(anyJson),
      variants: z.array(clientVariantSchema),
      segments: z.array(z.number().int()).optional(),
    }),
  ),
  variants: z.array(clientVariantSchema),
  dependencies: z
    .array(z.object({ feature: z.string(), enabled: z.boolean(), variants: z.array(z.string()).optional() }))
    .optional(),
});

const clientSegmentSchema = z.object({ id: z.number().int(), name: z.string(), constraints: z.array(anyJson) });

export const clientFeaturesSchema = z.object({
  version: z.literal(2),
  features: z.array(clientFeatureSchema),
  segments: z.array(clientSegmentSchema).optional(),
  query: z.object({
    environment: z.string(),
    project: z.array(z.string()).optional(),
    tag: z.array(z.tuple([z.string(), z.string()])).optional(),
    namePrefix: z.string().optional(),
    inlineSegmentConstraints: z.boolean(),
  }),
  meta: z.object({ revisionId: z.number().int(), etag: z.string(), queryHash: z.string() }),
});

const eventId = z.number().int();

/** The events of a delta. SDKs apply them in order. */
export const clientDeltaSchema = z.object({
  events: z.array(
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('hydration'),
        eventId,
        features: z.array(clientFeatureSchema),
        segments: z.array(clientSegmentSchema),
      }),
      z.object({ type: z.literal('feature-updated'), eventId, feature: clientFeatureSchema }),
      z.object({ type: z.literal('feature-removed'), eventId, featureName: z.string(), project: z.string() }),
      z.object({ type: z.literal('segment-updated'), eventId, segment: clientSegmentSchema }),
      z.object({ type: z.literal('segment-removed'), eventId, segmentId: z.number().int() }),
    ]),
  ),
});

/**
 * Returns the schema of a query parameter that may be given 100 times; it is parsed to a list without duplicates.
 * `message` says what each value must be.
 */
function several(item: z.ZodString, message: string) {
  return z
    .union([item.transform((value) => [value]), z.array(item).max(100)], message)
    .transform((values) => [...new Set(values)])
    .optional();
}

export const featuresQuery = z.object({
  tag: several(
    z
      .string()
      .max(300)
      .regex(/^[^:]+:.+$/s),
    'must have the form type:value, such as simple:checkout',
  ),
  project: several(z.string().regex(/^[A-Za-z0-9_~.-]{1,100}$/), 'must be the id of a project'),
  namePrefix: z.string().max(255).optional(),
  environment: z.string().max(100).optional(),
});

const maxName = 255;

/**
 * A name that SDKs report. Databases cannot store U+0000, which is refused, or lone surrogates, which are replaced: an
 * invalid name in one report must not make the write of many reports fail.
 */
const name = z
  .string()
  // One check instead of three: a report has hundreds of names, and every check allocates memory for each of them.
  .superRefine((value, context) => {
    const fault = faultOfName(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .overwrite((value) => value.toWellFormed())
  .meta({ minLength: 1, maxLength: maxName });

function faultOfName(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (value.length > maxName) return `must have at most ${maxName} characters`;
  return value.includes('\0') ? 'must not contain the character U+0000' : undefined;
}
/** The name of a reporting application. */
export const applicationName = name;
const instanceName = z
  .union([z.literal('').transform(() => 'default'), name])
  .nullish()
  .transform((value) => value ?? 'default');
const sdkVersion = name
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const count = z.number().int().min(0).max(2147483647);

/** A time reported by an SDK, in milliseconds. An invalid time becomes null, so that the counts are not lost. */
const time = z
  .unknown()
  .optional()
  .transform((value) => {
    const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? Math.trunc(ms) : null;
  });

const toggleCounts = z.object({
  yes: count.default(0),
  no: count.default(0),
  variants: recordOf(name, count, 500)
    .nullish()
    .transform((variants) => variants ?? {}),
});

const strategyNames = arrayOf(name, 500)
  .nullish()
  .transform((names) => [...new Set(names ?? [])]);

const bulkRegistration = z.object({
  appName: name,
  instanceId: instanceName,
  environment: name,
  sdkVersion,
  sdkType: z
    .enum(['frontend', 'backend'])
    .nullish()
    .transform((type) => type ?? 'backend'),
  started: time,
  strategies: strategyNames,
});

const bulkCount = toggleCounts.extend({ featureName: name, appName: name, environment: name, timestamp: time });

export const sdkRoutes = defineRoutes('SDK', {
  'GET /api/client/features': {
    access: 'backend',
    summary: 'Get the flags of the token’s environment and projects',
    description:
      'For SDKs. The filters narrow the scope of the token. Answers 304 while `If-None-Match` matches the current `ETag`, which is the same for every `Content-Encoding`. With `Unleash-Client-Spec` 4.2.0 or newer, strategies refer to segments by id and `segments` lists them. Without it, or when it is not a version, the constraints of segments are inlined in the strategies.',
    query: featuresQuery,
    answers: { 200: ready(clientFeaturesSchema), 304: empty },
  },
  'GET /api/client/delta': {
    access: 'backend',
    summary: 'Get the changes of the flags in the token’s scope',
    description:
      'For SDKs. Send the `ETag` of the last answer, which is the `eventId` of its last event, as `If-None-Match`. The answer has every flag and segment that changed since, once and in its current form; or it is 304. Without `If-None-Match`, or when it is unknown or too old, the answer is a single event of the type `hydration`, which replaces the whole state of the SDK. Segments are listed separately from strategies.',
    query: featuresQuery,
    answers: { 200: ready(clientDeltaSchema), 304: empty },
  },
  'GET /api/client/features/:featureName': {
    access: 'backend',
    summary: 'Get a flag in the token’s scope',
    params: z.object({ featureName: z.string() }),
    answers: { 200: ready(clientFeatureSchema) },
  },
  'POST /api/client/register': {
    access: 'backend',
    usageReport: true,
    summary: 'Register an SDK',
    description: 'Stored within seconds after the answer. The environment is that of the token.',
    body: z.object({
      appName: name,
      instanceId: instanceName,
      sdkVersion,
      started: time,
      strategies: strategyNames,
    }),
    answers: { 202: empty },
    emits: ['application-created'],
  },
  'POST /api/client/metrics': {
    access: 'backend',
    usageReport: true,
    summary: 'Report usage counts of an SDK',
    description:
      'Counts belong to the hour of `bucket.start`; of `bucket.stop` when the start is more than three days ago or invalid; or of the arrival when neither is a valid time or the clock of the SDK is ahead. They are dropped, and counted in the metric `usage_counts_dropped_total`, when both are more than three days ago. Stored within seconds after the answer. The environment is that of the token.',
    body: z.object({
      appName: name,
      instanceId: instanceName,
      sdkVersion,
      bucket: z.object({ start: time, stop: time, toggles: recordOf(name, toggleCounts, 5000) }).nullish(),
      impactMetrics: impactMetricsReport,
    }),
    answers: { 202: empty },
    emits: ['application-created'],
  },
  'POST /api/client/metrics/bulk': {
    access: 'backend',
    usageReport: true,
    summary: 'Report registrations and usage counts of several SDKs, for proxies',
    description:
      'Refused as a whole when any part is invalid. Entries of other environments than the token’s are ignored. Stored within seconds after the answer.',
    body: z.object({
      applications: arrayOf(bulkRegistration, 5000),
      metrics: arrayOf(bulkCount, 10_000),
      impactMetrics: impactMetricsReport,
    }),
    answers: { 202: empty },
    emits: ['application-created'],
  },
});
