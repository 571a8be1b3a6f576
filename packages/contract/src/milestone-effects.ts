import { z } from 'zod';
import { planStrategies } from './release-plans.ts';
import { defineRoutes, json } from './route.ts';
import { dateTime } from './scalars.ts';
import { contextBody } from './sdk-context.ts';

const maxContexts = 200;

const contextsSchema = z.array(z.record(z.string(), z.unknown()));

const counts = {
  contexts: z.number().int().meta({ description: 'The number of contexts that were evaluated' }),
  before: z.number().int().meta({ description: 'Contexts for which the flag is on now' }),
  after: z.number().int().meta({ description: 'Contexts for which the flag would be on with the milestone' }),
  gained: z.number().int().meta({ description: 'Contexts that would get the flag' }),
  lost: z.number().int().meta({ description: 'Contexts that would lose the flag' }),
  changedVariant: z.number().int().meta({ description: 'Contexts that keep the flag, with another variant' }),
  variants: z
    .array(z.object({ name: z.string(), before: z.number().int(), after: z.number().int() }))
    .meta({ description: 'Contexts by variant, sorted by name; empty without variants' }),
  missingFields: z.array(z.string()).meta({
    description:
      'Context fields that strategies, constraints and segments compare with values, and that the contexts do not have, sorted by name. A sampled user has none of these fields',
  }),
};

const milestoneEffectSchema = z.object({
  sampled: z
    .boolean()
    .meta({ description: 'Whether the contexts are sampled user ids; false for those of the request' }),
  ...counts,
  examples: z
    .object({ gained: contextsSchema, lost: contextsSchema, changedVariant: contextsSchema })
    .meta({ description: 'Up to five contexts of each kind' }),
  seen: z
    .object({ ...counts, since: dateTime.meta({ description: 'When the oldest of them was sent' }) })
    .nullable()
    .meta({
      description:
        'The effect on contexts that clients sent to the frontend API or OFREP of this process within a day, with API tokens of the project: at most 1,000, each once, without examples. Null when there are none, and for contexts of the request',
    }),
});

/** The effect of a milestone compares what contexts get now with what they would get after its start. */
export const milestoneEffectRoutes = defineRoutes('Release plans', {
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/effect':
    {
      summary: 'Show the effect of a milestone: who would get or lose the flag if it started now',
      description:
        'Evaluates the flag with its present strategies and with those of the milestone, as SDKs do. The flag counts as on and not held. Without `contexts`, 1,000 sampled user ids are evaluated, the same for each request, and the contexts that clients sent lately (`seen`), which Yardarm does not store. Changes nothing.',
      access: 'signed-in',
      body: z.strictObject({
        contexts: z
          .array(contextBody)
          .min(1, 'must not be empty')
          .max(maxContexts)
          .optional()
          .meta({ description: 'The contexts to evaluate in place of the sample' }),
        strategies: planStrategies.optional().meta({
          description: '`remove`: without the own strategies of the flag, as the end of shadow mode can remove them',
        }),
      }),
      exactNumbers: true,
      answers: { 200: json(milestoneEffectSchema) },
      emits: [],
    },
});
