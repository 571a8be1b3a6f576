import { givenFlagIn, givenProject } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';

/** Scenarios of gradual rollouts. */
export const rolloutScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
    name: 'adds a gradual rollout for some users',
    isExample: true,
    given: async (server) => ({
      params: await givenFlagIn(server, 'production', await givenProject(server)),
      body: {
        name: 'flexibleRollout',
        parameters: { rollout: '25', stickiness: 'userId' },
        constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
      },
    }),
    answer: { name: 'flexibleRollout', parameters: { rollout: '25' } },
    events: [{ type: 'feature-strategy-add', environment: 'production' }],
  },
];
