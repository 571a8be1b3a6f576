import { z } from 'zod';
import {
  gateNames,
  milestoneSchema,
  milestoneStrategySchema,
  milestonesBody,
  transitionConditionSchema,
} from './release-milestones.ts';
import { releaseNames } from './release-templates.ts';
import { defineRoutes, empty, json } from './route.ts';
import { safeguardSchema } from './safeguards.ts';
import { dateTime } from './scalars.ts';
import { inFlagEnvironment } from './strategies.ts';
import { strategyInput } from './strategy-fields.ts';
import { nameParam } from './text.ts';

/** The states of a plan, in the order in which they are checked: the first that applies is the state. */
export const planStates = ['completed', 'paused', 'held', 'halted', 'off', 'running', 'gated', 'waiting'] as const;

/** The causes that start a milestone. `halts`: the flag was held too often. */
export const startTriggers = ['person', 'time', 'added', 'halts'] as const;

/** The number of halts after which a plan goes back to its first milestone. */
export const maxHalts = z.number().int().min(1).max(100).meta({
  description:
    'After this many halts by holds at a milestone the plan goes back to the first and is paused, until a person resumes it. Not at the last milestone; never when absent',
});

/** The values of {@link stepDownMinutes} and {@link restMinutes} of a plan that names none. */
export const defaultStepDownMinutes = 5;
export const defaultRestMinutes = 10;

/** How long a hold at a milestone may be without effect. */
export const stepDownMinutes = z.number().int().min(1).max(10_080).meta({
  description:
    'While an alert still fires, or the metric of a safeguard is still beyond its threshold, this long after automation held the flag at a milestone, it is held one milestone further down, at last off. For a safeguard at least the time range of its metric. 5 when absent, null for never',
});

/** How long a held milestone rests. */
export const restMinutes = z.number().int().min(0).max(10_080).meta({
  description:
    'A hold of automation at a milestone, and of a safeguard, lasts at least this long, so that users do not go in and out. 10 when absent',
});

/** A gate, with a sentence about its state. */
export const gateSchema = z.object({ gate: z.enum(gateNames), text: z.string() });

/** The state of a plan, with the reason. */
export const progressSchema = z.object({
  state: z.enum(planStates).meta({
    description:
      '`completed`: its last milestone has started; `paused`: by a person, or because the next milestone could not start; `held`: a hold is in force; `halted`: a person stops automation by a freeze, maintenance or an override; `off`: the flag is off or archived; `running`: the time at the milestone is not over; `gated`: it is over, and a gate in `waitsFor` is closed; `waiting`: a person starts the next milestone',
  }),
  reason: z.string().nullable().meta({ description: 'Why it is paused or halted' }),
  haltedAt: dateTime.nullable().meta({ description: 'Since when automation has paused it; null otherwise' }),
  halts: z.number().int().meta({ description: 'Halts at the active milestone, which count for `maxHalts`' }),
  nextAt: dateTime
    .nullable()
    .meta({ description: 'When the next milestone starts if its other gates are open and nothing stops it' }),
  elapsedMinutes: z.number().meta({ description: 'Minutes at the milestone that count' }),
  waitsFor: z
    .array(gateSchema)
    .meta({ description: 'The gates that are closed, and why; empty when no further milestone starts by itself' }),
});

/** Whether a plan runs in shadow mode. */
export const shadow = z.boolean().meta({
  description:
    'In shadow mode the plan runs its gates, halts and safeguards and records them, but the strategies of the flag stay as they are',
});

/** A release plan of a flag in an environment. */
export const releasePlanSchema = z.object({
  id: z.string(),
  discriminator: z.literal('plan'),
  name: z.string(),
  description: z.string().nullable(),
  featureName: z.string(),
  environment: z.string(),
  createdByUserId: z.number().int(),
  createdAt: dateTime,
  activeMilestoneId: z.string().nullable(),
  shadow,
  maxHalts: maxHalts.nullable(),
  stepDownMinutes: stepDownMinutes.nullable(),
  restMinutes,
  milestones: z.array(milestoneSchema),
  releasePlanTemplateId: z.string().nullable().meta({ description: 'Null for a plan without a template' }),
  safeguards: z.array(safeguardSchema),
  progress: progressSchema,
});

