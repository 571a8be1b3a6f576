import { expect } from 'vitest';
import { recordEvents } from '#testing/event-log.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const list = 'GET /api/admin/event-consumers';
const put = 'PUT /api/admin/event-consumers/:name';
const remove = 'DELETE /api/admin/event-consumers/:name';
const poll = 'POST /api/admin/event-consumers/:name/poll';
const acknowledge = 'POST /api/admin/event-consumers/:name/acknowledge';

let count = 0;

/** Creates a new project and a consumer of its events. */
async function given(server: TestServer, body: object = {}) {
  const name = `consumer-${++count}`;
  const { status } = await server.admin.call(put, { params: { name }, body: { projects: [name], ...body } });
  expect(status).toBe(201);
  return { params: { name } };
}

const recorded = (server: TestServer, project: string) =>
  recordEvents(server.app, [{ type: 'feature-stale-on', project, featureName: `of-${project}` }]);

export const eventConsumerScenarios: readonly Scenario[] = [
  {
    route: put,
    name: 'creates a consumer that starts with the next event',
    call: { params: { name: 'billing' }, body: { description: 'Copies events', types: ['feature-created'] } },
    status: 201,
    answer: { name: 'billing', types: ['feature-created'], projects: null, lag: 1, worker: null, leasedUntil: null },
    events: [{ type: 'event-consumer-created', data: { name: 'billing', types: ['feature-created'] } }],
  },
  {
    route: put,
    name: 'changes the given fields',
    given: async (server) => ({ ...(await given(server)), body: { description: 'Other', projects: null } }),
    status: 200,
    answer: { description: 'Other', projects: null },
    events: [
      {
        type: 'event-consumer-updated',
        preData: expect.not.objectContaining({ acknowledged: expect.any(Number) }),
        data: { description: 'Other', projects: null },
      },
    ],
  },
  ...[{ acknowledged: 999_999_999 }, { acknowledged: -1 }, { types: ['no-such-type'] }, { types: [] }].map(
    (body): Scenario => ({
      route: put,
      name: `refuses ${JSON.stringify(body)}`,
      call: { params: { name: 'refused' }, body },
      status: 400,
    }),
  ),
  {
    route: list,
    name: 'shows the lag of each consumer',
    given: async (server) => {
      const { params } = await given(server);
      await recorded(server, params.name);
      return {};
    },
    check: ({ json }) =>
      expect(json.consumers).toContainEqual(expect.objectContaining({ name: `consumer-${count}`, lag: 2 })),
  },
  {
    route: poll,
    name: 'reads the next events and leases the consumer',
    given: async (server) => {
      const { params } = await given(server);
      await recorded(server, params.name);
      return { params, body: { worker: 'a' } };
    },
    check: ({ json }) => expect(json).toMatchObject({ events: [{ project: `consumer-${count}` }], hasMore: false }),
  },
  {
    route: poll,
    name: 'answers 409 while another worker holds the lease',
    given: async (server) => {
      const { params } = await given(server);
      await server.admin.call(poll, { params, body: { worker: 'a' } });
      return { params, body: { worker: 'b' } };
    },
    status: 409,
    check: ({ headers, json }) => {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(json.message).toContain('The worker a reads');
    },
  },
  {
    route: acknowledge,
    name: 'moves the position of the worker that holds the lease',
    given: async (server) => {
      const { params } = await given(server);
      await recorded(server, params.name);
      const { next } = (await server.admin.call(poll, { params, body: { worker: 'a' } })).json;
      return { params, body: { worker: 'a', id: next } };
    },
    answer: { lag: 0, worker: 'a' },
  },
  ...refused(acknowledge, 409, {
    'answers 409 to a worker without the lease': async (server) => ({
      ...(await given(server)),
      body: { worker: 'a', id: 1 },
    }),
  }),
  {
    route: remove,
    name: 'deletes a consumer',
    given,
    events: [{ type: 'event-consumer-deleted' }],
  },
];
