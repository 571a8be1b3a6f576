import { givenEnabled } from '#testing/flags.ts';
import { givenPlan, inThreeSteps } from '#testing/release-plans.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const plans = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/release_plans' as const;
const plan = `${plans}/:planId` as const;
const milestone = `${plan}/milestones/:milestoneId/start` as const;

const started = 'release-plan-milestone-started' as const;
const given = async (server: TestServer) => ({ params: (await givenPlan(server)).params });
const atSecond = async (server: TestServer) => {
  const { params, milestoneIds } = await givenPlan(server);
  return { params: { ...params, milestoneId: milestoneIds[1] ?? '' } };
};
const inShadow = async (server: TestServer) => {
  const { params, milestoneIds } = await givenPlan(server, inThreeSteps, undefined, { shadow: true });
  const query = { shadow: 'false', strategies: 'remove' };
  return { params: { ...params, milestoneId: milestoneIds[1] ?? '' }, query };
};
const toAdd = async (server: TestServer) => ({
  params: await givenEnabled(server),
  body: { milestones: inThreeSteps, strategies: 'remove' },
});

/** Scenarios of the earlier paths of release plans, which have an underscore: `release_plans`. */
export const oldReleasePlanScenarios: readonly Scenario[] = [
  { route: `GET ${plans}`, name: 'lists the plan', given, status: 200, answer: [{ discriminator: 'plan' }] },
  {
    route: `GET ${plans}`,
    name: 'answers 404 for an unknown environment',
    given: async (server) => ({ params: { ...(await givenEnabled(server)), environment: 'nowhere' } }),
    status: 404,
  },
  {
    route: `POST ${plans}`,
    name: 'adds a plan',
    given: toAdd,
    status: 200,
    answer: { discriminator: 'plan' },
    events: [{ type: 'release-plan-added' }, { type: 'feature-strategy-remove' }, { type: started }],
  },
  { route: `POST ${plans}`, name: 'answers 403 to a viewer', as: 'viewer', given: toAdd, status: 403 },
  {
    route: `POST ${milestone}`,
    name: 'starts a milestone',
    given: atSecond,
    status: 200,
    answer: { name: '50 %' },
    events: [{ type: started, data: { milestoneName: '50 %', trigger: 'person' } }],
  },
  {
    route: `POST ${milestone}`,
    name: 'ends the shadow mode of a plan',
    given: inShadow,
    status: 200,
    events: [{ type: 'feature-strategy-remove' }, { type: started }],
  },
  { route: `POST ${milestone}`, name: 'answers 403 to a viewer', as: 'viewer', given: atSecond, status: 403 },
  {
    route: `DELETE ${plan}`,
    name: 'removes the plan and switches off a flag without other strategies',
    given,
    status: 200,
    events: [{ type: 'release-plan-removed' }, { type: 'feature-environment-disabled' }],
  },
  { route: `DELETE ${plan}`, name: 'answers 403 to a viewer', as: 'viewer', given, status: 403 },
];