export type ReleasePlan = z.output<typeof releasePlanSchema>;

/** A plan as events record it. */
export const planDataSchema = z.object({
  name: z.string(),
  planId: z.string(),
  milestones: z.array(milestoneSchema),
  maxHalts: maxHalts.optional(),
  stepDownMinutes: stepDownMinutes.nullable().optional(),
  restMinutes: restMinutes.optional(),
  shadow: z.literal(true).optional(),
});
export const startedMilestoneDataSchema = z.object({
  planId: z.string(),
  planName: z.string(),
  milestoneId: z.string(),
  milestoneName: z.string(),
  trigger: z.enum(startTriggers).meta({ description: 'What started it; `halts`: the plan went back to it' }),
  shadow: z.literal(true).optional().meta({ description: 'In shadow mode: its strategies are not served' }),
  gates: z
    .array(gateSchema)
    .optional()
    .meta({ description: 'What the gates saw that opened, besides its time; absent without such gates' }),
  strategies: z.array(milestoneStrategySchema),
});
export const approvedMilestoneDataSchema = z.object({
  planId: z.string(),
  planName: z.string(),
  milestoneId: z.string(),
  milestoneName: z.string(),
  by: z.enum(['person', 'action']),
});
const progressionSchema = z.object({
  sourceMilestone: z.string(),
  targetMilestone: z.string(),
  transitionCondition: transitionConditionSchema,
});
export const progressionDataSchema = progressionSchema.extend({ planId: z.string(), planName: z.string() });
export const pauseDataSchema = z.object({
  planId: z.string(),
  planName: z.string(),
  milestoneName: z.string(),
  reason: z.string().nullable(),
});

/**
 * Whether a request keeps or removes strategies: those of the flag when a plan is added or its shadow mode ends, those
 * of the plan when it is removed.
 */
export const planStrategies = z.enum(['keep', 'remove']);

/** A plan to add to a flag in an environment. */
export const newPlanBody = z.strictObject({
  templateId: nameParam.optional(),
  name: releaseNames.name.optional().meta({ description: 'The name of the template when absent' }),
  description: releaseNames.description,
  milestones: milestonesBody.min(1).optional().meta({ description: 'For a plan without a template' }),
  maxHalts: maxHalts.nullable().optional(),
  stepDownMinutes: stepDownMinutes.nullable().optional(),
  restMinutes: restMinutes.optional(),
  shadow: shadow.optional(),
  strategies: planStrategies
    .default('keep')
    .meta({ description: 'Whether the flag keeps the strategies it has in the environment' }),
});

/** The query of a start: it ends the shadow mode of the plan. */
const startQuery = z.object({
  shadow: z
    .literal('false')
    .optional()
    .meta({ description: 'Ends the shadow mode of the plan: its strategies are served from this milestone on' }),
  strategies: planStrategies.default('keep').meta({
    description: 'Whether the flag keeps its own strategies when the shadow mode ends',
  }),
});

/** The query of a removal: keep the strategies of the plan, or remove them. */
export const removedPlanQuery = z.object({ strategies: planStrategies.default('remove') });

/** The gates to set for a milestone. When all of them are open, the next milestone starts. */
export const progressionBody = z.object({
  targetMilestone: nameParam.optional().meta({ description: 'The next milestone: a plan skips none' }),
  transitionCondition: transitionConditionSchema,
});
const byProgression = inFlagEnvironment.extend({ id: nameParam });
const changes = { permission: 'UPDATE_FEATURE_STRATEGY' } as const;
/** A caller with only the second one may pause a plan, and start an earlier milestone. */
const stops = { permission: ['UPDATE_FEATURE_STRATEGY', 'LOWER_EXPOSURE'] } as const;

