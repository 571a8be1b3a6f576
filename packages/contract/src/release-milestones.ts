import { z } from 'zod';
import { hoursBody } from './action-conditions.ts';
import { comparison, metricQuery } from './safeguards.ts';
import { dateTime } from './scalars.ts';
import { createFeatureStrategySchema } from './strategies.ts';
import { strategyValues } from './strategy-fields.ts';
import { filledText, keyText, nameParam, sortOrder } from './text.ts';

/** The maximum number of milestones of a template or plan. */
export const maxMilestones = 30;

const mostEvaluations = 1_000_000_000_000;
const minutesOfYear = 366 * 24 * 60;

/** The gates between milestones, in the order in which they are looked at. */
export const gateNames = ['time', 'hours', 'evaluations', 'metric', 'approval', 'safeguard'] as const;
export type GateName = (typeof gateNames)[number];

const approvalSchema = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('person'),
    role: z.number().int().optional().meta({
      description: 'The id of a root or project role that the approver must have; any role when absent',
    }),
  }),
  z.strictObject({ by: z.literal('action') }),
]);

/** The gates of a milestone. When all of them are open, the next milestone starts by itself. */
export const transitionConditionSchema = z.strictObject({
  intervalMinutes: z
    .number()
    .int()
    .min(1)
    .max(minutesOfYear)
    .meta({ description: 'Minutes at the milestone; they count only while the flag is on, not held, and not paused' }),
  hours: hoursBody.optional().meta({ description: 'The next milestone starts within these hours only' }),
  evaluations: z.number().int().min(1).max(mostEvaluations).optional().meta({
    description:
      'The number of evaluations of the flag in the environment that SDKs must report: of clock hours (UTC) that began after the milestone started',
  }),
  metric: z.strictObject({ impactMetric: metricQuery, condition: comparison }).optional().meta({
    description:
      'What an impact metric must be, of what SDKs reported since the milestone started. Without data the gate is closed',
  }),
  approval: approvalSchema.optional().meta({
    description: 'Who must approve the milestone: `person`, by the route `approve`, or `action`, by APPROVE_MILESTONE',
  }),
});

const longestName = 255;

/** A strategy of a milestone. `strategyName` is the earlier name of `name`. */
export const milestoneStrategyBody = createFeatureStrategySchema
  .extend({ id: nameParam.optional(), name: filledText(100).optional(), strategyName: filledText(100).optional() })
  .refine(({ name, strategyName }) => (name ?? strategyName) !== undefined, {
    path: ['name'],
    message: 'must be the name of a strategy type',
  });

/** The maximum number of strategies of a milestone. */
export const maxMilestoneStrategies = 100;

export const milestoneBody = z.object({
  id: nameParam.optional().meta({ description: 'The id of a milestone that stays; absent for a new one' }),
  name: keyText(longestName),
  sortOrder: sortOrder.optional().meta({ description: 'The position; that in the list when absent' }),
  transitionCondition: transitionConditionSchema.nullable().optional(),
  strategies: z.array(milestoneStrategyBody).max(maxMilestoneStrategies).default([]),
});

/** The milestones in a request that creates or changes a template or plan. */
export const milestonesBody = z.array(milestoneBody).max(maxMilestones);

export const milestoneStrategySchema = z.object({
  id: z.string(),
  milestoneId: z.string(),
  strategyName: z.string(),
  ...strategyValues.shape,
});

export const milestoneSchema = z.object({
  id: z.string(),
  name: z.string(),
  sortOrder: z.number().int(),
  releasePlanDefinitionId: z.string().meta({ description: 'The id of the template or plan' }),
  startedAt: dateTime.nullable(),
  transitionCondition: transitionConditionSchema.nullable(),
  progressionExecutedAt: dateTime
    .nullable()
    .meta({ description: 'When its time was over and the next milestone started by itself' }),
  pausedAt: dateTime.nullable(),
  approvedAt: dateTime.nullable().meta({ description: 'Null again when the milestone starts anew' }),
  approvedByUserId: z.number().int().nullable(),
  strategies: z.array(milestoneStrategySchema),
});

export type MilestoneBody = z.output<typeof milestoneBody>;
export type MilestoneStrategyBody = z.output<typeof milestoneStrategyBody>;
