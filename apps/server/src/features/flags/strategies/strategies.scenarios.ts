import { expect } from 'vitest';
import { addStrategy, givenArchived, givenEnabled, givenFlagIn, givenProject, givenStrategy } from '#testing/flags.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const list = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies' as const;
const strategyPath = `${list}/:strategyId` as const;
const off = { type: 'feature-environment-disabled', environment: 'development', data: null, preData: null } as const;
const unknownId = { strategyId: '6b1c0c4e-5a0b-4a57-9a3c-0f4f6c1d2e3f' };

const inFlag = (body: object) => async (server: TestServer) => ({ params: await givenFlagIn(server), body });

/** Creates a strategy; returns a request on it. */
const inStrategy =
  (body?: unknown, before: object = { name: 'default' }) =>
  async (server: TestServer) => ({ params: await givenStrategy(server, before), body });

/** Creates a flag that is on with one strategy; returns a request on that strategy. */
const inLastActive = (body?: unknown) => async (server: TestServer) => {
  const params = await givenEnabled(server);
  const { json } = await server.admin.call(`GET ${list}`, { params });
  return { params: { ...params, strategyId: json[0].id as string }, body };
};

const full = {
  name: 'flexibleRollout',
  title: 'Beta 🧪',
  sortOrder: 3,
  parameters: { rollout: 25, stickiness: 'userId' },
  constraints: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }],
  variants: [
    { name: 'a', weight: 0, weightType: 'variable', stickiness: 'default' },
    { name: 'b', weight: 0, weightType: 'variable', stickiness: 'default' },
    {
      name: 'c',
      weight: 333,
      weightType: 'fix',
      stickiness: 'default',
      payload: { type: 'json', value: '{"size":[1,2]}' },
    },
  ],
  segments: [],
};

/** {@link full} as stored: completed, parameters as text, weights distributed. */
const kept = {
  name: 'flexibleRollout',
  title: 'Beta 🧪',
  disabled: false,
  sortOrder: 3,
  segments: [],
  parameters: { rollout: '25', stickiness: 'userId' },
  constraints: [
    { contextName: 'country', operator: 'IN', values: ['NO', 'SE'], inverted: false, caseInsensitive: false },
  ],
  variants: [
    { name: 'a', weight: 334 },
    { name: 'b', weight: 333 },
    { name: 'c', weight: 333, payload: { type: 'json', value: '{"size":[1,2]}' } },
  ],
};

