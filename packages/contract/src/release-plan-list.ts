import { z } from 'zod';
import { planStates, progressSchema, releasePlanSchema } from './release-plans.ts';
import { defineRoutes, ok } from './route.ts';
import { paging } from './scalars.ts';
import { nameParam } from './text.ts';

/** A release plan in a list: without its milestones and their strategies. */
const listedPlanSchema = releasePlanSchema
  .pick({
    id: true,
    name: true,
    featureName: true,
    environment: true,
    createdAt: true,
    releasePlanTemplateId: true,
  })
  .extend({
    progress: progressSchema.omit({ waitsFor: true }),
    project: z.string(),
    milestoneName: z.string(),
    milestoneOrder: z.number().int().meta({ description: 'The position of the milestone, from 0' }),
    totalMilestones: z.number().int(),
  });

/** The release plans of all flags. */
export const releasePlanListRoutes = defineRoutes('Release plans', {
  'GET /api/admin/release-plans': {
    summary: 'List the release plans of all projects that the caller can see, those that need a person first',
    description:
      'In the order: paused because a milestone could not start, held, paused by a person, halted, waiting, gated, off, running, completed; the newest first within each.',
    access: 'signed-in',
    query: z.object({
      project: nameParam.optional(),
      state: z.enum(planStates).optional(),
      ...paging(100, 1000),
    }),
    answers: ok({ releasePlans: z.array(listedPlanSchema), total: z.number().int() }),
  },
});
