import { expect } from 'vitest';
import { author } from '#testing/database.ts';
import { givenDelivery, givenIntegration } from '#testing/integrations.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

/** A host that has no address, so that nothing leaves this machine. */
const parameters = { url: 'https://nothing.invalid/hook', authorization: 'Bearer of-a-secret' };
const given =
  (more: object = {}) =>
  (server: TestServer) =>
    givenIntegration(server, { parameters, ...more });
const byId = async (server: TestServer) => ({ params: { id: (await given()(server)).id } });
const withDelivery =
  (state: 'waiting' | 'delivered' | 'dead', more: object = {}) =>
  async (server: TestServer) => {
    const { id } = await given(more)(server);
    return { params: { id, deliveryId: await givenDelivery(server, id, state) } };
  };

async function paused(server: TestServer) {
  const call = await byId(server);
  await server.app.database.writeQuietly('deliveries', author, async (tx) => {
    const change = { paused_at: tx.now, failing_since: tx.now, consecutive_failures: 12, last_error: 'No answer.' };
    await tx.db.updateTable('delivery_health').set(change).where('integration_id', '=', call.params.id).execute();
  });
  return call;
}

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/integrations/health',
    name: 'counts waiting and dead events, and shows no secret',
    given: async (server) => {
      const { params } = await paused(server);
      await givenDelivery(server, params.id, 'dead');
      await givenDelivery(server, params.id, 'waiting');
      return {};
    },
    check: ({ json, text }) => {
      expect(json.integrations.at(-1)).toMatchObject({
        waiting: 1,
        dead: 1,
        consecutiveFailures: 12,
        lastError: 'No answer.',
        pausedAt: expect.any(String),
        signing: { algorithm: 'hmac-sha256', publicKey: null },
      });
      expect(text).not.toMatch(/whsec_|of-a-secret/);
    },
  },
  {
    route: 'GET /api/admin/integrations/:id/deliveries',
    name: 'lists the deliveries of a state in pages',
    given: async (server) => {
      const call = await withDelivery('dead')(server);
      await givenDelivery(server, call.params.id, 'delivered');
      await givenDelivery(server, call.params.id, 'dead');
      return { ...call, query: { state: 'dead', limit: 1 } };
    },
    check: ({ json }) => {
      expect(json).toMatchObject({
        deliveries: [{ state: 'dead', event: { id: expect.any(Number) } }],
        nextCursor: String(json.deliveries[0].id),
      });
    },
  },
  {
    route: 'GET /api/admin/integrations/:id/deliveries',
    name: 'has no cursor after the last page',
    given: withDelivery('dead'),
    answer: { deliveries: [{ state: 'dead' }], nextCursor: null },
  },
  {
    route: 'GET /api/admin/integrations/:id/deliveries/:deliveryId',
    name: 'shows a delivery',
    given: withDelivery('dead'),
    answer: { state: 'dead', attempts: 1, status: 500, log: [] },
  },
];

const changing: readonly Scenario[] = [
  {
    route: 'POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver',
    name: 'queues a delivery again',
    given: withDelivery('delivered'),
    answer: { redelivered: 1, more: false },
    events: [{ type: 'integration-redelivered', data: { redelivered: 1 } }],
  },
  ...refused('POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver', 409, {
    'is refused for a delivery that waits': withDelivery('waiting'),
    'is refused for a disabled integration': withDelivery('dead', { enabled: false }),
  }),
  {
    route: 'POST /api/admin/integrations/:id/redeliver',
    name: 'queues all dead letters again',
    given: async (server) => ({ ...(await withDelivery('dead')(server)), body: { state: 'dead' } }),
    answer: { redelivered: 1, more: false },
    events: [{ type: 'integration-redelivered', data: { failed: true, redelivered: 1 } }],
  },
  ...[{ sinceEventId: 1 }, { since: '2020-01-01T00:00:00Z' }].map(
    (body): Scenario => ({
      route: 'POST /api/admin/integrations/:id/redeliver',
      name: `queues all events again with ${Object.keys(body)}`,
      given: async (server) => ({ ...(await withDelivery('delivered')(server)), body }),
      answer: { redelivered: 1 },
      events: [{ type: 'integration-redelivered', data: { redelivered: 1 } }],
    }),
  ),
  ...refused('POST /api/admin/integrations/:id/redeliver', 400, {
    'refuses two selections at once': async (server) => ({
      ...(await byId(server)),
      body: { state: 'dead', sinceEventId: 1 },
    }),
  }),
  {
    route: 'POST /api/admin/integrations/:id/redeliver',
    name: 'records no event when there is nothing to redeliver',
    given: async (server) => ({ ...(await byId(server)), body: { state: 'dead' } }),
    answer: { redelivered: 0, more: false },
  },
  {
    route: 'POST /api/admin/integrations/:id/test',
    name: 'answers why a receiver cannot be reached',
    given: byId,
    answer: { delivered: false, status: null, answer: null },
    events: [{ type: 'integration-tested', data: { provider: 'webhook' } }],
  },
  {
    route: 'POST /api/admin/integrations/:id/resume',
    name: 'ends the pause',
    given: paused,
    events: [{ type: 'integration-resumed' }],
  },
  {
    route: 'POST /api/admin/integrations/:id/rotate-key',
    name: 'shows the new secret once',
    given: async (server) => ({ ...(await byId(server)), body: {} }),
    answer: { signingSecret: expect.stringMatching(/^whsec_/) },
    events: [{ type: 'integration-key-rotated', data: { algorithm: 'hmac-sha256' } }],
    check: async ({ json }, server) => {
      const { text } = await server.admin.call('GET /api/admin/events', { query: { limit: 5 } });
      expect(text).not.toContain(json.signingSecret);
    },
  },
  {
    route: 'POST /api/admin/integrations/:id/rotate-key',
    name: 'shows the public key of an Ed25519 key',
    given: async (server) => ({ ...(await byId(server)), body: { signing: 'ed25519' } }),
    answer: { signingSecret: expect.stringMatching(/^whpk_/) },
    events: [{ type: 'integration-key-rotated', data: { algorithm: 'ed25519' } }],
  },
];

export const integrationDeliveryScenarios: readonly Scenario[] = [...reading, ...changing];
