import { expect } from 'vitest';
import { givenDefault, givenFlag, givenProject } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';

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

/** Creates a project; returns a request that sets its default strategy in production. */
const inProject = (requestBody: object) => async (server: TestServer) => ({
  params: { projectId: await givenProject(server), environment: 'production' },
  body: requestBody,
});

export const defaultStrategyScenarios: readonly Scenario[] = [
  {
    route,
    name: 'sets the default strategy of a project in an environment',
    given: inProject(body),
    answer: kept,
    events: [{ type: 'default-strategy-updated', environment: 'production', preData: null, data: kept }],
  },
  {
    route,
    name: 'replaces the default strategy and its segments',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = await givenDefault(server, { ...body, segments: [id] });
      return { params, body: { name: 'default' } };
    },
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
    name: 'records no event when nothing changes',
    given: async (server) => ({ params: await givenDefault(server, body), body }),
    answer: kept,
  },
  ...refused(route, 400, {
    'rejects a disabled strategy': inProject({ ...body, disabled: true }),
    'rejects an unknown strategy type': inProject({ name: 'none such' }),
    'rejects invalid parameters of the strategy': inProject({
      name: 'flexibleRollout',
      parameters: { rollout: '101' },
    }),
    'rejects an invalid constraint': inProject({
      ...body,
      constraints: [{ contextName: 'age', operator: 'NUM_GT', value: 'old' }],
    }),
    'rejects a segment of another project': async (server) => {
      const { id } = await givenSegment(server, { project: await givenProject(server) });
      return inProject({ ...body, segments: [id] })(server);
    },
  }),
  {
    route: on,
    name: 'gives a flag the default strategy of its project, completed for the flag',
    given: async (server) => {
      const projectId = await givenProject(server, { defaultStickiness: 'accountId' });
      await givenDefault(server, body, projectId);
      return { params: { ...(await givenFlag(server, {}, projectId)), environment: 'production' } };
    },
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
    name: 'does not use the default strategy of another environment',
    given: async (server) => {
      const { projectId } = await givenDefault(server, body);
      return { params: { ...(await givenFlag(server, {}, projectId)), environment: 'development' } };
    },
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
    name: 'gives each of several flags the default strategy',
    given: async (server) => {
      const { id } = await givenSegment(server);
      const params = await givenDefault(server, { ...body, segments: [id] });
      const flags = [await givenFlag(server, {}, params.projectId), await givenFlag(server, {}, params.projectId)];
      return { params, body: { features: flags.map(({ featureName }) => featureName) } };
    },
    events: [
      { type: 'feature-strategy-add', data: { segments: [expect.any(Number)] } },
      enabled,
      { type: 'feature-strategy-add', data: { segments: [expect.any(Number)] } },
      enabled,
    ],
  },
  {
    route: 'POST /api/admin/projects/:projectId/environments',
    name: 'adds an environment with a default strategy',
    given: async (server) => {
      const projectId = await givenProject(server, { environments: ['development'] });
      return { params: { projectId }, body: { environment: 'production', defaultStrategy: body } };
    },
    events: [
      { type: 'project-environment-added', environment: 'production' },
      { type: 'default-strategy-updated', environment: 'production', preData: null, data: kept },
    ],
  },
  ...refused('POST /api/admin/projects/:projectId/environments', 400, {
    'adds no environment when the default strategy is invalid': async (server) => {
      const projectId = await givenProject(server, { environments: ['development'] });
      return { params: { projectId }, body: { environment: 'production', defaultStrategy: { name: 'none such' } } };
    },
  }),
  {
    route: 'GET /api/admin/projects/:projectId/overview',
    name: 'shows the default strategies by environment',
    as: 'viewer',
    given: async (server) => ({ params: await givenDefault(server, body) }),
    check: ({ json }) =>
      expect(json.environments).toEqual([
        { environment: 'development', changeRequestsEnabled: false },
        { environment: 'production', changeRequestsEnabled: false, defaultStrategy: kept },
      ]),
  },
  ...refused('DELETE /api/admin/segments/:id', 409, {
    'answers 409 for a segment that a default strategy uses': async (server) => {
      const { id } = await givenSegment(server);
      await givenDefault(server, { ...body, segments: [id] });
      return { params: { id } };
    },
  }),
  ...refused('PUT /api/admin/segments/:id', 400, {
    'rejects moving a segment away from the project whose default strategy uses it': async (server) => {
      const { id, name } = await givenSegment(server);
      await givenDefault(server, { ...body, segments: [id] });
      return { params: { id }, body: { name, project: 'default', constraints: [] } };
    },
  }),
];
