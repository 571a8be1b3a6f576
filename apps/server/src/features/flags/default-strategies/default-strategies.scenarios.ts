import { expect } from 'vitest';
import { givenDefault, givenEnvironment, givenFlag, givenProject } from '../../../../testing/flags.ts';
import type { Scenario } from '../../../../testing/scenario.ts';
import { givenSegment } from '../../../../testing/segments.ts';
import type { TestServer } from '../../../../testing/server.ts';

const route = 'POST /api/admin/projects/:projectId/environments/:environment/default-strategy' as const;
const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on' as const;
const enabled = { type: 'feature-environment-enabled', environment: 'production' } as const;

const body = {
  name: 'flexibleRollout',
  title: 'A quarter first',
  parameters: { rollout: 25 },
  constraints: [{ contextName: 'country', operator: 'IN', values: ['NO'] }],
  variants: [{ name: 'a', weight: 0, weightType: 'variable', stickiness: 'default' }],
};
const kept = {
  name: 'flexibleRollout',
  title: 'A quarter first',
  disabled: false,
  parameters: { rollout: '25' },
  constraints: [{ contextName: 'country', operator: 'IN', values: ['NO'], inverted: false, caseInsensitive: false }],
  variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
  segments: [],
};

/** A project, and what is asked of its default strategy in production. */
const inProject = (asked: object) => async (server: TestServer) => ({
  params: { projectId: await givenProject(server), environment: 'production' },
  body: asked,
});

export const defaultStrategyScenarios: readonly Scenario[] = [
  {
    route,
    name: 'sets what flags of the project get there',
    given: inProject(body),
    status: 200,
    answer: kept,
    events: [{ type: 'default-strategy-updated', environment: 'production', preData: null, data: kept }],
  },
  {
    route,
    name: 'replaces the one there is, with its segments',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = await givenDefault(server, { ...body, segments: [id] });
      return { params, body: { name: 'default' } };
    },
    status: 200,
    answer: { name: 'default', title: null, parameters: {}, constraints: [], variants: [], segments: [] },
    events: [
      {
        type: 'default-strategy-updated',
        preData: { ...kept, segments: [expect.any(Number)] },
        data: { name: 'default', segments: [] },
      },
    ],
  },
  {
    route,
    name: 'records nothing when it is that already',
    given: async (server) => ({ params: await givenDefault(server, body), body }),
    status: 200,
    answer: kept,
  },
  {
    route,
    name: 'refuses one that is disabled: flags that are on need one in use',
    given: inProject({ ...body, disabled: true }),
    status: 400,
    answer: { details: [{ path: 'disabled' }] },
  },
  {
    route,
    name: 'refuses a strategy that there is not',
    given: inProject({ name: 'none such' }),
    status: 400,
    answer: { details: [{ path: 'name' }] },
  },
  {
    route,
    name: 'refuses parameters that the strategy does not take',
    given: inProject({ name: 'flexibleRollout', parameters: { rollout: '101' } }),
    status: 400,
    answer: { details: [{ path: 'parameters.rollout' }] },
  },
  {
    route,
    name: 'refuses a constraint that cannot be read',
    given: inProject({ ...body, constraints: [{ contextName: 'age', operator: 'NUM_GT', value: 'old' }] }),
    status: 400,
  },
  {
    route,
    name: 'refuses a segment of another project',
    given: async (server) => {
      const { id } = await givenSegment(server, { project: await givenProject(server) });
      return inProject({ ...body, segments: [id] })(server);
    },
    status: 400,
  },
  {
    route,
    name: 'does not know an environment that the project lacks',
    given: async (server) => ({ params: { projectId: 'default', environment: await givenEnvironment(server) }, body }),
    status: 404,
  },
  {
    route,
    name: 'does not know the project',
    call: { params: { projectId: 'nowhere', environment: 'production' }, body },
    status: 404,
  },
  {
    route,
    name: 'is not for Editors in a project of others',
    as: 'editor',
    given: inProject(body),
    status: 403,
  },
  {
    route: on,
    name: 'gives a flag the default strategy of its project, completed for the flag',
    given: async (server) => {
      const projectId = await givenProject(server, { defaultStickiness: 'accountId' });
      await givenDefault(server, body, projectId);
      return { params: { ...(await givenFlag(server, {}, projectId)), environment: 'production' } };
    },
    status: 200,
    check: ({ json }) => {
      const parameters = { rollout: '25', stickiness: 'accountId', groupId: json.name };
      expect(json.environments[1].strategies).toMatchObject([{ ...kept, parameters, sortOrder: 0 }]);
    },
    events: [
      { type: 'feature-strategy-add', environment: 'production', data: { ...kept, parameters: { rollout: '25' } } },
      enabled,
    ],
  },
  {
    route: on,
    name: 'does so in that environment alone',
    given: async (server) => {
      const { projectId } = await givenDefault(server, body);
      return { params: { ...(await givenFlag(server, {}, projectId)), environment: 'development' } };
    },
    status: 200,
    events: [
      {
        type: 'feature-strategy-add',
        environment: 'development',
        data: { title: null, parameters: { rollout: '100' } },
      },
      { type: 'feature-environment-enabled', environment: 'development' },
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on',
    name: 'gives each of several flags a strategy made of the default one',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = await givenDefault(server, { ...body, segments: [id] });
      const flags = [await givenFlag(server, {}, params.projectId), await givenFlag(server, {}, params.projectId)];
      return { params, body: { features: flags.map(({ featureName }) => featureName) } };
    },
    status: 200,
    events: [
      { type: 'feature-strategy-add', data: { segments: [expect.any(Number)] } },
      enabled,
      { type: 'feature-strategy-add', data: { segments: [expect.any(Number)] } },
      enabled,
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/environments',
    name: 'adds an environment with the default strategy it is to have',
    given: async (server) => {
      const projectId = await givenProject(server, { environments: ['development'] });
      return { params: { projectId }, body: { environment: 'production', defaultStrategy: body } };
    },
    status: 200,
    events: [
      { type: 'project-environment-added', environment: 'production' },
      { type: 'default-strategy-updated', environment: 'production', preData: null, data: kept },
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/environments',
    name: 'adds nothing when the default strategy is wrong',
    given: async (server) => {
      const projectId = await givenProject(server, { environments: ['development'] });
      return { params: { projectId }, body: { environment: 'production', defaultStrategy: { name: 'none such' } } };
    },
    status: 400,
  },
  {
    route: 'GET /api/admin/projects/:projectId/overview',
    name: 'shows the default strategies by environment',
    as: 'viewer',
    given: async (server) => ({ params: await givenDefault(server, body) }),
    status: 200,
    check: ({ json }) =>
      expect(json.environments).toEqual([
        { environment: 'development', changeRequestsEnabled: false },
        { environment: 'production', changeRequestsEnabled: false, defaultStrategy: kept },
      ]),
  },
  {
    route: 'DELETE /api/admin/segments/:id',
    name: 'keeps a segment that a default strategy uses',
    given: async (server) => {
      const { id } = await givenSegment(server);
      await givenDefault(server, { ...body, segments: [id] });
      return { params: { id } };
    },
    status: 409,
  },
  {
    route: 'PUT /api/admin/segments/:id',
    name: 'leaves a segment to the project whose default strategy uses it',
    given: async (server) => {
      const { id, name } = await givenSegment(server);
      await givenDefault(server, { ...body, segments: [id] });
      return { params: { id }, body: { name, project: 'default', constraints: [] } };
    },
    status: 400,
    answer: { details: [{ path: 'project' }] },
  },
];
