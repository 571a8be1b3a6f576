import { expect } from 'vitest';
import { expecting, givenActionPlace, givenSet } from '#testing/actions.ts';
import { refused, refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, send } from '#testing/signals.ts';

const byId = async (server: TestServer) => ({ params: { id: (await givenEndpoint(server)).id } });
const byEndpoint = async (server: TestServer) => ({ params: { signalEndpointId: (await givenEndpoint(server)).id } });
const byToken = async (server: TestServer) => {
  const { id, tokenId } = await givenEndpoint(server);
  return { params: { signalEndpointId: id, id: tokenId } };
};

/** An alert as Alertmanager sends it. */
const alert = {
  alerts: [{ status: 'firing', fingerprint: 'f0', labels: { alertname: 'HighLatency', service: 'shop' } }],
};

/** Scenarios for a server with a higher limit of endpoints than the default. */
export const signalScenarios: readonly Scenario[] = [
  {
    route: 'POST /api/signal-endpoint/:name',
    name: 'stores a signal and answers with it, recording no event',
    isExample: true,
    as: 'anonymous',
    given: async (server) => {
      const { name, token } = await givenEndpoint(server);
      return {
        params: { name },
        headers: { authorization: `Bearer ${token}` },
        body: alert,
      };
    },
    answer: { duplicate: false, signals: [{ source: 'signal-endpoint', payload: alert }] },
  },
  ...refusedTo('anonymous', 'POST /api/signal-endpoint/:name', 401, {
    'refuses an unknown token': { params: { name: 'any' }, headers: { authorization: 'Bearer signal_wrong' } },
  }),
  {
    route: 'PUT /api/signal-endpoint/:name',
    name: 'stores a signal like POST',
    as: 'anonymous',
    given: async (server) => {
      const { name, token } = await givenEndpoint(server);
      return { params: { name }, headers: { authorization: `Bearer ${token}` }, body: {} };
    },
    answer: { duplicate: false },
  },
  ...refusedTo('anonymous', 'PUT /api/signal-endpoint/:name', 401, {
    'refuses a request without a token': { params: { name: 'any' } },
  }),
  {
    route: 'POST /api/signal-endpoint/:name/:secret',
    name: 'stores a signal with the token in the path',
    as: 'anonymous',
    given: async (server) => {
      const { id, name } = await givenEndpoint(server);
      const { secret } = await givenToken(server, id, 'in the path', { authentication: 'path' });
      return { params: { name, secret }, body: {} };
    },
    answer: { duplicate: false },
  },
  ...refusedTo('anonymous', 'POST /api/signal-endpoint/:name/:secret', 401, {
    'refuses a token that is not for the path': async (server) => {
      const { name, token } = await givenEndpoint(server);
      return { params: { name, secret: token }, body: {} };
    },
  }),
  {
    route: 'GET /api/admin/signal-sources',
    name: 'lists the kinds of senders',
    check: ({ json }) => {
      expect(json.signalSources.map(({ name }: { name: string }) => name)).toContain('alertmanager');
    },
  },
  {
    route: 'GET /api/admin/signal-endpoints/:id/refusals',
    name: 'counts refused requests',
    given: async (server) => {
      const { id, name } = await givenEndpoint(server);
      await send(server, { name, token: 'signal_wrong' }, '{}');
      return { params: { id } };
    },
    answer: { refusals: [{ tokenId: null, reason: 'unknown token', count: 1 }] },
  },
  {
    route: 'GET /api/admin/signal-endpoints',
    name: 'lists endpoints, newest first, with their tokens and no secret',
    given: async (server) => {
      await givenEndpoint(server);
      return {};
    },
    check: ({ json }) => {
      expect(json.signalEndpoints[0]).toMatchObject({ enabled: true, tokens: [{ name: 'first' }] });
      expect(JSON.stringify(json)).not.toContain('signal_');
    },
  },
  {
    route: 'POST /api/admin/signal-endpoints',
    name: 'creates an endpoint, enabled by default',
    call: { body: { name: 'alerts', description: 'from Alertmanager' } },
    answer: { name: 'alerts', description: 'from Alertmanager', enabled: true, tokens: [] },
    events: [
      {
        type: 'signal-endpoint-created',
        preData: null,
        data: { name: 'alerts', description: 'from Alertmanager', enabled: true },
      },
    ],
  },
  ...refused('POST /api/admin/signal-endpoints', 409, {
    'refuses a name that is taken': { body: { name: 'alerts' } },
  }),
  ...refused('POST /api/admin/signal-endpoints', 400, {
    'refuses upper case in a name': { body: { name: 'Alerts' } },
  }),
  {
    route: 'PUT /api/admin/signal-endpoints/:id',
    name: 'records the old and the new fields',
    given: async (server) => ({ ...(await byId(server)), body: { name: 'renamed', enabled: false } }),
    answer: { name: 'renamed', enabled: false },
    events: [
      { type: 'signal-endpoint-updated', preData: { enabled: true }, data: { name: 'renamed', enabled: false } },
    ],
  },
  ...refused('PUT /api/admin/signal-endpoints/:id', 409, {
    'refuses to expect no signals while silence of the endpoint triggers enabled actions': async (server) => {
      const place = await expecting(server, await givenActionPlace(server));
      const { id, name } = place.endpoint;
      const match = { source: 'signal-endpoint', sourceId: id, trigger: 'silence', payload: {} };
      await givenSet(server, { match }, place);
      return { params: { id }, body: { name, expectedMinutes: null } };
    },
  }),
  {
    route: 'DELETE /api/admin/signal-endpoints/:id',
    name: 'deletes an endpoint',
    given: byId,
    events: [{ type: 'signal-endpoint-deleted', data: null }],
  },
  ...refused('DELETE /api/admin/signal-endpoints/:id', 400, {
    'refuses an id that is not a number': { params: { id: 'x' } },
  }),
  {
    route: 'POST /api/admin/signal-endpoints/:id/off',
    name: 'disables an endpoint',
    given: byId,
    answer: { enabled: false },
    events: [{ type: 'signal-endpoint-updated', preData: { enabled: true }, data: { enabled: false } }],
  },
  {
    route: 'POST /api/admin/signal-endpoints/:id/on',
    name: 'records no event when the endpoint is already enabled',
    given: byId,
    answer: { enabled: true },
  },
  {
    route: 'POST /api/admin/signal-endpoints/:id/on',
    name: 'enables an endpoint that was disabled',
    given: async (server) => {
      const call = await byId(server);
      await server.admin.call('POST /api/admin/signal-endpoints/:id/off', call);
      return call;
    },
    answer: { enabled: true },
    events: [{ type: 'signal-endpoint-updated', preData: { enabled: false }, data: { enabled: true } }],
  },
  {
    route: 'GET /api/admin/signal-endpoints/:signalEndpointId/tokens',
    name: 'lists tokens without their secrets',
    given: byEndpoint,
    answer: { signalEndpointTokens: [{ name: 'first' }] },
  },
  {
    route: 'POST /api/admin/signal-endpoints/:signalEndpointId/tokens',
    name: 'creates a token and keeps its secret out of the event',
    given: async (server) => ({ ...(await byEndpoint(server)), body: { name: 'second' } }),
    answer: { name: 'second' },
    events: [{ type: 'signal-endpoint-token-created', data: { name: 'second' } }],
  },
  ...refused('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', 409, {
    'refuses a token name that the endpoint already has': async (server) => ({
      ...(await byEndpoint(server)),
      body: { name: 'first' },
    }),
  }),
  {
    route: 'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id',
    name: 'renames a token, and sets its limits',
    given: async (server) => ({ ...(await byToken(server)), body: { name: 'renamed', burst: 5 } }),
    answer: { name: 'renamed', burst: 5, ratePerSecond: null },
    events: [
      {
        type: 'signal-endpoint-token-updated',
        preData: { name: 'first', burst: null },
        data: { name: 'renamed', burst: 5 },
      },
    ],
  },
  {
    route: 'DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id',
    name: 'deletes a token',
    given: byToken,
    events: [{ type: 'signal-endpoint-token-deleted', preData: { name: 'first' }, data: null }],
  },
  {
    route: 'GET /api/admin/signal-endpoints/:signalEndpointId/signals',
    name: 'shows signals newest first with the name of their token',
    given: async (server) => {
      const { id, name, token } = await givenEndpoint(server);
      for (const n of [1, 2])
        await server.client(token).call('POST /api/signal-endpoint/:name', { params: { name }, body: { n } });
      return { params: { signalEndpointId: id } };
    },
    answer: {
      signalEndpointSignals: [
        { payload: { n: 2 }, tokenName: 'first' },
        { payload: { n: 1 }, tokenName: 'first' },
      ],
    },
  },
  ...refused('GET /api/admin/signal-endpoints/:signalEndpointId/signals', 400, {
    'refuses an invalid time': async (server) => ({ ...(await byEndpoint(server)), query: { from: 'yesterday' } }),
  }),
  {
    route: 'POST /api/admin/signal-endpoints/:signalEndpointId/signals',
    name: 'stores a test signal and records an event',
    given: async (server) => ({ ...(await byEndpoint(server)), body: { payload: { type: 'test' } } }),
    answer: { duplicate: false, signals: [{ createdBySourceTokenId: null, payload: { type: 'test' } }] },
    events: [{ type: 'signal-endpoint-tested', preData: null }],
  },
  ...refused('POST /api/admin/signal-endpoints/:signalEndpointId/signals', 404, {
    'answers 404 when the endpoint is disabled': async (server) => {
      const call = await byId(server);
      await server.admin.call('POST /api/admin/signal-endpoints/:id/off', call);
      return { params: { signalEndpointId: call.params.id }, body: { payload: 1 } };
    },
  }),
  {
    route: 'GET /api/admin/signals',
    name: 'shows all signals with the name of their endpoint',
    as: 'editor',
    given: async (server) => {
      const { name, token } = await givenEndpoint(server);
      await server.client(token).call('POST /api/signal-endpoint/:name', { params: { name }, body: 'last' });
      return { query: { limit: 1 } };
    },
    answer: { signals: [{ payload: 'last', tokenName: 'first' }] },
  },
  ...refused('GET /api/admin/signals', 400, {
    'refuses an invalid date': { query: { from: '2026-01-01' } },
  }),
];
