import { z } from 'zod';
import { defineRoutes, ok } from './route.ts';
import { plainText } from './text.ts';

/** The kinds of senders that a signal endpoint knows. */
export const signalSourceNames = [
  'generic',
  'alertmanager',
  'grafana',
  'datadog',
  'pagerduty',
  'sentry',
  'newrelic',
  'honeycomb',
  'checkly',
  'better-stack',
  'uptime-kuma',
  'github',
  'gitlab',
  'argo-cd',
  'argo-rollouts',
  'flagger',
  'kubernetes-events',
  'sns',
  'slack',
  'standard-webhooks',
  'cloudevents',
] as const;
export type SignalSourceName = (typeof signalSourceNames)[number];
/** The kind of sender of an endpoint. */
export const signalSourceName = z.enum(signalSourceNames);

/** How a sender proves that it may send: with a secret in a place of the request, or by signing the body. */
export const signalAuthentications = ['bearer', 'basic', 'header', 'path', 'signature'] as const;
export type SignalAuthentication = (typeof signalAuthentications)[number];
/** The authentication of a signal token. */
export const signalAuthentication = z.enum(signalAuthentications);

/** Why requests to a signal endpoint were refused: administrators see it, senders only the status. */
export const refusalReasons = [
  'no credentials',
  'unknown token',
  'token expired',
  'no signature',
  'wrong signature',
  'expired',
  'wrong topic',
  'no certificate',
  'disabled',
  'rate limit',
  'too large',
  'wrong media type',
  'invalid body',
  'reused key',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** The states that a signal can report, in the same words for every sender. */
export const signalStates = ['firing', 'resolved', 'pending', 'succeeded', 'failed'] as const;
export type SignalState = (typeof signalStates)[number];

const recognised = z.object({
  state: z.enum(signalStates).nullable(),
  title: z.string().nullable(),
  severity: z.string().nullable(),
  fingerprint: z.string().nullable().meta({ description: 'Identifies the alert over its whole life' }),
  formerFingerprint: z
    .string()
    .nullable()
    .optional()
    .meta({ description: 'The fingerprint in earlier versions, if it was another one: its holds are released too' }),
  startedAt: z.iso.datetime().nullable(),
  occurredAt: z.iso
    .datetime()
    .nullable()
    .optional()
    .meta({ description: 'The time that orders the reports about the alert; null when the sender reports none' }),
  link: z.string().nullable(),
});
/** The fields that the source of an endpoint recognises in a signal. */
export const normalizedSignalSchema = recognised.extend({
  sender: z.string().optional().meta({ description: 'The sender, where the endpoint tells several apart' }),
  truncatedAlerts: z.number().int().optional().meta({
    description: 'The number of alerts that the sender left out, if any, such as `max_alerts` of Alertmanager',
  }),
  elements: z.array(recognised).meta({
    description: 'The parts of a signal with several alerts, also those beyond the `maxElements` of the endpoint',
  }),
});
export type RecognisedFields = z.infer<typeof recognised>;
export type NormalizedSignal = z.infer<typeof normalizedSignalSchema>;

const path = plainText(500).min(1);
const ownPaths = z.object({
  state: path.optional(),
  title: path.optional(),
  severity: path.optional(),
  fingerprint: path.optional(),
  startedAt: path.optional(),
  link: path.optional(),
});
/** The paths that the owner of a generic endpoint sets, such as `alert.labels.severity`. */
export const ownFieldsSchema = ownPaths.extend({
  deliveryId: path.optional().meta({ description: 'An id that repetitions of a request share' }),
  elements: ownPaths
    .extend({ path })
    .optional()
    .meta({ description: 'An array of alerts, and the paths within each element' }),
});
export type OwnFields = z.infer<typeof ownFieldsSchema>;

/** The greatest number of paths whose values an endpoint drops, and of those that it hashes. */
const maxRedactedPaths = 20;
/** The paths whose values an endpoint drops or hashes before it stores a signal. */
export const redactedPathsSchema = z.array(path).max(maxRedactedPaths);

/** The limits that apply to endpoints of a source when the owner sets none. */
const proposedLimitsSchema = z.object({
  burst: z.number().int(),
  maxElements: z.number().int().optional().meta({ description: 'Absent: 100' }),
  maxBodyBytes: z.number().int().optional().meta({ description: 'Absent: as the setting says' }),
  why: z.string().meta({ description: 'Why this sender needs it' }),
});

const sourceSchema = z.object({
  name: signalSourceName,
  displayName: z.string(),
  documentationUrl: z.string().nullable(),
  authentication: z.array(signalAuthentication).meta({ description: 'The first is the best one of this sender' }),
  header: z.string().nullable().meta({ description: 'The header in which this sender sends a secret' }),
  secretLabel: z.string().nullable().meta({
    description:
      'For `signature`: what must be given as `secret` of a token; null: a shared secret, which the server can create',
  }),
  limits: proposedLimitsSchema.nullable(),
  repeat: z
    .object({ minutes: z.number().int(), setting: z.string() })
    .nullable()
    .meta({ description: 'How often this sender repeats an alert that still fires, by default, and its setting' }),
  sample: z
    .object({ firing: z.record(z.string(), z.unknown()), resolved: z.record(z.string(), z.unknown()) })
    .nullable()
    .meta({
      description:
        'An alert of this sender and its end, to try an endpoint with: `{startedAt}` and `{now}` stand for times, `{id}` for a unique id',
    }),
  setup: z
    .object({
      where: z.string(),
      values: z.array(z.object({ label: z.string(), value: z.string() })),
      code: z.string().nullable(),
    })
    .meta({ description: 'How to set up the sender: `{url}` and `{secret}` stand for those of the endpoint' }),
});

export const signalSourceRoutes = defineRoutes('Signals', {
  'GET /api/admin/signal-sources': {
    summary: 'List the kinds of senders that signal endpoints know',
    access: { permission: 'ADMIN' },
    answers: ok({ signalSources: z.array(sourceSchema) }),
  },
});
