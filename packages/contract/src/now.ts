import { z } from 'zod';
import { overrideSchema } from './automation-overrides.ts';
import { blockedSchema } from './blocked-actions.ts';
import { changeRequestStates } from './change-requests.ts';
import { endpointRules } from './endpoint-rules.ts';
import { eventTypes } from './event-types.ts';
import { holdEffects } from './hold.ts';
import { heldSchema } from './holds.ts';
import { defineRoutes, ok } from './route.ts';
import { safeguardDataSchema } from './safeguards.ts';
import { dateTime, id } from './scalars.ts';
import { refusalReasons, signalStates } from './signal-sources.ts';

/** The steps from a signal to a stream that the loop probe takes, in order. */
export const loopSteps = ['ingest', 'matching', 'stream'] as const;

/** The number of rows of a list that the Now page has at most. A list of this length may have left out others. */
export const nowLimits = {
  undecided: 50,
  runs: 25,
  refusals: 25,
  blocked: 25,
  safeguardsWithoutData: 25,
  waitingForMe: 25,
  scheduled: 25,
} as const;

const loopSchema = z.object({
  passedAt: dateTime.nullable().meta({ description: 'When a probe last came through; null before the first' }),
  tookMs: z.number().nullable().meta({ description: 'How long that probe took' }),
  stoppedAt: z.enum(loopSteps).nullable().meta({
    description: 'The step at which the latest probe failed; null when it came through',
  }),
  halted: z.string().nullable().meta({ description: 'Why actions were halted when a probe last came through' }),
});

const runSchema = z.object({
  id,
  project: z.string(),
  actionSetId: id,
  name: z.string(),
  state: z.enum(['waiting', 'failed', 'skipped']),
  reason: z.string().nullable(),
  signalId: z.number().int(),
  createdAt: dateTime,
  count: z.number().int().meta({ description: 'The runs of the set in this state in the last day, at most 1,000' }),
});

const undecidedSchema = z.object({
  runId: id,
  project: z.string(),
  actionSetId: id,
  name: z.string().meta({ description: 'The name of the action set' }),
  reason: z.string().nullable(),
  holds: z.array(
    z.object({
      featureName: z.string(),
      environment: z.string(),
      effect: z.enum(holdEffects),
      rollout: z.number().int().nullable(),
    }),
  ),
  title: z.string().nullable().meta({ description: 'The title of the alert; null for callers without READ_SIGNALS' }),
  since: dateTime.meta({ description: 'When the alert began, or else when it was received' }),
  createdAt: dateTime,
  decideBy: dateTime.meta({ description: 'When the run is dropped' }),
});

const alertSchema = z.object({
  signalEndpointId: id,
  endpoint: z.string(),
  fingerprint: z.string().meta({ description: 'What identifies the alert among those of the endpoint' }),
  title: z.string().nullable(),
  signalId: z.number().int().meta({ description: 'The latest signal about the alert' }),
  element: z.number().int().nullable().meta({ description: 'The index of the alert in a signal with several alerts' }),
  link: z.string().nullable().meta({ description: 'An http or https URL of the alert at its sender' }),
  truncatedAlerts: z
    .number()
    .int()
    .meta({ description: 'The number of other alerts that the sender left out of the latest signal' }),
  since: dateTime,
  lastAt: dateTime,
  reason: z.string().meta({ description: 'Why the alert has no effect' }),
  project: z.string().nullable().meta({ description: 'The project of the action that the reason names' }),
  actionSetId: id.nullable(),
  runId: z.number().int().nullable(),
});

const requestSchema = z.object({
  id,
  project: z.string(),
  environment: z.string(),
  title: z.string(),
  state: z.enum(changeRequestStates),
  scheduledAt: dateTime.nullable(),
});

