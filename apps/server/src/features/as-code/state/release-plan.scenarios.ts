import { expect } from 'vitest';
import { addStrategy, type FlagEnvironmentParams, freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { errorsBelow } from '#testing/impact-metrics.ts';
import { givenPlan, inThreeSteps, rolloutTo } from '#testing/release-plans.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';
const read = 'GET /api/admin/state';
const environment = 'development';
const owner = 4;

/** Returns a milestone as state: rolls the flag out to a percentage of users. */
function step(rollout: number, gates?: object) {
  return {
    name: `${rollout} %`,
    ...(gates === undefined ? {} : { transitionCondition: gates }),
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'userId' } }],
  };
}

const hour = { intervalMinutes: 60 };
/** The milestones of `givenPlan` as state. */
const threeSteps = [step(10, hour), step(50, hour), step(100)];

/** Returns a state of a flag in development. */
function having(project: string, flag: string, state: object, rest: object = {}) {
  const flags = { [flag]: { environments: { [environment]: state } } };
  return { state: { version: 1, projects: { [project]: { flags } }, ...rest } };
}

/** Creates a flag that is on with a running plan, in a project of its own. */
async function given(server: TestServer, milestones: readonly object[] = inThreeSteps) {
  return givenPlan(server, milestones, await givenEnabled(server, await givenProject(server)));
}

/** Returns a function that creates a flag with a running plan and returns the body that gives the flag this state. */
const changing = (state: object) => async (server: TestServer) => {
  const { params } = await given(server);
  return { body: having(params.projectId, params.featureName, state) };
};

async function readState(
  server: TestServer,
  { projectId, featureName }: Pick<FlagEnvironmentParams, 'projectId' | 'featureName'>,
) {
  const { json } = await server.admin.call(read, { query: { projects: projectId } });
  return { whole: json, state: json.projects[projectId].flags[featureName].environments[environment] };
}

/** Checks that the current state of a project changes nothing when it is applied. */
async function expectNoDifference(server: TestServer, project: string): Promise<void> {
  const { json: state } = await server.admin.call(read, { query: { projects: project } });
  const { json } = await server.admin.call(plan, { body: { state, prune: true } });
  expect(json).toMatchObject({ changes: [], errors: [] });
}

