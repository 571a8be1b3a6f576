import { z } from 'zod';
import { apiTokenTypes } from './api-tokens.ts';
import { arrayOf, recordOf } from './bounded-collections.ts';
import { metricTypes, sampleValue } from './impact-metrics.ts';
import { defineRoutes, empty, events } from './route.ts';
import { applicationName } from './sdk.ts';
import { plainText } from './text.ts';

/**
 * The version of the replication protocol. Increase it when a replica of the version before would misread a message.
 * New members do not need it: a replica ignores those that it does not know.
 */
export const replicationProtocol = 1;

const id = z.number().int();
const projects = z.array(z.string());
/** The last event that changed the answers of an environment; null for all environments. */
const advance = z.object({ id, environment: z.string().nullable() });
const change = z.object({
  id,
  environment: z.string().nullable().meta({ description: 'Null for all environments' }),
  flags: z
    .array(z.tuple([z.string(), projects]))
    .nullable()
    .meta({ description: 'The changed flags with the projects that they are and were in; null for any flag' }),
  mayAddSegments: z.boolean(),
  segment: z.object({ id, isDeleted: z.boolean() }).nullable(),
});
const batches = z.array(z.array(change)).meta({ description: 'The changes of each commit, oldest first' });
const strategy = z.object({
  id: z.string(),
  title: z.string().nullable(),
  disabled: z.boolean(),
  name: z.string(),
  parametersJson: z.string(),
  constraintsJson: z.string(),
  variantsJson: z.string(),
  segments: z.array(id),
});
const dependency = z.object({ parent: z.string(), enabled: z.boolean(), variants: z.array(z.string()) });
const feature = z.looseObject({
  name: z.string(),
  project: z.string(),
  environments: z.array(
    z.object({
      environment: z.string(),
      enabled: z.boolean(),
      strategies: z.array(strategy),
      variantsJson: z.string(),
    }),
  ),
  dependency: dependency.nullable(),
});
const content = {
  revisions: z.array(advance),
  flags: z.array(z.object({ feature, tags: z.array(z.string()).meta({ description: '`type:value`' }) })),
  segments: z.array(z.object({ id, name: z.string(), constraintsJson: z.string() })),
};
const token = z.object({
  id,
  name: z.string(),
  type: z.enum(apiTokenTypes),
  environment: z.string(),
  projects,
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  secretHash: z.string().meta({ description: 'The SHA-256 of the secret' }),
});
const settings = z.object({ frontendApiOrigins: z.array(z.string()) });

/** Everything that a replica serves. */
export const replicaStateSchema = z.object({
  protocol: z.number().int(),
  version: z.string().meta({ description: 'The version of the server' }),
  epoch: z.string(),
  id: id.meta({ description: 'The event up to which the state is complete' }),
  ...content,
  log: z.object({ start: id, revisionsAtStart: z.array(advance), floor: id, batches }),
  tokens: z.array(token),
  settings,
});

/** The changes since the message before. */
export const replicaUpdateSchema = z.object({
  id,
  ...content,
  batches,
  names: z.array(z.string()).nullable().meta({ description: 'The flags that are replaced; null for all' }),
  tokens: z.array(token).optional().meta({ description: 'All tokens, when one has changed' }),
  settings: settings.optional(),
  endStreams: z.literal(true).optional().meta({ description: 'All streams to SDKs end; the SDKs reconnect' }),
});

const count = z.number().int().min(0);
/** A time in milliseconds UTC. */
const time = z.number().int().min(0).max(8.64e15);
/** The environment and the projects of the token with which SDKs reported to the replica. */
const place = { environment: applicationName, projects: arrayOf(applicationName, 500) };

/** The reports of SDKs to a replica since its report before. */
export const replicaReportSchema = z.object({
  replica: z.uuid().meta({ description: 'Made by the replica when it starts' }),
  sequence: z.number().int().min(1).meta({
    description:
      'Counts the reports of the replica. A report whose number is not higher than that of one before is ignored',
  }),
  instances: z
    .array(
      z.object({
        ...place,
        appName: applicationName,
        instanceId: applicationName.nullable(),
        sdkVersion: applicationName.nullable(),
        sdkType: z.enum(['backend', 'frontend']),
        startedAt: time.nullable(),
        strategies: arrayOf(applicationName, 500).nullable(),
        seenAt: time,
        address: applicationName.nullable(),
      }),
    )
    .max(10_000),
  counts: z
    .array(
      z.object({
        ...place,
        featureName: applicationName,
        appName: applicationName,
        hour: time.meta({ description: 'The start of the hour of the evaluations' }),
        yes: count,
        no: count,
        variants: recordOf(applicationName, count, 500),
      }),
    )
    .max(10_000),
  samples: z
    .array(
      z.object({
        ...place,
        metricName: z
          .string()
          .max(300)
          .regex(/^unleash_(counter|gauge|histogram)_[\w:]*$/, 'must be a name such as unleash_counter_errors'),
        type: z.enum(metricTypes),
        help: plainText(2000),
        part: plainText(100).meta({ description: 'Of a histogram: `count`, `sum` or the limit of a bucket' }),
        labels: recordOf(applicationName, plainText(255), 100),
        minute: time,
        value: sampleValue,
      }),
    )
    .max(10_000),
  tokens: z.array(id).max(10_000).meta({ description: 'The tokens with which SDKs have asked' }),
});

export type ReplicaReport = z.output<typeof replicaReportSchema>;

export type ReplicaState = z.output<typeof replicaStateSchema>;
export type ReplicaUpdate = z.output<typeof replicaUpdateSchema>;

export const replicationRoutes = defineRoutes('Replicas', {
  'GET /api/replica/stream': {
    access: 'replica',
    summary: 'Stream the flags, segments and tokens in the scope of a replica, and then each change',
    description:
      'Server-sent events for `yardarm replica`. The first message is `state`; with `Last-Event-ID` it is an `update` with all changes since, if they are still known. Each following message is an `update`. Nothing outside the scope of the token is sent. Tokens come as digests of their secrets. A replica ignores members that it does not know.',
    query: z.object({
      protocol: z.coerce
        .number()
        .int()
        .meta({ description: `The version of the protocol that the replica reads: ${replicationProtocol}` }),
    }),
    answers: { 200: events(z.union([replicaStateSchema, replicaUpdateSchema])) },
    errors: [429],
    secrets: true,
  },
  'POST /api/replica/reports': {
    access: 'replica',
    usageReport: true,
    summary: 'Report what SDKs have reported to a replica, added up',
    description:
      'Counted once, however often it is sent: the replica sends the same number again when it has got no answer. What the SDKs sent counts as if they had sent it to the server. Answers 400, and counts nothing, when something is outside the scope of the token.',
    body: replicaReportSchema,
    answers: { 202: empty },
    emits: ['application-created'],
  },
});
