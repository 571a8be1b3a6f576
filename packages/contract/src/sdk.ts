import { z } from 'zod';
import { arrayOf, recordOf } from './entries.ts';
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

/** What SDKs that follow changes take in, in this order. */
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

/** A parameter that may be repeated, as a list without repetitions. */
function several(item: z.ZodString) {
  return z
    .union([item.transform((one) => [one]), z.array(item).max(100)])
    .transform((values) => [...new Set(values)])
    .optional();
}

export const featuresQuery = z.object({
  tag: several(
    z
      .string()
      .max(300)
      .regex(/^\w+:.+$/s, 'must look like type:value'),
  ),
  project: several(z.string().regex(/^[A-Za-z0-9_~.-]{1,100}$/, 'must be the id of a project')),
  namePrefix: z.string().max(255).optional(),
  environment: z.string().max(100).optional(),
});

const maxName = 255;

/**
 * A name that SDKs report. Text that no database can keep is refused, or turned into what it would become there,
 * so that one report cannot spoil the others it is written with.
 */
const name = z
  .string()
  // One check and not three: a report has hundreds of names, and each check of each costs memory.
  .superRefine((value, context) => {
    const fault = faultOfName(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .overwrite((value) => value.toWellFormed())
  .meta({ minLength: 1, maxLength: maxName });

function faultOfName(value: string): string | undefined {
  if (value === '') return 'must not be empty';
  if (value.length > maxName) return `must have at most ${maxName} characters`;
  return value.includes('\0') ? 'must not hold the character U+0000' : undefined;
}
/** A name under which an application reports. */
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

/** A time as SDKs write it, in milliseconds; null when it is not one, which must not lose what was counted. */
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

const sdk = { tag: 'SDK', access: 'backend' } as const;

export const sdkRoutes = defineRoutes({
  'GET /api/client/features': {
    ...sdk,
    summary: 'Flags of the environment and projects that the token opens',
    description:
      'For SDKs. Filters narrow what the token opens. Answers 304 while `If-None-Match` names the current `ETag`; the tag is the same for every `Content-Encoding`. When `Unleash-Client-Spec` is 4.2.0 or newer, strategies name their segments and `segments` holds them; else, and when it is no version, the constraints of segments stand among those of the strategies.',
    query: featuresQuery,
    answers: { 200: ready(clientFeaturesSchema), 304: empty },
    errors: [],
    emits: [],
  },
  'GET /api/client/delta': {
    ...sdk,
    summary: 'What has changed of the flags that the token opens',
    description:
      'For SDKs. `If-None-Match` holds the `ETag` of the last answer, which is the `eventId` of its last event: the answer is what changed since, each flag and segment once, as it is now; or 304. Without it, with one that is not known here, or with one of too long ago, the answer is one event of the type `hydration`, which replaces all that the SDK has. Segments stand apart from strategies.',
    query: featuresQuery,
    answers: { 200: ready(clientDeltaSchema), 304: empty },
    errors: [],
    emits: [],
  },
  'GET /api/client/features/:featureName': {
    ...sdk,
    summary: 'One flag that the token opens',
    params: z.object({ featureName: z.string() }),
    answers: { 200: ready(clientFeatureSchema) },
    errors: [404],
    emits: [],
  },
  'POST /api/client/register': {
    ...sdk,
    summary: 'An SDK says that it has started',
    description: 'Written down within seconds, after the answer. The token decides the environment.',
    body: z.object({
      appName: name,
      instanceId: instanceName,
      sdkVersion,
      started: time,
      strategies: strategyNames,
    }),
    answers: { 202: empty },
    errors: [],
    emits: ['application-created'],
  },
  'POST /api/client/metrics': {
    ...sdk,
    summary: 'How often an SDK has evaluated flags',
    description:
      'Counted in the hour of `bucket.start`, or of `bucket.stop` when the start is more than three days ago or no time, or of the arrival when neither is a time. Dropped, and counted in the metric `usage_counts_dropped_total`, when both are more than three days ago or in the future. Written down within seconds, after the answer. The token decides the environment.',
    body: z.object({
      appName: name,
      instanceId: instanceName,
      sdkVersion,
      bucket: z.object({ start: time, stop: time, toggles: recordOf(name, toggleCounts, 5000) }).nullish(),
    }),
    answers: { 202: empty },
    errors: [],
    emits: ['application-created'],
  },
  'POST /api/client/metrics/bulk': {
    ...sdk,
    summary: 'What a proxy has gathered from the SDKs behind it: who they are, and how often they evaluated flags',
    description:
      'Taken as a whole or, when anything in it is not valid, not at all. What is said of another environment than that of the token is left out. Written down within seconds, after the answer.',
    body: z.object({
      applications: arrayOf(bulkRegistration, 5000),
      metrics: arrayOf(bulkCount, 10_000),
    }),
    answers: { 202: empty },
    errors: [],
    emits: ['application-created'],
  },
});