const momentSchema = z.object({
  kind: z.enum(['event', 'signal']),
  id: z.number().int(),
  at: dateTime,
  type: z.enum(eventTypes).nullable().meta({ description: 'The type of an event' }),
  label: z.string().meta({
    description: 'The label of an event; of a signal its title, or its endpoint for callers without READ_SIGNALS',
  }),
  state: z.enum(signalStates).nullable().meta({ description: 'The state that a signal reports' }),
  by: z.string().meta({ description: 'The author of an event, or the endpoint of a signal' }),
  signalId: z.number().int().nullable().meta({ description: 'The signal that caused an event' }),
  runId: z.number().int().nullable(),
  project: z.string().nullable(),
  featureName: z.string().nullable(),
  environment: z.string().nullable(),
});

/** The state of automation, and the decisions that wait for the caller. */
export const nowRoutes = defineRoutes('Now', {
  'GET /api/admin/now': {
    summary: 'Get what is held, failed, refused, waiting and scheduled now, in the projects that the caller can see',
    access: 'signed-in',
    answers: ok({
      automation: z.object({ frozen: z.boolean(), reason: z.string().nullable() }),
      maintenance: z.boolean(),
      loop: loopSchema.nullable().meta({
        description:
          'The probes of this process from ingest through matching to a stream; null where YARDARM_LOOP_PROBE is false',
      }),
      holds: z.array(heldSchema).meta({ description: 'The newest 200 holds' }),
      holdsTotal: z.number().int(),
      overrides: z.array(overrideSchema).meta({ description: 'The newest 200 overrides' }),
      undecided: z.array(undecidedSchema).nullable().meta({
        description:
          'Holds that wait for a person since automation was halted, the newest 50; null for callers without READ_ACTIONS',
      }),
      runs: z.array(runSchema).nullable().meta({
        description:
          'The newest run of each action set whose runs of the last day wait, failed or were stopped by a guard, without those that the override of a person stopped; null for callers without READ_ACTIONS',
      }),
      refusals: z
        .array(
          z.object({
            signalEndpointId: id,
            name: z.string(),
            reason: z.enum(refusalReasons),
            count: z.number().int().meta({ description: 'Since the endpoint was created' }),
            lastAt: dateTime,
          }),
        )
        .nullable()
        .meta({
          description: 'Signal endpoints that refused requests in the last day; null for callers without READ_SIGNALS',
        }),
      silent: z
        .array(
          z.object({
            signalEndpointId: id,
            name: z.string(),
            expectedMinutes: z.number().int(),
            expectedFilters: endpointRules.expectedFilters,
            silentSince: dateTime,
          }),
        )
        .meta({ description: 'Signal endpoints that expect a signal and get none' }),
      blocked: z
        .array(
          blockedSchema.extend({
            actionSetId: id,
            name: z.string().meta({ description: 'The name of the action set' }),
            project: z.string(),
          }),
        )
        .nullable()
        .meta({
          description:
            'Enabled action sets that cannot run, because their service account is gone or lacks a permission, the 25 that are blocked longest; null for callers without READ_ACTIONS',
        }),
      safeguardsWithoutData: z
        .array(
          safeguardDataSchema.pick({ impactMetric: true, triggerCondition: true }).extend({
            project: z.string(),
            featureName: z.string(),
            environment: z.string(),
            planId: z.string().nullable(),
            reason: z.string().nullable(),
            since: dateTime,
          }),
        )
        .meta({
          description:
            'Safeguards of flags that are on that have had no value for five minutes, the 25 without one for longest. A plan waits for them',
        }),
      alertsWithoutEffect: z.array(alertSchema).nullable().meta({
        description:
          'The newest 25 alerts that fire and hold no flag, by the last signal of each within a day, without those that pass the `expectedFilters` of their endpoint. After all others come those that a person overrode, or whose hold a person released; null for callers without READ_SIGNALS',
      }),
      alertsWithoutEffectTotal: z.number().int().nullable().meta({
        description:
          'The alerts that fire and hold no flag, among the newest 500 that fire without a hold of their own; null for callers without READ_SIGNALS',
      }),
      waitingForMe: z
        .array(requestSchema)
        .meta({ description: 'Change requests that the caller can approve or apply' }),
      scheduled: z.array(requestSchema).meta({ description: 'Change requests that are applied within a day' }),
      lastHour: z
        .array(momentSchema)
        .meta({ description: 'Changes of flags and signals of the last hour, newest first, at most 50' }),
    }),
  },
});
