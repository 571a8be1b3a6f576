import { expect } from 'vitest';
import { addStrategy, freshName, givenFlagIn, givenProject, givenStrategy } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';

const constraints = [{ contextName: 'region', operator: 'IN', values: ['eu', 'us'] }];
const storedConstraints = [{ ...constraints[0], inverted: false, caseInsensitive: false }];

const named =
  (body: object = {}, more: object = {}) =>
  async (server: TestServer) => {
    const { id, name } = await givenSegment(server, more);
    return { params: { id }, body: { name, constraints, ...body } };
  };

/** Creates a segment and one strategy that uses it. */
const givenUsedSegment = async (server: TestServer, body?: object) => {
  const { id, name } = await givenSegment(server);
  const strategy = await givenStrategy(server, { name: 'default', segments: [id] });
  return { params: { ...strategy, id }, body: { name, constraints, ...body } };
};

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/segments',
    name: 'lists segments by name with their uses',
    as: 'viewer',
    given: async (server) => {
      const { id } = await givenSegment(server, { name: 'zzz in use' });
      await givenSegment(server, { name: 'aaa not in use' });
      const flag = await givenStrategy(server, { name: 'default', segments: [id] });
      const list = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;
      const again = { params: { ...flag, environment: 'production' }, body: { name: 'default', segments: [id] } };
      expect((await server.admin.call(`POST ${list}`, again)).status).toBe(200);
      return {};
    },
    check: ({ json }) => {
      const names = json.segments.map(({ name }: { name: string }) => name);
      expect(names).toEqual(names.toSorted());
      expect(json.segments[0]).toMatchObject({ name: 'aaa not in use', usedInFeatures: 0, usedInProjects: 0 });
      expect(json.segments.at(-1)).toMatchObject({ name: 'zzz in use', usedInFeatures: 1, usedInProjects: 1 });
    },
  },
  {
    route: 'GET /api/admin/segments/:id',
    name: 'shows a segment',
    as: 'viewer',
    given: async (server) => ({
      params: { id: (await givenSegment(server, { constraints, description: 'Both sides' })).id },
    }),
    answer: {
      description: 'Both sides',
      project: null,
      constraints: storedConstraints,
      usedInFeatures: 0,
      usedInProjects: 0,
    },
  },
  {
    route: 'GET /api/admin/segments/:id/strategies',
    name: 'lists the strategies that use the segment',
    as: 'viewer',
    given: async (server) => ({ params: (await givenUsedSegment(server)).params }),
    check: ({ json }) => {
      expect(json.strategies).toEqual([
        {
          id: expect.any(String),
          strategyName: 'default',
          featureName: expect.any(String),
          projectId: 'default',
          environment: 'development',
        },
      ]);
    },
  },
  {
    route: 'GET /api/admin/segments/strategies/:strategyId',
    name: 'lists the segments of a strategy',
    as: 'viewer',
    given: async (server) => ({ params: (await givenUsedSegment(server)).params }),
    check: ({ json }) =>
      expect(json.segments).toMatchObject([{ usedInFeatures: 1, constraints: [{ values: ['NO'] }] }]),
  },
  {
    route: 'GET /api/admin/segments/strategies/:strategyId',
    name: 'lists nothing for a strategy without segments',
    given: async (server) => ({ params: await givenStrategy(server) }),
    check: ({ json }) => expect(json).toEqual({ segments: [] }),
  },
  {
    route: 'POST /api/admin/segments/validate',
    name: 'answers 204 for a free name',
    as: 'viewer',
    call: { body: { name: 'free as the wind' } },
  },
  ...refused('POST /api/admin/segments/validate', 409, {
    'answers 409 for a name that is taken': async (server) => ({ body: { name: (await givenSegment(server)).name } }),
  }),
];

