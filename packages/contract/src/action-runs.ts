import { z } from 'zod';
import {
  actionChangeSchema,
  actionRunSchema,
  actionSetSchema,
  filterVerdictSchema,
  runStateParam,
  runStates,
} from './actions.ts';
import { eventTypes } from './event-types.ts';
import { numberFilter } from './filters.ts';
import { defineRoutes, json } from './route.ts';
import { dateTime, id, idParam, paging } from './scalars.ts';
import { urlFriendly } from './text.ts';

const listedRunSchema = z.object({
  id,
  project: z.string(),
  actionSetId: id,
  name: z.string().meta({ description: 'Of the set of actions, as it was' }),
  signalId: z.number().int(),
  element: z.number().int().nullable(),
  state: z.enum(runStates),
  reason: z.string().nullable(),
  shadow: z.boolean(),
  trigger: z.enum(['signal', 'replay', 'take-back']),
  takesBackRunId: id.nullable(),
  createdAt: dateTime,
});

const runDetailSchema = actionRunSchema.extend({
  project: z.string(),
  setIsThere: z.boolean().meta({ description: 'Whether the set has not been deleted since' }),
  takenBackByRunId: id.nullable(),
  views: z
    .array(
      z.object({ element: z.number().int().nullable(), matches: z.boolean(), filters: z.array(filterVerdictSchema) }),
    )
    .meta({
      description:
        'What the filters said of the signal, or of each element that it was run for; none when the signal is no longer kept',
    }),
  siblings: z
    .array(listedRunSchema)
    .meta({ description: 'All runs of the set that the signal has set off, in their order' }),
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
const admin = { tag: 'Actions', access: { permission: 'ADMIN' } } as const;

/** Runs and sets of actions, found by what leads to them: an event, a signal, an endpoint. */
export const actionRunRoutes = defineRoutes({
  'GET /api/admin/action-runs': {
    ...admin,
    summary: 'Runs of all sets of actions, the last first',
    query: z.object({
      ...paging(50, 1000),
      state: runStateParam,
      signal: numberFilter('IS', 'IS_ANY_OF')
        .transform(({ values }) => values.map(Number))
        .optional()
        .meta({ description: 'Runs that these signals have set off, by their ids' }),
    }),
    answers: { 200: json(z.object({ runs: z.array(listedRunSchema) })) },
    errors: [400],
    emits: [],
  },
  'GET /api/admin/action-runs/:runId': {
    ...admin,
    summary: 'One run, with what the filters said, the runs beside it and the events that it recorded',
    params: z.object({ runId: idParam }),
    answers: { 200: json(runDetailSchema) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back/rehearse': {
    ...admin,
    summary: 'What taking a run back would change now, or why it would be refused',
    params: ofRun,
    answers: { 200: json(z.object({ changes: z.array(actionChangeSchema), refused: z.string().nullable() })) },
    errors: [404],
    emits: [],
  },
  'GET /api/admin/signal-endpoints/:signalEndpointId/actions': {
    ...admin,
    summary: 'The sets of actions, of all projects, that signals of an endpoint set off',
    params: z.object({ signalEndpointId: idParam }),
    answers: { 200: json(z.object({ actions: z.array(actionSetSchema) })) },
    errors: [404],
    emits: [],
  },
});
