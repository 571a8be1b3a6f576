import { expect } from 'vitest';
import { addStrategy, givenFlagIn, givenProject, givenStrategy } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import type { TestServer } from '#testing/server.ts';

const list = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;
const strategyPath = `${list}/:strategyId` as const;
const unknown = 2147483647;

async function givenSegments(server: TestServer, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push((await givenSegment(server)).id);
  return ids;
}

/** Creates a segment that only flags of another project may use. */
const foreign = async (server: TestServer) => (await givenSegment(server, { project: await givenProject(server) })).id;

/** Creates a strategy with one segment; returns a request whose body `make` makes from that segment and another one. */
const inStrategy = (make: (before: number, other: number) => unknown) => async (server: TestServer) => {
  const [before = 0, other = 0] = await givenSegments(server, 2);
  const params = await givenStrategy(server, { name: 'default', segments: [before] });
  return { params, body: make(before, other) };
};

const creating: readonly Scenario[] = [
  {
    route: `POST ${list}`,
    name: 'stores the distinct segments of a strategy in order',
    as: 'editor',
    given: async (server) => {
      const segments = await givenSegments(server, 2);
      return {
        params: await givenFlagIn(server),
        body: { name: 'default', segments: [...segments.toReversed(), ...segments] },
      };
    },
    check: async ({ json }, server) => {
      expect(json.segments).toHaveLength(2);
      expect(json.segments).toEqual(json.segments.toSorted((a: number, b: number) => a - b));
      const events = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      expect(events.json.events[0].data.segments).toEqual(json.segments);
    },
    events: [{ type: 'feature-strategy-add' }],
  },
  {
    route: `POST ${list}`,
    name: 'accepts a segment of the project',
    given: async (server) => {
      const projectId = await givenProject(server);
      const featureName = `in-${projectId}`;
      const params = { projectId, featureName, environment: 'development' };
      await server.admin.call('POST /api/admin/projects/:projectId/features', { params, body: { name: featureName } });
      const { id } = await givenSegment(server, { project: projectId });
      return { params, body: { name: 'default', segments: [id] } };
    },
    answer: { segments: [expect.any(Number)] },
    events: [{ type: 'feature-strategy-add', data: { segments: [expect.any(Number)] } }],
  },
  ...refused(`POST ${list}`, 400, {
    'rejects an unknown segment and names it': async (server) => ({
      params: await givenFlagIn(server),
      body: { name: 'default', segments: [...(await givenSegments(server, 1)), unknown] },
    }),
    'rejects a segment of another project': async (server) => ({
      params: await givenFlagIn(server),
      body: { name: 'default', segments: [await foreign(server)] },
    }),
    'rejects more than five segments': async (server) => ({
      params: await givenFlagIn(server),
      body: { name: 'default', segments: await givenSegments(server, 6) },
    }),
  }),
];

