import { z } from 'zod';
import { allowBody, filterBody, guardsBody, payloadPath } from './action-conditions.ts';
import { definitionSchema } from './action-definitions.ts';
import { backtestSchema, matchPreviewSchema } from './action-trials.ts';
import { listedSetFields } from './listed-action-set.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { anyJson, dateTime, id, idParam, label, paging } from './scalars.ts';
import { payloadDigestSchema, signalSchema } from './signals.ts';
import { filledText, plainText, urlFriendly } from './text.ts';

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
  'Path of an array in the payload. The actions run once for each element that passes the filters; filters refer to the element as `item`';

const releaseNote =
  'Filters of signals, or elements, that release what this action set holds, each under its own condition: the `key` of the action, or else the fingerprint of the alert. All must pass. Null: other action sets or people release it';

/** The triggers of an action set: a signal that arrives, or that no signal arrives. */
export const setTriggers = ['signal', 'silence'] as const;
export const setTrigger = z.enum(setTriggers);
export const triggerNote =
  '`signal` (default): a signal that passes the filters. `silence`: no signal arrives within the `expectedMinutes` of the endpoint; the payload is made by Yardarm, and `release` with no filter releases when signals arrive again';

/** The triggers of a run. */
export const runTriggers = [...setTriggers, 'replay', 'take-back', 'override-ended'] as const;