const creating: readonly Scenario[] = [
  {
    route: 'POST /api/admin/segments',
    name: 'creates a segment',
    as: 'editor',
    given: async () => ({ body: { name: freshName('segment'), description: 'Both sides', constraints } }),
    answer: {
      description: 'Both sides',
      project: null,
      constraints: storedConstraints,
      createdBy: 'editor',
      usedInFeatures: 0,
    },
    check: ({ json, headers }) => expect(headers.get('location')).toBe(`segments/${json.id}`),
    events: [
      {
        type: 'segment-created',
        project: null,
        featureName: null,
        environment: null,
        preData: null,
        data: { id: expect.any(Number), description: 'Both sides', project: null, constraints: storedConstraints },
      },
    ],
  },
  {
    route: 'POST /api/admin/segments',
    name: 'creates a segment of a project',
    given: async (server) => ({
      body: { name: freshName('segment'), project: await givenProject(server), constraints: [] },
    }),
    answer: { constraints: [], description: null },
    events: [{ type: 'segment-created', project: expect.stringContaining('project') as string }],
  },
  ...refused('POST /api/admin/segments', 409, {
    'answers 409 for a name that is taken in any project': async (server) => ({
      body: { name: (await givenSegment(server)).name, project: await givenProject(server), constraints },
    }),
  }),
  ...refused('POST /api/admin/segments', 400, {
    'answers 400 for an unknown project': async () => ({
      body: { name: freshName('segment'), project: 'nowhere', constraints },
    }),
    'checks constraints like those of strategies': async () => ({
      body: { name: freshName('segment'), constraints: [{ contextName: 'n', operator: 'NUM_GT', value: 'five' }] },
    }),
  }),
];

const changing: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/segments/:id',
    name: 'updates the segment and records the old and new values',
    as: 'editor',
    given: named({ name: 'renamed' }, { description: 'stays' }),
    events: [
      {
        type: 'segment-updated',
        project: null,
        preData: { description: 'stays', constraints: [{ values: ['NO'] }] },
        data: { name: 'renamed', description: 'stays', constraints: storedConstraints },
      },
    ],
  },
  {
    route: 'PUT /api/admin/segments/:id',
    name: 'moves the segment to the only project that uses it',
    given: (server) => givenUsedSegment(server, { project: 'default', description: null }),
    events: [{ type: 'segment-updated', project: 'default', preData: { project: null }, data: { project: 'default' } }],
  },
  ...refused('PUT /api/admin/segments/:id', 409, {
    'answers 409 for the name of another segment': async (server) =>
      named({ name: (await givenSegment(server)).name })(server),
  }),
  ...refused('PUT /api/admin/segments/:id', 400, {
    'answers 400 for moving the segment while flags of another project use it': async (server) =>
      givenUsedSegment(server, { project: await givenProject(server) }),
    'checks constraints like those of strategies': named({
      constraints: [{ contextName: 'v', operator: 'SEMVER_EQ', value: '1' }],
    }),
  }),
  {
    route: 'DELETE /api/admin/segments/:id',
    name: 'deletes a segment',
    as: 'editor',
    given: named({}, { project: 'default' }),
    events: [{ type: 'segment-deleted', project: 'default', data: null, preData: { project: 'default' } }],
  },
  ...refused('DELETE /api/admin/segments/:id', 409, {
    'answers 409 while a strategy uses the segment, and names the flag': async (server) => ({
      params: (await givenUsedSegment(server)).params,
    }),
    'answers 409 while an archived flag uses the segment': async (server) => {
      const { params } = await givenUsedSegment(server);
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      return { params };
    },
    'answers 409, naming the environment, while a strategy uses the segment in an environment that was removed from the project':
      async (server) => {
        const { id } = await givenSegment(server);
        const params = await givenFlagIn(server, 'development', await givenProject(server));
        await addStrategy(server, params, { name: 'default', segments: [id] });
        await server.admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
        return { params: { id } };
      },
  }),
];

export const segmentScenarios: readonly Scenario[] = [...reading, ...creating, ...changing];
