import { z } from 'zod';
import { overrideSchema } from './automation-overrides.ts';
import { changeRequestStates } from './change-requests.ts';
import { eventTypes } from './event-types.ts';
import { heldSchema } from './holds.ts';
import { defineRoutes, json } from './route.ts';
import { dateTime, id } from './scalars.ts';
import { refusalReasons, signalStates } from './signal-sources.ts';

const runSchema = z.object({
  id,
  project: z.string(),
  actionSetId: id,
  name: z.string(),
  state: z.enum(['waiting', 'failed', 'skipped']),
  reason: z.string().nullable(),
  signalId: z.number().int(),
  createdAt: dateTime,
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

/** The state of automation, and what waits for the caller. */
export const nowRoutes = defineRoutes({
  'GET /api/admin/now': {
    tag: 'Now',
    summary: 'Get what is held, failed, refused, waiting and scheduled now, in the projects that the caller can see',
    access: 'signed-in',
    answers: {
      200: json(
        z.object({
          automation: z.object({ frozen: z.boolean(), reason: z.string().nullable() }),
          maintenance: z.boolean(),
          holds: z.array(heldSchema).meta({ description: 'The newest 200 holds' }),
          holdsTotal: z.number().int(),
          overrides: z.array(overrideSchema).meta({ description: 'The newest 200 overrides' }),
          runs: z.array(runSchema).nullable().meta({
            description:
              'Runs of the last day that failed or that a guard stopped; null for callers without READ_ACTIONS',
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
              description: 'Signal endpoints that refused requests in the last day; null for callers without ADMIN',
            }),
          silent: z
            .array(
              z.object({
                signalEndpointId: id,
                name: z.string(),
                expectedMinutes: z.number().int(),
                silentSince: dateTime,
              }),
            )
            .meta({ description: 'Signal endpoints that expect a signal and get none' }),
          waitingForMe: z
            .array(requestSchema)
            .meta({ description: 'Change requests that the caller can approve or apply' }),
          scheduled: z.array(requestSchema).meta({ description: 'Change requests that are applied within a day' }),
          lastHour: z
            .array(momentSchema)
            .meta({ description: 'Changes of flags and signals of the last hour, newest first, at most 50' }),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
});
