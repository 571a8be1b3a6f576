import { z } from 'zod';
import { allowBody, filterBody, guardsBody, payloadPath } from './action-conditions.ts';
import { defineRoutes, empty, json } from './route.ts';
import { anyJson, dateTime, id, idParam, label, paging } from './scalars.ts';
import { signalSchema } from './signals.ts';
import { filledText, plainText, urlFriendly } from './text.ts';

const tag = 'Actions';

const source = z.literal('signal-endpoint');

const filterSchema = z.object({
  operator: z.string(),
  inverted: z.boolean().optional(),
  caseInsensitive: z.boolean().optional(),
  value: z.string().optional(),
  values: z.array(z.string()).optional(),
});

const path = payloadPath;
const forEachNote =
  'Path of an array in the payload: the actions run once for each element that passes the filters, which see it as `item`';

export const actionSetBody = z.strictObject({
  name: label(255).meta({ description: 'For people' }),
  description: plainText(4000).nullable().optional().meta({ description: 'For people' }),
  enabled: z.boolean().optional().meta({ description: 'A new set is, unless this says false' }),
  actorId: id.meta({ description: 'The service account that runs the actions, by its own permissions' }),
  match: z.strictObject({
    source,
    sourceId: id.meta({ description: 'Of the signal endpoint' }),
    payload: z.record(path, filterBody).meta({ description: 'Filters by paths in the payload; all must pass' }),
    forEach: path.nullable().optional().meta({ description: forEachNote }),
  }),
  actions: z
    .array(
      z.strictObject({
        action: filledText(100).meta({ description: 'Its kind, such as HOLD_FEATURE' }),
        sortOrder: z.number().int().min(1).max(2147483647).meta({ description: 'The lowest is done first' }),
        executionParams: z.record(plainText(100), z.json()).default({}).meta({
          description:
            'Its parameters; in text {{path}} stands for what the payload has there, {{run.id}} and {{run.url}} for the run',
        }),
        // What a client sends back of what it was answered.
        id: id.optional(),
        createdAt: z.string().max(100).optional(),
        createdByUserId: z.number().int().optional(),
      }),
    )
    .min(1, 'must hold at least one action'),
  allow: allowBody
    .nullable()
    .optional()
    .meta({ description: 'Flags, tags and environments of the project that parameters from the payload may name' }),
  guards: guardsBody.nullable().optional().meta({ description: 'What keeps it from doing too much' }),
  shadow: z.boolean().optional().meta({ description: 'Runs are recorded and nothing is changed' }),
});

const actionSchema = z.object({
  id,
  action: z.string(),
  sortOrder: z.number().int(),
  executionParams: z.record(z.string(), anyJson),
  createdAt: dateTime,
  createdByUserId: z.number().int(),
});

const setBase = {
  id,
  name: z.string(),
  description: z.string().nullable(),
  project: z.string(),
  enabled: z.boolean(),
  actorId: id,
  match: z.object({
    source,
    sourceId: id,
    payload: z.record(z.string(), filterSchema),
    forEach: z.string().nullable(),
  }),
  allow: z
    .object({ flags: z.array(z.string()), tags: z.array(z.string()), environments: z.array(z.string()) })
    .nullable(),
  guards: z.record(z.string(), anyJson),
  shadow: z.boolean(),
  createdAt: dateTime,
  createdByUserId: z.number().int(),
};

export const actionSetSchema = z.object({ ...setBase, actions: z.array(actionSchema) });

/** What an action changed, or would have. */
export const actionChangeSchema = z.object({
  type: z.string(),
  label: z.string(),
  featureName: z.string().nullable(),
  environment: z.string().nullable(),
});

/** A request to a system outside that an action asks for. */
const callSchema = z.object({
  method: z.string(),
  url: z.string(),
  body: z.string(),
  state: z
    .enum(['not sent', 'queued', 'delivered', 'failed'])
    .meta({ description: '`not sent` in rehearsals and in runs that are only recorded' }),
  attempts: z.number().int(),
  status: z.number().int().nullable().meta({ description: 'What was answered last' }),
  details: z.string().nullable(),
  nextAttemptAt: dateTime.nullable(),
  settledAt: dateTime.nullable(),
});

