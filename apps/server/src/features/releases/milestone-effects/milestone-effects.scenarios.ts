import { givenPlan } from '#testing/release-plans.ts';
import type { Scenario } from '#testing/scenario.ts';

const route =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/effect' as const;

export const milestoneEffectScenarios: readonly Scenario[] = [
  {
    route,
    name: 'evaluates the contexts of the request',
    given: async (server) => {
      const { params, milestoneIds } = await givenPlan(server);
      const contexts = [{ userId: 'anna', country: 'NO' }];
      return { params: { ...params, milestoneId: milestoneIds[1] ?? '' }, body: { contexts } };
    },
    as: 'viewer',
    events: [],
  },
];
