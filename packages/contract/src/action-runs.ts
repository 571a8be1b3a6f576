import { z } from 'zod';
import {
  actionChangeSchema,
  actionRunSchema,
  actionSetSchema,
  filterVerdictSchema,
  runStateParam,
  runStates,
  runTriggers,
} from './actions.ts';
import { blockedField } from './blocked-actions.ts';
import { eventTypes } from './event-types.ts';
import { numberFilter } from './filters.ts';
import { defineRoutes, json, ok } from './route.ts';
import { dateTime, id, idParam, paging } from './scalars.ts';
import { urlFriendly } from './text.ts';

const listedRunSchema = z.object({
  id,
  project: z.string(),
  actionSetId: id,
  name: z.string().meta({ description: 'The name of the action set at the time of the run' }),
  signalId: z.number().int(),
  element: z.number().int().nullable(),
  state: z.enum(runStates),
  reason: z.string().nullable(),
  shadow: z.boolean(),
  trigger: z.enum(runTriggers),
  takesBackRunId: id.nullable(),
  createdAt: dateTime,
});

const runDetailSchema = actionRunSchema.extend({
  project: z.string(),
  actorName: z.string().nullable().meta({
    description: 'The service account that ran the actions; null when it has been deleted',
  }),
  setIsThere: z.boolean().meta({ description: 'Whether the action set still exists' }),
  takenBackByRunId: id.nullable(),
  decideBy: dateTime
    .nullable()
    .meta({ description: 'When it is dropped, while it waits for a person; null otherwise' }),
  views: z
    .array(
      z.object({
        element: z.number().int().nullable(),
        matches: z.boolean(),
        releases: z.boolean(),
        filters: z.array(filterVerdictSchema),
      }),
    )
    .meta({
      description:
        'The results of the filters, for the signal or for each element. Empty when the signal has been deleted by retention',
    }),
  siblings: z.array(listedRunSchema).meta({ description: 'All runs of the action set for the same signal, in order' }),
  events: z.array(
    z.object({
      id,
      type: z.enum(eventTypes),
      label: z.string(),
      createdBy: z.string(),
      createdAt: dateTime,
      featureName: z.string().nullable(),
      environment: z.string().nullable(),
    }),
  ),
});

const ofRun = z.object({ projectId: urlFriendly, actionSetId: idParam, runId: idParam });

const lastRunSchema = listedRunSchema.pick({ id: true, state: true, shadow: true, trigger: true, createdAt: true });

const listedSetSchema = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  project: z.string(),
  enabled: z.boolean(),
  shadow: z.boolean(),
  sourceName: z.string().nullable().meta({ description: 'The signal endpoint; null when it has been deleted' }),
  blocked: blockedField,
  lastRun: lastRunSchema.nullable(),
});

/** Runs and action sets across projects, found by event, signal or endpoint. */
export const actionRunRoutes = defineRoutes('Actions', {
  'GET /api/admin/actions': {
    access: 'signed-in',
    summary: 'List the action sets of all projects with their last runs, by project',
    description: 'Only action sets of projects where the caller has READ_ACTIONS.',
    query: z.object(paging(100, 1000)),
    answers: ok({ actions: z.array(listedSetSchema), total: z.number().int() }),
  },
  'GET /api/admin/action-runs': {
    access: 'signed-in',
    summary: 'List the runs of all action sets, newest first',
    description: 'Only runs in projects where the caller has READ_ACTIONS.',
    query: z.object({
      ...paging(50, 1000),
      state: runStateParam,
      signal: numberFilter('IS', 'IS_ANY_OF')
        .transform(({ values }) => values.map(Number))
        .optional()
        .meta({ description: 'Runs triggered by these signals, by signal id' }),
    }),
    answers: ok({ runs: z.array(listedRunSchema) }),
    errors: [400],
  },
  'GET /api/admin/action-runs/:runId': {
    access: 'signed-in',
    summary: 'Get a run with its filter results, sibling runs and events',
    description: 'Answers 404 for a run in a project where the caller lacks READ_ACTIONS.',
    answers: { 200: json(runDetailSchema) },
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back/rehearse': {
    access: { permission: 'ADMIN' },
    summary: 'Dry run of taking back a run: the changes it would make now, or why it would be refused',
    params: ofRun,
    answers: ok({ changes: z.array(actionChangeSchema), refused: z.string().nullable() }),
    emits: [],
  },
  'GET /api/admin/signal-endpoints/:signalEndpointId/actions': {
    access: { permission: 'ADMIN' },
    summary: 'List the action sets, of all projects, that signals of an endpoint trigger',
    answers: ok({ actions: z.array(actionSetSchema) }),
  },
});