const changing: readonly Scenario[] = [
  {
    route: `PUT ${strategyPath}`,
    name: 'keeps the segments when the body has none',
    given: inStrategy(() => ({ title: 'Renamed' })),
    answer: { title: 'Renamed', segments: [expect.any(Number)] },
    events: [
      {
        type: 'feature-strategy-update',
        preData: { segments: [expect.any(Number)] },
        data: { title: 'Renamed', segments: [expect.any(Number)] },
      },
    ],
  },
  {
    route: `PUT ${strategyPath}`,
    name: 'replaces the segments by those of the body',
    given: inStrategy((before, other) => ({ segments: [before, other] })),
    answer: { segments: [expect.any(Number), expect.any(Number)] },
    events: [{ type: 'feature-strategy-update' }],
  },
  {
    route: `PUT ${strategyPath}`,
    name: 'removes all segments',
    given: inStrategy(() => ({ segments: [] })),
    answer: { segments: [] },
    events: [{ type: 'feature-strategy-update', preData: { segments: [expect.any(Number)] }, data: { segments: [] } }],
  },
  {
    route: `PUT ${strategyPath}`,
    name: 'records no event when the segments stay',
    given: inStrategy((before) => ({ segments: [before, before] })),
  },
  ...refused(`PUT ${strategyPath}`, 400, {
    'rejects a segment of another project': async (server) => ({
      params: await givenStrategy(server),
      body: { segments: [await foreign(server)] },
    }),
  }),
  {
    route: `PATCH ${strategyPath}`,
    name: 'adds a segment',
    given: inStrategy((_before, other) => [{ op: 'add', path: '/segments/-', value: other }]),
    answer: { segments: [expect.any(Number), expect.any(Number)] },
    events: [{ type: 'feature-strategy-update' }],
  },
  {
    route: `PATCH ${strategyPath}`,
    name: 'keeps the segments when a patch changes another field',
    given: inStrategy(() => [{ op: 'replace', path: '/title', value: 'x' }]),
    answer: { segments: [expect.any(Number)] },
    events: [{ type: 'feature-strategy-update' }],
  },
  ...refused(`PATCH ${strategyPath}`, 400, {
    'rejects an unknown segment': inStrategy(() => [{ op: 'replace', path: '/segments/0', value: unknown }]),
  }),
  {
    route: 'POST /api/admin/projects/:projectId/features/:featureName/clone',
    name: 'copies the segments of strategies',
    given: async (server) => {
      const { params } = await inStrategy(() => undefined)(server);
      return { params, body: { name: `${params.featureName}-copy` } };
    },
    check: ({ json }) => {
      expect(json.environments[0].strategies).toMatchObject([{ segments: [expect.any(Number)] }]);
    },
    events: [{ type: 'feature-created' }, { type: 'feature-strategy-add', data: { segments: [expect.any(Number)] } }],
  },
];

const route = 'POST /api/admin/segments/strategies';

/** Creates a strategy with one segment; returns a request that replaces the segment. */
const other =
  (more: object = {}) =>
  async (server: TestServer) => {
    const { params, body } = await inStrategy((_before, id) => [id])(server);
    const { projectId, environment: environmentId, strategyId } = params;
    return { body: { projectId, environmentId, strategyId, segmentIds: body, ...more } };
  };

const ofStrategy: readonly Scenario[] = [
  {
    route,
    name: 'replaces the segments of a strategy',
    as: 'editor',
    given: other(),
    answer: { projectId: 'default', environmentId: 'development', segmentIds: [expect.any(Number)] },
    check: async ({ json }, server) => {
      const { strategyId } = json;
      const call = { params: { strategyId } };
      const { json: listed } = await server.admin.call('GET /api/admin/segments/strategies/:strategyId', call);
      expect(listed.segments.map(({ id }: { id: number }) => id)).toEqual(json.segmentIds);
    },
    events: [
      {
        type: 'feature-strategy-update',
        project: 'default',
        featureName: expect.any(String) as string,
        environment: 'development',
        preData: { segments: [expect.any(Number)] },
      },
    ],
  },
  ...refused(route, 404, {
    'answers 404 for an unknown strategy': other({ strategyId: 'nothing' }),
    'answers 404 for a strategy of another environment': other({ environmentId: 'production' }),
    'answers 404 for a strategy of another project': async (server) =>
      other({ projectId: await givenProject(server) })(server),
  }),
  ...refused(route, 400, {
    'rejects an unknown segment': other({ segmentIds: [unknown] }),
  }),
];

const survival: readonly Scenario[] = [
  {
    route: 'GET /api/admin/projects/:projectId/features/:featureName',
    name: 'shows segments unchanged after archiving, ordering and changes in another environment',
    given: async (server) => {
      const { params } = await inStrategy(() => undefined)(server);
      await addStrategy(server, params, { name: 'default' });
      const order = { params, body: [{ id: params.strategyId, sortOrder: 9 }] };
      expect((await server.admin.call(`POST ${list}/set-sort-order`, order)).status).toBe(200);
      await server.admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
      await server.admin.call('POST /api/admin/archive/revive/:featureName', { params });
      return { params };
    },
    check: ({ json }) => {
      const { strategies } = json.environments.find(({ name }: { name: string }) => name === 'development');
      expect(strategies).toMatchObject([{ segments: [] }, { segments: [expect.any(Number)], sortOrder: 9 }]);
    },
  },
];

export const strategySegmentScenarios: readonly Scenario[] = [...creating, ...changing, ...ofStrategy, ...survival];