/** Release plans change the strategies of a flag in an environment step by step. */
export const releasePlanRoutes = defineRoutes('Release plans', {
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': {
    summary: 'List the release plans of a flag in an environment: one at most',
    access: 'signed-in',
    answers: { 200: json(z.array(releasePlanSchema)) },
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans': {
    summary: 'Add a release plan to a flag in an environment, and start its first milestone',
    description:
      'From a template, or with milestones of its own. The strategies of the milestone are served beside those of the flag, unless these are removed with `strategies: remove`. Time counts while the flag is on and not held.',
    access: { permission: 'CREATE_FEATURE_STRATEGY' },
    checks: [{ permission: 'DELETE_FEATURE_STRATEGY', where: 'to remove the strategies of the flag' }],
    body: newPlanBody,
    answers: { 200: json(releasePlanSchema) },
    errors: [409],
    emits: ['release-plan-added', 'release-plan-milestone-started', 'feature-strategy-remove'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId': {
    summary: 'Remove a release plan, with the strategies of its milestone or without',
    description:
      'With `strategies=keep` the flag takes them over as its own. Without, a flag that has no other active strategy is switched off, because it would be on for everyone.',
    access: { permission: 'DELETE_FEATURE_STRATEGY' },
    query: removedPlanQuery,
    answers: { 200: empty },
    emits: ['release-plan-removed', 'feature-environment-disabled'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start':
    {
      summary: 'Start a milestone of a release plan: the next, an earlier or a later one',
      description:
        'A caller with only LOWER_EXPOSURE may start an earlier milestone, when no user gets the flag, or a child of it, who did not before.',
      access: stops,
      checks: [{ permission: 'DELETE_FEATURE_STRATEGY', where: 'to remove the strategies of the flag' }],
      query: startQuery,
      answers: { 200: json(milestoneSchema) },
      emits: ['release-plan-milestone-started', 'feature-strategy-remove'],
    },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/approve':
    {
      summary: 'Approve the active milestone of a release plan, which waits for it',
      description:
        'The next milestone starts when the other gates of this one are open, too. The approval is forgotten when the milestone starts anew. Answers 409 for a milestone that is not active or waits for no approval by a person, and while the flag is held.',
      access: changes,
      answers: { 200: json(milestoneSchema) },
      errors: [409],
      emits: ['release-plan-milestone-approved'],
    },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:id': {
    summary: 'Set the gates after which the milestone after this one starts; `id` is that of the milestone',
    description:
      'The header `X-Warning` says when the time of the milestone is shorter than the safeguards of the plan need for a first value: the next milestone waits for it anyway.',
    access: changes,
    params: byProgression,
    body: progressionBody,
    answers: { 200: json(progressionSchema) },
    emits: ['milestone-progression-created', 'milestone-progression-updated'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:id': {
    summary: 'Let a person start the milestone after this one; `id` is that of the milestone',
    access: changes,
    params: byProgression,
    answers: { 204: empty },
    emits: ['milestone-progression-deleted'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/pause': {
    summary: 'Pause a release plan: its milestone stays, and no other starts by itself',
    access: stops,
    duringMaintenance: true,
    answers: { 200: empty },
    emits: ['release-plan-progressions-paused'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/resume': {
    summary: 'Resume a paused release plan with the time that was left',
    access: changes,
    answers: { 200: empty },
    emits: ['release-plan-progressions-resumed'],
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/milestone-strategies/:strategyId':
    {
      summary: 'Update a strategy of a milestone, running or ahead; omitted fields keep their values',
      access: changes,
      body: strategyInput,
      answers: { 200: json(milestoneStrategySchema) },
      emits: ['release-plan-updated'],
    },
});