export const releasePlanStateScenarios: readonly Scenario[] = [
  {
    route: apply,
    name: 'adds a release plan to a new flag, and changes nothing the second time',
    given: async (server) => {
      const state = { enabled: true, strategies: [], releasePlan: { name: 'Slowly', milestones: threeSteps } };
      return { body: having(await givenProject(server), freshName('flag'), state) };
    },
    answer: {
      changes: [
        { type: 'feature-created' },
        { type: 'feature-environment-enabled' },
        {
          type: 'release-plan-added',
          kind: 'flag',
          environment,
          item: 'Slowly',
          fields: [0, 1, 2].map((index) => ({
            field: `milestones.${index}`,
            after: { name: threeSteps[index]?.name },
          })),
        },
        { type: 'release-plan-milestone-started', item: '10 %' },
      ],
    },
    events: [
      { type: 'feature-created' },
      { type: 'feature-environment-enabled' },
      { type: 'release-plan-added', environment, data: { name: 'Slowly' } },
      { type: 'release-plan-milestone-started', data: { milestoneName: '10 %', trigger: 'added' } },
    ],
    check: async ({ json }, server) => {
      const { project, name } = json.changes[0];
      const { state } = await readState(server, { projectId: project, featureName: name });
      expect(state).toEqual({ enabled: true, strategies: [], releasePlan: { name: 'Slowly', milestones: threeSteps } });
      await expectNoDifference(server, project);
    },
  },
  {
    route: apply,
    name: 'adds a release plan beside the strategies of a flag, with a new segment and a role by name',
    given: async (server) => {
      const params = await givenEnabled(server, await givenProject(server));
      const segment = freshName('segment');
      const gates = { ...hour, approval: { by: 'person', role: 'Owner' } };
      const first = { ...step(10, gates), strategies: [{ name: 'default', segments: [segment] }] };
      const rest = {
        segments: { [segment]: { constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] } },
      };
      return {
        body: having(params.projectId, params.featureName, { releasePlan: { milestones: [first, step(100)] } }, rest),
      };
    },
    answer: {
      changes: [
        { type: 'segment-created' },
        { type: 'release-plan-added', item: 'Release plan' },
        { type: 'release-plan-milestone-started' },
      ],
    },
    events: [
      { type: 'segment-created' },
      {
        type: 'release-plan-added',
        data: { milestones: [{ transitionCondition: { approval: { by: 'person', role: owner } } }, { name: '100 %' }] },
      },
      { type: 'release-plan-milestone-started', data: { strategies: [{ segments: [expect.any(Number)] }] } },
    ],
    check: async ({ json }, server) => {
      const { project, name } = json.changes[1];
      const { state } = await readState(server, { projectId: project, featureName: name });
      expect(state.strategies).toMatchObject([{ name: 'flexibleRollout', parameters: { rollout: '100' } }]);
      expect(state.releasePlan.milestones[0].transitionCondition.approval).toEqual({ by: 'person', role: 'Owner' });
      await expectNoDifference(server, project);
    },
  },
  {
    route: apply,
    name: 'changes gates and strategies of a running release plan in place',
    given: changing({
      releasePlan: { milestones: [{ ...step(20, { intervalMinutes: 30 }), name: '10 %' }, step(50), step(100)] },
    }),
    answer: {
      changes: [
        {
          type: 'milestone-progression-updated',
          item: '10 %',
          fields: [{ field: 'transitionCondition.intervalMinutes', before: 60, after: 30 }],
        },
        {
          type: 'release-plan-updated',
          item: '10 %: flexibleRollout',
          fields: [{ field: 'parameters.rollout', before: '10', after: '20' }],
        },
        {
          type: 'milestone-progression-deleted',
          item: '50 %',
          fields: [{ field: 'transitionCondition.intervalMinutes', before: 60 }],
        },
      ],
    },
    events: [
      { type: 'milestone-progression-updated', environment },
      { type: 'release-plan-updated', environment },
      { type: 'milestone-progression-deleted', environment },
    ],
    check: async ({ json }, server) => expectNoDifference(server, json.changes[0].project),
  },
  {
    route: apply,
    name: 'adds a release plan in place of the strategies of a flag, which stays on',
    given: async (server) => {
      const { projectId, featureName } = await givenEnabled(server, await givenProject(server));
      return { body: having(projectId, featureName, { strategies: [], releasePlan: { milestones: threeSteps } }) };
    },
    events: [
      { type: 'feature-strategy-remove' },
      { type: 'release-plan-added' },
      { type: 'release-plan-milestone-started' },
    ],
    check: async ({ json }, server) => {
      const { project, name } = json.changes[0];
      const { state } = await readState(server, { projectId: project, featureName: name });
      expect(state).toMatchObject({ enabled: true, strategies: [] });
      await expectNoDifference(server, project);
    },
  },
  {
    route: apply,
    name: 'gives a milestone gates that it did not have',
    given: async (server) => {
      const { params } = await given(server, [rolloutTo(10), rolloutTo(100)]);
      const milestones = [step(10, hour), step(100)];
      return { body: having(params.projectId, params.featureName, { releasePlan: { milestones } }) };
    },
    answer: { changes: [{ type: 'milestone-progression-created', item: '10 %' }] },
    events: [{ type: 'milestone-progression-created', environment }],
  },
  {
    route: apply,
    name: 'changes which of two strategies of a milestone is active',
    given: async (server) => {
      const pair = (isFirst: boolean) => [
        { name: 'default', title: 'A', disabled: !isFirst },
        { name: 'userWithId', title: 'B', disabled: isFirst, parameters: { userIds: '1' } },
      ];
      const { params } = await given(server, [{ name: 'Some', strategies: pair(true) }, rolloutTo(100)]);
      const milestones = [{ name: 'Some', strategies: pair(false) }, step(100)];
      return { body: having(params.projectId, params.featureName, { releasePlan: { milestones } }) };
    },
    answer: { changes: [{ item: 'Some: userWithId (B)' }, { item: 'Some: default (A)' }] },
    events: [{ type: 'release-plan-updated' }, { type: 'release-plan-updated' }],
  },
  {
    route: apply,
    name: 'leaves the release plan alone that a flag does not name, and changes its own strategies beside it',
    given: async (server) => {
      const { params } = await given(server);
      await addStrategy(server, params, { name: 'remoteAddress', parameters: { IPs: '10.0.0.1' } });
      const strategies = [{ name: 'remoteAddress', parameters: { IPs: '10.0.0.2' } }];
      return { body: having(params.projectId, params.featureName, { enabled: true, strategies }) };
    },
    events: [{ type: 'feature-strategy-update', data: { parameters: { IPs: '10.0.0.2' } } }],
    check: async ({ json }, server) => {
      const { project, name } = json.changes[0];
      const { state } = await readState(server, { projectId: project, featureName: name });
      expect(state.releasePlan.milestones).toEqual(threeSteps);
      await expectNoDifference(server, project);
    },
  },
  {
    route: apply,
    name: 'keeps a flag on that loses its last strategy beside a release plan',
    given: async (server) => {
      const { params } = await given(server);
      await addStrategy(server, params, { name: 'default' });
      return { body: having(params.projectId, params.featureName, { strategies: [] }) };
    },
    events: [{ type: 'feature-strategy-remove' }],
  },
  {
    route: apply,
    name: 'removes a release plan that is null, which switches off a flag without another strategy',
    given: changing({ releasePlan: null }),
    answer: {
      changes: [{ type: 'release-plan-removed', item: 'Release gradually' }, { type: 'feature-environment-disabled' }],
    },
    events: [{ type: 'release-plan-removed' }, { type: 'feature-environment-disabled' }],
  },
  {
    route: apply,
    name: 'removes a release plan that is null, and keeps the flag on with the strategies of the state',
    given: changing({ enabled: true, strategies: [{ name: 'default' }], releasePlan: null }),
    answer: { changes: [{ type: 'feature-strategy-add' }, { type: 'release-plan-removed' }] },
    events: [{ type: 'feature-strategy-add' }, { type: 'release-plan-removed' }],
  },
  {
    route: apply,
    name: 'changes nothing when a release plan that is null does not exist',
    given: async (server) => {
      const { projectId, featureName } = await givenEnabled(server);
      return { body: having(projectId, featureName, { releasePlan: null }) };
    },
    answer: { changes: [] },
  },
  ...refused(apply, 400, {
    'refuses a new release plan without milestones': async (server) => {
      const { projectId, featureName } = await givenEnabled(server);
      return { body: having(projectId, featureName, { releasePlan: { name: 'Empty' } }) };
    },
    'refuses more strategies than the limit, with those of the release plan': async (server) => {
      const { params } = await given(server);
      const strategies = Array.from({ length: 30 }, () => ({ name: 'default' }));
      return { body: having(params.projectId, params.featureName, { strategies }) };
    },
  }),
  ...refused(apply, 400, {
    'refuses a milestone that is added to a stored plan': changing({
      releasePlan: { milestones: [...threeSteps, step(100)] },
    }),
    'refuses milestones of a stored plan that are moved': changing({
      releasePlan: { milestones: [step(50, hour), step(10, hour), step(100)] },
    }),
    'refuses another name of a stored plan': changing({ releasePlan: { name: 'Fast' } }),
    'refuses another number of halts of a stored plan': changing({ releasePlan: { maxHalts: 5 } }),
    'refuses the shadow mode of a stored plan': changing({ releasePlan: { shadow: true } }),
    'refuses another description of a stored plan': changing({ releasePlan: { description: 'New' } }),
    'refuses a strategy that is added to a milestone of a stored plan': changing({
      releasePlan: {
        milestones: [
          { ...step(10, hour), strategies: [{ name: 'default' }, { name: 'default' }] },
          step(50, hour),
          step(100),
        ],
      },
    }),
    'refuses gates of the last milestone of a stored plan': changing({
      releasePlan: { milestones: [step(10, hour), step(50, hour), step(100, hour)] },
    }),
    'refuses an unknown role, metric, segment and strategy': changing({
      releasePlan: {
        milestones: [
          step(10, { ...hour, approval: { by: 'person', role: 'Nobody' } }),
          step(50, {
            ...hour,
            metric: {
              ...errorsBelow(5),
              impactMetric: { ...errorsBelow(5).impactMetric, metricName: 'errors_of_nobody' },
            },
          }),
          { ...step(100), strategies: [{ name: 'none', segments: ['none'] }] },
        ],
      },
    }),
    'refuses a milestone without an active strategy': changing({
      releasePlan: {
        milestones: [
          step(10, hour),
          step(50, hour),
          { ...step(100), strategies: [{ name: 'default', disabled: true }] },
        ],
      },
    }),
  }),
  {
    route: plan,
    name: 'names the permissions that a change of a release plan needs',
    as: 'viewer',
    given: changing({
      releasePlan: { milestones: [step(10, { intervalMinutes: 5 }), step(50, hour), step(100)] },
    }),
    answer: { permissions: [{ message: expect.stringMatching(/UPDATE_FEATURE_STRATEGY in project-.*, development/) }] },
  },
];
