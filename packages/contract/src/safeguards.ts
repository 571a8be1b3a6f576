import { z } from 'zod';
import { metricQueryShape, metricSources } from './impact-metrics.ts';
import { defineRoutes, empty, ok } from './route.ts';
import { dateTime } from './scalars.ts';
import { filledText } from './text.ts';

/** The query of a safeguard or a gate: that of Unleash, with options that only Yardarm has. */
export const metricQuery = z.strictObject({
  ...metricQueryShape,
  source: z
    .enum(metricSources)
    .optional()
    .meta({ description: '`internal`, if absent: SDKs report the metric; `external`: the Prometheus server has it' }),
  minutes: z
    .number()
    .int()
    .min(1)
    .max(1440)
    .optional()
    .meta({ description: 'The value is that of the last minutes, instead of the whole time range' }),
  dividedBy: z
    .strictObject({ metricName: metricQueryShape.metricName, labelSelectors: metricQueryShape.labelSelectors })
    .optional()
    .meta({ description: 'The value is divided by that of another metric, such as errors by requests' }),
});

/** A comparison of a value with a threshold. */
export const comparison = z.strictObject({ operator: z.enum(['>', '<']), threshold: z.number() });

/** The maximum number of safeguards of a flag in an environment, including those of its release plan. */
export const maxSafeguards = 20;

/** A safeguard to set: one with the same metric, source, labels and operator is replaced. */
export const safeguardBody = z.object({
  impactMetric: metricQuery,
  triggerCondition: comparison,
  holdAt: filledText(255).optional().meta({
    description:
      'Instead of pausing the plan, holds the flag until the value is back within the threshold: `off`, or at a milestone, `previous`, `first` or its name. Only for safeguards of plans',
  }),
});

export const safeguardActions = ['pauseReleasePlanProgressions', 'holdFeature', 'disableFeatureEnvironment'] as const;
/** The states of safeguards; the schema of their status explains them. */
export const safeguardStates = ['within', 'triggered', 'crossed', 'no-data'] as const;

const action = z.union([
  z.object({ type: z.literal('pauseReleasePlanProgressions'), id: z.string().meta({ description: 'Of the plan' }) }),
  z.object({
    type: z.literal('holdFeature'),
    id: z.string().meta({ description: 'Of the plan' }),
    holdAt: z.string().meta({ description: '`off`, or a milestone: `previous`, `first` or its name' }),
  }),
  z.object({
    type: z.literal('disableFeatureEnvironment'),
    featureName: z.string(),
    environment: z.string(),
    project: z.string(),
  }),
]);

/** A safeguard as events contain it. */
export const safeguardDataSchema = z.object({
  id: z.string(),
  action,
  triggerCondition: comparison,
  impactMetric: metricQuery.extend({ id: z.string() }),
});

/** A safeguard as answers contain it. */
export const safeguardSchema = safeguardDataSchema.extend({
  status: z.object({
    state: z.enum(safeguardStates).meta({
      description:
        '`within`: the threshold is not crossed; `triggered`: it was crossed, and the plan was paused, the flag held or switched off; `crossed`: it is crossed, and nothing was done, because the plan was paused or the flag off already, or a person overrides automation, or the plan that would hold the flag is in shadow mode; `no-data`: the metric has no value, which triggers nothing. A triggered safeguard stays so while the Prometheus server gives no value',
    }),
    value: z.number().nullable().meta({ description: 'The value when it was last looked at; null without data' }),
    reason: z.string().nullable().meta({
      description: 'Why the Prometheus server gave no value; null when it did, and of metrics that SDKs report',
    }),
    lookedAt: dateTime.nullable(),
    triggeredAt: dateTime.nullable(),
    noDataSince: dateTime.nullable().meta({
      description: 'Since when there is no value while the flag is on; null while there is one',
    }),
  }),
});

/** A triggered safeguard, with the value of the metric that triggered it. */
export const triggeredSafeguardDataSchema = safeguardDataSchema.extend({ value: z.number() });

const sinceNoData = safeguardDataSchema.extend({
  since: dateTime.meta({ description: 'Since when the safeguard had no value' }),
});
/** A safeguard without data, with the reason that the Prometheus server gave. */
export const blindSafeguardDataSchema = sinceNoData.extend({ reason: z.string().nullable() });
/** A safeguard that no longer misses data, with its value; null when its flag is off or it was deleted. */
export const seeingSafeguardDataSchema = sinceNoData.extend({ value: z.number().nullable() });

const whatHappens =
  'The metric is looked at every minute. It happens once: after that the safeguard waits until the value is back within the threshold. Without data nothing happens, and a held flag stays held. The header `X-Warning` says when no SDK has reported the metric yet, and when a milestone of the plan is shorter than a safeguard needs for a first value.';
const ofPlan = { permission: 'UPDATE_FEATURE_STRATEGY' } as const;
const ofFlag = { permission: 'UPDATE_FEATURE_ENVIRONMENT' } as const;

/** Safeguards stop a release when an impact metric crosses a threshold. */
export const safeguardRoutes = defineRoutes('Safeguards', {
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards': {
    summary: 'List the safeguards of a flag in an environment, with those of its release plan',
    access: 'signed-in',
    answers: ok({ safeguards: z.array(safeguardSchema) }),
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards': {
    access: ofFlag,
    summary: 'Switch a flag off in an environment when an impact metric crosses a threshold',
    description: whatHappens,
    body: safeguardBody,
    answers: { 204: empty },
    emits: ['safeguard-changed'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/safeguards/:safeguardId': {
    access: ofFlag,
    summary: 'Delete a safeguard of a flag',
    answers: { 204: empty },
    emits: ['safeguard-deleted'],
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/safeguards':
    {
      access: ofPlan,
      summary: 'Pause a release plan, or hold its flag, when an impact metric crosses a threshold',
      description: whatHappens,
      body: safeguardBody,
      answers: { 204: empty },
      emits: ['safeguard-changed'],
    },
  'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/safeguards/:safeguardId':
    {
      access: ofPlan,
      summary: 'Delete a safeguard of a release plan',
      answers: { 204: empty },
      emits: ['safeguard-deleted'],
    },
});

export type SafeguardAnswer = z.output<typeof safeguardSchema>;
/** The query of a safeguard or a gate. */
export type RecentQuery = z.output<typeof metricQuery>;
export type Comparison = z.output<typeof comparison>;
export type SafeguardBody = z.output<typeof safeguardBody>;
