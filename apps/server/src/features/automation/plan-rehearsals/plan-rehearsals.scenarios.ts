import { givenEnabled } from '#testing/flags.ts';
import { givenPlan } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const route =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/rehearse' as const;

export const planRehearsalScenarios: readonly Scenario[] = [
  {
    route,
    name: 'rehearses the plan of a flag',
    given: async (server) => {
      const { planId, ...params } = (await givenPlan(server)).params;
      return { params, body: { planId, hours: 24 } };
    },
    as: 'editor',
    events: [],
  },
  ...refused(route, 404, {
    'rejects a plan that the flag does not have': async (server) => ({
      params: await givenEnabled(server),
      body: { planId: 'none' },
    }),
  }),
];
