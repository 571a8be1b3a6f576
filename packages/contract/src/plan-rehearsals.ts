import { z } from 'zod';
import { milestonesBody } from './release-milestones.ts';
import { gateSchema, maxHalts, planStates, restMinutes } from './release-plans.ts';
import { defineRoutes, json } from './route.ts';
import { dateTime } from './scalars.ts';
import { nameParam } from './text.ts';

/** The kinds of steps in a rehearsal. */
export const rehearsedSteps = ['started', 'held', 'released', 'gated', 'approved', 'no-data', 'paused'] as const;

const longestHours = 168;

const stepSchema = z.object({
  at: dateTime,
  step: z.enum(rehearsedSteps).meta({
    description:
      '`started`: a milestone; `held`: an action holds the flag, and the plan halts; `released`: the hold ends, and the milestone starts anew; `gated`: the time at the milestone is over, and another gate is closed; `approved`: by an action; `no-data`: a safeguard has no value because the Prometheus server failed, said once; `paused`: by a safeguard, or after too many halts, which ends the rehearsal',
  }),
  milestone: z.string().meta({ description: 'The name of the milestone that is active then' }),
  milestoneOrder: z.number().int().meta({ description: 'Its position, from 0' }),
  text: z.string(),
  signalId: z.number().int().nullable().meta({ description: 'The signal on which an action acts' }),
  actionSet: z.object({ id: z.number().int(), name: z.string() }).nullable(),
});

const planRehearsalSchema = z.object({
  from: dateTime.meta({ description: 'Later than asked for when an endpoint has more signals than are read (5,000)' }),
  to: dateTime,
  steps: z.array(stepSchema),
  totalMilestones: z.number().int(),
  truncated: z.boolean().meta({ description: 'True when there are more than 500 steps: those after are left out' }),
  milestone: z.string().meta({ description: 'The milestone that is active at the end' }),
  state: z.enum(planStates).meta({ description: 'The state of the plan at the end' }),
  waitsFor: z.array(gateSchema),
});

/** The plan to rehearse: the plan of the flag, a plan made from a template, or a plan with the given milestones. */
const planRehearsalBody = z.strictObject({
  hours: z.number().int().min(1).max(longestHours).default(24).meta({ description: 'How far back it starts' }),
  planId: nameParam.optional(),
  templateId: nameParam.optional(),
  milestones: milestonesBody.min(1).optional(),
  maxHalts: maxHalts.nullable().optional(),
  restMinutes: restMinutes.optional(),
});

/** Rehearsals show what a release plan would have done, on stored signals and metrics. */
export const planRehearsalRoutes = defineRoutes('Release plans', {
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/rehearse': {
    summary: 'Rehearse a release plan: what it would have done in the last hours',
    description:
      'Starts the plan `hours` ago and lets its gates, its safeguards and the enabled action sets act on the signals, impact metrics and evaluations that are stored, and on metrics that the Prometheus server has of this time: by 100 queries at most, in 20 s. The flag counts as on. A gate that waits for the approval of a person counts as approved at once. Guards of action sets that depend on earlier runs are not checked. Changes nothing.',
    access: { permission: 'UPDATE_FEATURE_STRATEGY' },
    body: planRehearsalBody,
    answers: { 200: json(planRehearsalSchema) },
    emits: [],
  },
});