const ranActionSchema = actionSchema.extend({
  state: z.enum(['not started', 'started', 'success', 'failed']),
  details: z.string().nullable(),
  changes: z.array(actionChangeSchema),
  call: callSchema.nullable(),
});

export const runStates = ['started', 'success', 'failed', 'skipped'] as const;
/** The query parameter that narrows a list of runs down to those in a state. */
export const runStateParam = z.enum(runStates).optional().meta({ description: 'Only runs in this state' });

export const actionRunSchema = z.object({
  id,
  actionSetId: id,
  signalId: z.number().int(),
  createdAt: dateTime,
  state: z.enum(runStates),
  reason: z.string().nullable(),
  element: z.number().int().nullable(),
  shadow: z.boolean(),
  trigger: z.enum(['signal', 'replay', 'take-back']),
  takesBackRunId: id.nullable(),
  signal: signalSchema,
  actionSet: z.object({ ...setBase, actions: z.array(ranActionSchema) }),
});

const parameterSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['select', 'hidden', 'text', 'number']),
  optional: z.boolean(),
  options: z.array(z.string()).optional(),
  secret: z.boolean().optional().meta({ description: 'Shown as `*****`, which sent back leaves it as it is' }),
});

const definitionSchema = z.object({
  label: z.string(),
  description: z.string(),
  category: z.string(),
  permissions: z.array(z.string()),
  parameters: z.array(parameterSchema),
});

const changing = [
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-add',
  'feature-strategy-update',
  'feature-environment-variants-updated',
  'feature-stale-on',
  'feature-stale-off',
  'feature-tagged',
  'feature-untagged',
  'feature-lease-placed',
  'feature-lease-updated',
  'feature-lease-released',
  'feature-effective-state-changed',
] as const;

/** What a filter says of a payload. */
export const filterVerdictSchema = z.object({
  path: z.string(),
  found: z.string().nullable(),
  passes: z.boolean(),
  why: z.string(),
});

const rehearsedSchema = z.object({
  element: z.number().int().nullable(),
  matches: z.boolean(),
  filters: z.array(filterVerdictSchema),
  state: z.enum(runStates).nullable(),
  reason: z.string().nullable(),
  actions: z.array(ranActionSchema),
});

const backtestSchema = z.object({
  signals: z.number().int(),
  runs: z.number().int(),
  truncated: z.boolean(),
  matches: z.array(
    z.object({
      signalId: z.number().int(),
      createdAt: dateTime,
      element: z.number().int().nullable(),
      actions: z.array(
        z.object({
          action: z.string(),
          executionParams: z.record(z.string(), anyJson),
          problem: z.string().nullable(),
        }),
      ),
    }),
  ),
});

const admin = { tag, access: { permission: 'ADMIN' } } as const;
const ofProject = z.object({ projectId: urlFriendly });
const ofRun = z.object({ projectId: urlFriendly, actionSetId: idParam, runId: idParam });
const ofSet = z.object({ projectId: urlFriendly, id: idParam });