export const actionSetBody = z.strictObject({
  name: label(255).meta({ description: 'The name of the action set' }),
  description: plainText(4000).nullable().optional().meta({ description: 'Free text' }),
  enabled: z.boolean().optional().meta({ description: 'A new action set is enabled unless this is false' }),
  actorId: id.meta({ description: 'The id of the service account that runs the actions, with its own permissions' }),
  match: z.strictObject({
    source,
    sourceId: id.meta({ description: 'The id of the signal endpoint' }),
    trigger: setTrigger.optional().meta({ description: triggerNote }),
    payload: z.record(path, filterBody).meta({ description: 'Filters by payload path; all must pass' }),
    release: z.record(path, filterBody).nullable().optional().meta({ description: releaseNote }),
    forEach: path.nullable().optional().meta({ description: forEachNote }),
  }),
  actions: z
    .array(
      z.strictObject({
        action: filledText(100).meta({ description: 'The action kind, such as HOLD_FEATURE' }),
        sortOrder: z.number().int().min(1).max(2147483647).meta({ description: 'Actions run in ascending order' }),
        executionParams: z.record(plainText(100), z.json()).default({}).meta({
          description:
            'The parameters of the action. In text, {{path}} is replaced by the value in the payload, {{run.id}} and {{run.url}} by the id and URL of the run',
        }),
        // Accepted because clients send back the fields of an earlier answer.
        id: id.optional(),
        createdAt: z.string().max(100).optional(),
        createdByUserId: z.number().int().optional(),
      }),
    )
    .min(1, 'must have at least one action'),
  allow: allowBody
    .nullable()
    .optional()
    .meta({ description: 'Flags, tags and environments of the project that values from the payload may name' }),
  guards: guardsBody
    .nullable()
    .optional()
    .meta({ description: 'Limits on how often the action set runs and how much it changes' }),
  shadow: z.boolean().optional().meta({ description: 'Records runs without changing anything' }),
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
    trigger: setTrigger,
    payload: z.record(z.string(), filterSchema),
    release: z.record(z.string(), filterSchema).nullable(),
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

/** A change that an action made, or would make. */
export const actionChangeSchema = z.object({
  type: z.string(),
  label: z.string(),
  featureName: z.string().nullable(),
  environment: z.string().nullable(),
});

/** An outgoing HTTP request of an action. */
const callSchema = z.object({
  method: z.string(),
  url: z.string(),
  body: z.string(),
  state: z
    .enum(['not sent', 'queued', 'delivered', 'failed'])
    .meta({ description: '`not sent` in dry runs and shadow runs' }),
  attempts: z.number().int(),
  status: z.number().int().nullable().meta({ description: 'The status of the last answer' }),
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

export const runStates = ['started', 'waiting', 'success', 'failed', 'skipped'] as const;
/** The query parameter that filters runs by state. */
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
  trigger: z.enum(runTriggers),
  takesBackRunId: id.nullable(),
  decideBy: dateTime.nullable().meta({
    description:
      'A run that holds flags waits for a person after a freeze. It is dropped at this time; null for others',
  }),
  signal: signalSchema.extend({
    deleted: payloadDigestSchema.nullable().meta({ description: 'Set when retention has deleted the payload' }),
  }),
  actionSet: z.object({ ...setBase, actions: z.array(ranActionSchema) }),
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
  'release-plan-milestone-approved',
] as const;

/** The events of changes that taking a run back does not undo, or undoes by recording another event. */
const notTakenBack: readonly string[] = ['feature-strategy-add', 'release-plan-milestone-approved'];

/** The result of a filter on a payload. */
export const filterVerdictSchema = z.object({
  path: z.string(),
  found: z.string().nullable(),
  passes: z.boolean(),
  why: z.string(),
});

const dryRunViewSchema = z.object({
  element: z.number().int().nullable(),
  matches: z.boolean(),
  releases: z.boolean().meta({ description: 'Whether it would release what the action set holds' }),
  filters: z.array(filterVerdictSchema),
  state: z.enum(runStates).nullable(),
  reason: z.string().nullable(),
  actions: z.array(ranActionSchema),
});

const reader = { permission: 'READ_ACTIONS' } as const;
/** The permission is needed in all environments of the project: a run may hold flags in several of them. */
/** Both work in maintenance: the handler of the first says how to hold the flag then, and a drop changes no flag. */
const decider = { access: { permission: 'OVERRIDE_AUTOMATION' }, duringMaintenance: true } as const;
const decision = z.strictObject({
  reason: filledText(1000).meta({ description: 'Why, for the people who come next' }),
});
const ofProject = z.object({ projectId: urlFriendly });
const ofRun = z.object({ projectId: urlFriendly, actionSetId: idParam, runId: idParam });
const ofSet = z.object({ projectId: urlFriendly, id: idParam });

/** Action sets that signals trigger (docs/spec#action-sets). */
export const actionRoutes = defineRoutes('Actions', {
  'GET /api/admin/projects/:projectId/actions': {
    access: reader,
    summary: 'List the action sets of a project',
    description: 'Callers without ADMIN do not see paths and bodies of calls.',
    params: ofProject,
    answers: ok({ actions: z.array(actionSetSchema.extend(listedSetFields)) }),
  },
  'POST /api/admin/projects/:projectId/actions': {
    access: { permission: 'ADMIN' },
    summary: 'Create an action set',
    description:
      'A signal of the source that passes all filters triggers the actions. They run in order as the service account; when an action fails, the following actions are not started, unless the run only releases holds. Only signals received from now on trigger the set.',
    params: ofProject,
    body: actionSetBody,
    answers: { 201: json(actionSetSchema) },
    errors: [409],
    emits: ['actions-created'],
  },
  'GET /api/admin/projects/:projectId/actions/config': {
    access: reader,
    summary: 'List the action kinds with their parameters',
    params: ofProject,
    answers: { 200: json(z.record(z.string(), definitionSchema)) },
  },
  'PUT /api/admin/projects/:projectId/actions/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Update an action set',
    params: ofSet,
    body: actionSetBody,
    answers: { 200: json(actionSetSchema) },
    errors: [409],
    emits: ['actions-updated'],
  },
  'DELETE /api/admin/projects/:projectId/actions/:id': {
    access: { permission: 'ADMIN' },
    summary: 'Delete an action set',
    params: ofSet,
    answers: { 200: empty },
    emits: ['actions-deleted'],
  },
  'POST /api/admin/projects/:projectId/actions/:id/on': {
    access: { permission: 'ADMIN' },
    summary: 'Enable an action set for signals received from now on',
    description: 'Answers 409 when the endpoint was deleted, or is never silent and silence triggers the action set.',
    params: ofSet,
    answers: { 200: json(actionSetSchema) },
    errors: [409],
    emits: ['actions-updated'],
  },
  'POST /api/admin/projects/:projectId/actions/:id/off': {
    access: { permission: 'ADMIN' },
    summary: 'Disable an action set',
    params: ofSet,
    answers: { 200: json(actionSetSchema) },
    emits: ['actions-updated'],
  },
  'GET /api/admin/projects/:projectId/actions/:actionSetId/events': {
    access: reader,
    summary: 'List the runs of an action set, newest first',
    params: z.object({ projectId: urlFriendly, actionSetId: idParam }),
    query: z.object({ ...paging(50, 1000), state: runStateParam }),
    answers: ok({ actionSetEvents: z.array(actionRunSchema) }),
    errors: [400],
  },
  'GET /api/admin/projects/:projectId/actions/:actionSetId/events/:runId': {
    access: reader,
    summary: 'Get a run',
    description: 'Without ADMIN, paths and bodies of calls are hidden; without READ_SIGNALS, payload and normalized.',
    params: ofRun,
    answers: { 200: json(actionRunSchema) },
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back': {
    access: { permission: 'ADMIN' },
    summary: 'Take back the changes of a run, as a new run by the caller',
    description:
      'Takes back the last change first. Answers 409 and changes nothing when the run changed nothing, when it was already taken back, or when strategies or variants that it changed have been changed since.',
    params: ofRun,
    answers: { 200: json(actionRunSchema) },
    errors: [400, 409],
    emits: [...changing.filter((type) => !notTakenBack.includes(type)), 'feature-strategy-remove'],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/hold-now': {
    ...decider,
    summary: 'Run the actions of a run that waits for a person',
    description:
      'A run that would have held a flag while automation was frozen, in maintenance or its endpoint was disabled waits for a person. Its actions run as the service account, as the action set is now. All guards apply except the quorum and the hours: the answer tells the state of the run. Answers 409 when the run waits for no person, and while automation is halted.',
    params: ofRun,
    body: decision,
    answers: { 200: json(actionRunSchema) },
    errors: [409],
    // When the action set has further actions, the route also records their events, as a run for a signal does.
    emits: ['action-run-approved', 'feature-lease-placed', 'feature-effective-state-changed'],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/drop': {
    ...decider,
    summary: 'Drop a run that waits for a person',
    description: 'Answers 409 when the run waits for no person.',
    params: ofRun,
    body: decision,
    answers: { 200: json(actionRunSchema) },
    errors: [409],
    emits: ['action-run-dropped'],
  },
  'POST /api/admin/projects/:projectId/actions/:actionSetId/replay': {
    access: { permission: 'ADMIN' },
    summary: 'Replay a stored signal: run an action set as if the signal arrived now',
    description:
      'Runs as the service account, also while the set is disabled. All guards apply except the quorum and the hours. An empty list of runs means that the signal does not pass the filters.',
    params: z.object({ projectId: urlFriendly, actionSetId: idParam }),
    body: z.strictObject({ signalId: id }),
    answers: ok({ actionSetEvents: z.array(actionRunSchema) }),
    emits: [...changing],
  },
  'POST /api/admin/projects/:projectId/actions/rehearse': {
    access: { permission: 'ADMIN' },
    summary: 'Dry run of an unsaved action set on a payload: the result of each filter, and the changes it would make',
    description:
      'Makes the changes and rolls them back, so refused changes are reported too. Guards that depend on earlier runs are not checked.',
    params: ofProject,
    body: z.strictObject({ set: actionSetBody, payload: anyJson.optional(), signalId: id.optional() }),
    exactNumbers: true,
    answers: ok({ views: z.array(dryRunViewSchema), halted: z.string().nullable() }),
    emits: [],
  },
  'POST /api/admin/signal-endpoints/:id/match-preview': {
    access: { permission: 'READ_SIGNALS' },
    summary: 'Preview filters: which signals of the last day they match',
    description:
      'Reads payloads as they are stored, so removed and hashed values stay so. Reads at most the newest 1,000 signals with 20,000 elements and 8 MB together.',
    body: z.strictObject({
      payload: z.record(path, filterBody).meta({ description: 'Filters by payload path; all must pass' }),
      forEach: path.nullable().optional().meta({ description: forEachNote }),
    }),
    answers: { 200: json(matchPreviewSchema) },
    emits: [],
  },
  'POST /api/admin/projects/:projectId/actions/backtest': {
    access: { permission: 'ADMIN' },
    summary: 'Backtest an unsaved action set: when it would have run on the signals of the last days',
    description: 'Checks at most the newest 5,000 signals of the source and returns at most the newest 500 runs.',
    params: ofProject,
    body: z.strictObject({ set: actionSetBody, days: z.number().int().min(1).max(365) }),
    answers: { 200: json(backtestSchema) },
    emits: [],
  },
});
