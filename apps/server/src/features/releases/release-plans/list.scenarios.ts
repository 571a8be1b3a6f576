import { expect } from 'vitest';
import { givenEnabled, givenProject } from '#testing/flags.ts';
import { givenPlan } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const list = 'GET /api/admin/release-plans';

export const releasePlanListScenarios: readonly Scenario[] = [
  {
    route: list,
    name: 'lists the plans of all projects, without their strategies',
    as: 'viewer',
    given: async (server) => {
      const project = await givenProject(server);
      await givenPlan(server, undefined, await givenEnabled(server, project));
      return { query: { project, state: 'running' } };
    },
    answer: {
      releasePlans: [
        {
          name: 'Release gradually',
          project: expect.any(String),
          environment: 'development',
          milestoneName: '10 %',
          milestoneOrder: 0,
          totalMilestones: 3,
          progress: { state: 'running' },
        },
      ],
      total: 1,
    },
    check: ({ json }) => expect(json.releasePlans[0]).not.toHaveProperty('milestones'),
  },
  ...refused(list, 400, {
    'refuses an unknown state': async () => ({ query: { state: 'lost' } }),
  }),
];