/** Sets of actions that signals set off (docs/spec#action-sets). */
export const actionRoutes = defineRoutes({
  'GET /api/admin/projects/:projectId/actions': {
    ...admin,
    summary: 'The sets of actions of a project',
    params: ofProject,
    answers: { 200: json(z.object({ actions: z.array(actionSetSchema) })) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/actions': {
    ...admin,
    summary: 'Create a set of actions',
    description:
      'Signals of the source that pass all filters set the actions off, which run in their order as the service account; after one that fails the others are not started. It is set off by signals that come from now on.',
    params: ofProject,
    body: actionSetBody,
    answers: { 201: json(actionSetSchema) },
    errors: [404, 409],
    emits: ['actions-created'],
  },
  'GET /api/admin/projects/:projectId/actions/config': {
    ...admin,
    summary: 'The actions there are, with their parameters',
    params: ofProject,
    answers: { 200: json(z.record(z.string(), definitionSchema)) },
    errors: [404],
    emits: [],
  },
  'PUT /api/admin/projects/:projectId/actions/:id': {
    ...admin,
    summary: 'Change a set of actions',
    params: ofSet,
    body: actionSetBody,
    answers: { 200: json(actionSetSchema) },
    errors: [404, 409],
    emits: ['actions-updated'],
  },
  'DELETE /api/admin/projects/:projectId/actions/:id': {
    ...admin,
    summary: 'Delete a set of actions',
    params: ofSet,
    answers: { 200: empty },
    errors: [404],
    emits: ['actions-deleted'],
  },
  'POST /api/admin/projects/:projectId/actions/:id/on': {
    ...admin,
    summary: 'Enable a set of actions, for signals that come from now on',
    params: ofSet,
    answers: { 200: json(actionSetSchema) },
    errors: [404],
    emits: ['actions-updated'],
  },
  'POST /api/admin/projects/:projectId/actions/:id/off': {
    ...admin,
    summary: 'Disable a set of actions',
    params: ofSet,
    answers: { 200: json(actionSetSchema) },
    errors: [404],
    emits: ['actions-updated'],
  },
  'GET /api/admin/projects/:projectId/actions/:actionSetId/events': {
    ...admin,
    summary: 'Runs of a set of actions, the last first',
    params: z.object({ projectId: urlFriendly, actionSetId: idParam }),
    query: z.object({ ...paging(50, 1000), state: runStateParam }),
    answers: { 200: json(z.object({ actionSetEvents: z.array(actionRunSchema) })) },
    errors: [400, 404],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/actions/:actionSetId/events/:runId': {
    ...admin,
    summary: 'One run',
    params: ofRun,
    answers: { 200: json(actionRunSchema) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back': {
    ...admin,
    summary: 'Take back what a run has changed, as a run of its own by the caller',
    description:
      'The last change first. Nothing is changed, and the answer is 409, when there is nothing to take back, it was taken back before, or a strategy or variants that the run has changed were changed since.',
    params: ofRun,
    answers: { 200: json(actionRunSchema) },
    errors: [400, 404, 409],
    emits: [...changing.filter((type) => type !== 'feature-strategy-add'), 'feature-strategy-remove'],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/replay': {
    ...admin,
    summary: 'Run a set on a stored signal, as if it had come now',
    description:
      'It runs as the service account, also while the set is disabled; guards but the quorum hold. Without a run the signal does not pass the filters.',
    params: z.object({ projectId: urlFriendly, actionSetId: idParam }),
    body: z.strictObject({ signalId: id }),
    answers: { 200: json(z.object({ actionSetEvents: z.array(actionRunSchema) })) },
    errors: [404],
    emits: [...changing],
  },
  'POST /api/admin/projects/:projectId/actions/rehearse': {
    ...admin,
    summary: 'Try a set that is not saved on a payload: what each filter says, and what would change',
    description:
      'Everything is done and taken back, so that what would be refused is told too. Guards that look at earlier runs are not asked.',
    params: ofProject,
    body: z.strictObject({ set: actionSetBody, payload: anyJson.optional(), signalId: id.optional() }),
    answers: { 200: json(z.object({ views: z.array(rehearsedSchema), halted: z.string().nullable() })) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/actions/backtest': {
    ...admin,
    summary: 'When a set that is not saved would have run on the signals of the last days, and on what',
    description: 'Looks at the newest 5,000 signals of the source at most, and tells of the newest 500 runs.',
    params: ofProject,
    body: z.strictObject({ set: actionSetBody, days: z.number().int().min(1).max(365) }),
    answers: { 200: json(backtestSchema) },
    errors: [404],
    emits: [],
  },
});