const create: readonly Scenario[] = [
  {
    route: `POST ${list}`,
    name: 'adds a strategy with its missing parameters completed',
    as: 'editor',
    given: inFlag(full),
    answer: kept,
    check: ({ json }) => {
      expect(json.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(json.parameters.groupId).toBe(json.featureName);
    },
    events: [
      { type: 'feature-strategy-add', project: 'default', environment: 'development', preData: null, data: kept },
    ],
  },
  {
    route: `POST ${list}`,
    name: "adds a strategy last, with the project's default stickiness",
    given: async (server) => {
      const projectId = await givenProject(server, { defaultStickiness: 'accountId' });
      const featureName = `${projectId}-flag`;
      const params = { projectId, featureName, environment: 'production' };
      await server.admin.call('POST /api/admin/projects/:projectId/features', { params, body: { name: featureName } });
      await addStrategy(server, params, { name: 'default', sortOrder: 7 });
      return { params, body: { name: 'flexibleRollout' } };
    },
    answer: { sortOrder: 8, parameters: { rollout: '100', stickiness: 'accountId' } },
    events: [{ type: 'feature-strategy-add', environment: 'production', data: { sortOrder: 8 } }],
  },
  ...refused(`POST ${list}`, 400, {
    'rejects an environment that the project does not have': async (server) => ({
      params: await givenFlagIn(server, 'nowhere'),
      body: { name: 'default' },
    }),
    'rejects an archived flag': async (server) => ({
      params: { ...(await givenArchived(server)), environment: 'development' },
      body: { name: 'default' },
    }),
  }),
  ...refusedTo('viewer', `POST ${list}`, 403, {
    'answers 403 to a viewer with the missing permission and the environment': inFlag({ name: 'default' }),
  }),
];

const read: readonly Scenario[] = [
  {
    route: 'POST /api/admin/constraints/validate',
    name: 'accepts a valid constraint',
    as: 'viewer',
    call: { body: { contextName: 'appVersion', operator: 'SEMVER_GTE', value: '1.2.3-rc.1' } },
  },
  ...refused('POST /api/admin/constraints/validate', 400, {
    'names the invalid field': { body: { contextName: 'appVersion', operator: 'SEMVER_GTE', value: '1.2' } },
  }),
  {
    route: `GET ${list}`,
    name: 'lists strategies in evaluation order',
    as: 'viewer',
    given: async (server) => {
      const params = await givenFlagIn(server);
      for (const [title, sortOrder] of [
        ['last', 9],
        ['first', -1],
        ['middle', 4],
      ] as const) {
        await addStrategy(server, params, { name: 'default', title, sortOrder });
      }
      return { params };
    },
    check: ({ json }) => expect(json).toMatchObject([{ title: 'first' }, { title: 'middle' }, { title: 'last' }]),
  },
  {
    route: `GET ${strategyPath}`,
    name: 'answers a strategy',
    as: 'viewer',
    given: inStrategy(undefined, { name: 'userWithId', parameters: { userIds: 'ann,bob' } }),
    answer: { name: 'userWithId', disabled: false, title: null, parameters: { userIds: 'ann,bob' } },
  },
  ...refused(`GET ${strategyPath}`, 404, {
    'answers 404 for a strategy of another flag': async (server) => {
      const { strategyId } = await givenStrategy(server);
      return { params: { ...(await givenFlagIn(server)), strategyId } };
    },
  }),
];

const update: readonly Scenario[] = [
  {
    route: `PUT ${strategyPath}`,
    name: 'updates the fields of the body and keeps the others',
    as: 'editor',
    given: inStrategy({ title: 'Renamed', constraints: [] }, full),
    answer: { title: 'Renamed', constraints: [], variants: kept.variants, parameters: kept.parameters },
    events: [
      { type: 'feature-strategy-update', environment: 'development', preData: kept, data: { title: 'Renamed' } },
    ],
  },
  {
    route: `PUT ${strategyPath}`,
    name: 'records no event when only the order of the parameters differs',
    given: async (server) => {
      const parameters = { rollout: '50', stickiness: 'default', groupId: 'g' };
      const params = await givenStrategy(server, { name: 'flexibleRollout', parameters });
      const reversed = Object.fromEntries(Object.entries(parameters).reverse());
      return { params, body: { name: 'flexibleRollout', parameters: reversed } };
    },
  },
  {
    route: `PUT ${strategyPath}`,
    name: 'switches the flag off with its last active strategy',
    given: inLastActive({ disabled: true }),
    answer: { disabled: true },
    events: [{ type: 'feature-strategy-update', preData: { disabled: false }, data: { disabled: true } }, off],
  },
  ...refused(`PUT ${strategyPath}`, 400, {
    'rejects an unknown strategy type': inStrategy({ name: 'unheard-of' }),
  }),
  {
    route: `PATCH ${strategyPath}`,
    name: 'applies a JSON Patch',
    as: 'editor',
    given: inStrategy(
      [
        { op: 'replace', path: '/parameters/rollout', value: '50' },
        { op: 'add', path: '/constraints/-', value: { contextName: 'n', operator: 'NUM_GT', value: '5' } },
        { op: 'move', from: '/constraints/0', path: '/constraints/1' },
        { op: 'remove', path: '/variants' },
      ],
      full,
    ),
    answer: {
      parameters: { rollout: '50', stickiness: 'userId' },
      constraints: [{ contextName: 'n', operator: 'NUM_GT', value: '5', values: [] }, { contextName: 'country' }],
      variants: [],
    },
    events: [
      {
        type: 'feature-strategy-update',
        preData: kept,
        data: { parameters: { rollout: '50' }, variants: [], constraints: [{ contextName: 'n' }, {}] },
      },
    ],
  },
  {
    route: `PATCH ${strategyPath}`,
    name: 'switches the flag off with its last active strategy',
    given: inLastActive([{ op: 'replace', path: '/disabled', value: true }]),
    events: [{ type: 'feature-strategy-update' }, off],
  },
  ...[
    [{ op: 'replace', path: '/id', value: 'other' }],
    [{ op: 'add', path: '/colour', value: 'red' }],
    [{ op: 'remove', path: '/name' }],
    [{ op: 'replace', path: '/parameters', value: { rollout: '101' } }],
    [{ op: 'add', path: '/segments/-', value: 2147483647 }],
    [{ op: 'add', path: '/constraints/-', value: { contextName: 'n', operator: 'NUM_GT', value: 'five' } }],
  ].map(
    (body): Scenario => ({
      route: `PATCH ${strategyPath}`,
      name: `rejects ${JSON.stringify(body)}`,
      given: inStrategy(body, { name: 'flexibleRollout' }),
      status: 400,
    }),
  ),
  {
    route: `DELETE ${strategyPath}`,
    name: 'deletes a strategy',
    as: 'editor',
    given: inStrategy(undefined, full),
    events: [{ type: 'feature-strategy-remove', environment: 'development', data: null, preData: kept }],
  },
  {
    route: `DELETE ${strategyPath}`,
    name: 'switches the flag off with its last active strategy',
    given: inLastActive(),
    events: [{ type: 'feature-strategy-remove', preData: { name: 'flexibleRollout' } }, off],
  },
  {
    route: `POST ${list}/set-sort-order`,
    name: 'records a changed order',
    as: 'editor',
    given: async (server) => {
      const first = await givenStrategy(server);
      await addStrategy(server, first, { name: 'default' });
      return { params: first, body: [{ id: first.strategyId, sortOrder: 5 }] };
    },
    check: async (_reply, server) => {
      const { json } = await server.admin.call('GET /api/admin/events', { query: { limit: 1 } });
      const [{ data, preData }] = json.events;
      expect(data.strategyIds).toHaveLength(2);
      expect(data.strategyIds).toEqual(preData.strategyIds.toReversed());
    },
    events: [{ type: 'strategy-order-changed', environment: 'development' }],
  },
  {
    route: `POST ${list}/set-sort-order`,
    name: 'records the order that is served: of two with the same sort order, the older one is first',
    given: async (server) => {
      const params = await givenFlagIn(server);
      const ids: string[] = [];
      for (const sortOrder of [1, 2, 0]) {
        const added = await server.admin.call(`POST ${list}`, { params, body: { name: 'default', sortOrder } });
        ids.push(added.json.id);
        server.clock.advance(1);
      }
      return { params, body: [{ id: ids[2] ?? '', sortOrder: 2 }] };
    },
    check: async (_reply, server) => {
      const { events } = (await server.admin.call('GET /api/admin/events', { query: { limit: 1 } })).json;
      const { featureName, environment, project: projectId, data } = events[0];
      const { json } = await server.admin.call(`GET ${list}`, { params: { projectId, featureName, environment } });
      expect(json.map(({ id }: { id: string }) => id)).toEqual(data.strategyIds);
    },
    events: [{ type: 'strategy-order-changed' }],
  },
  {
    route: `POST ${list}/set-sort-order`,
    name: 'records no event when the order stays',
    given: async (server) => {
      const params = await givenStrategy(server);
      return { params, body: [{ id: params.strategyId, sortOrder: 5 }] };
    },
  },
  ...refused(`POST ${list}/set-sort-order`, 400, {
    'rejects the id of another strategy': inStrategy([{ id: unknownId.strategyId, sortOrder: 1 }]),
    'rejects two sort orders for one strategy': async (server) => {
      const params = await givenStrategy(server);
      const id = params.strategyId;
      return {
        params,
        body: [
          { id, sortOrder: 1 },
          { id, sortOrder: 2 },
        ],
      };
    },
  }),
];

export const strategyScenarios: readonly Scenario[] = [...create, ...read, ...update];
