import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { calling, givenActionPlace, givenSet } from '#testing/actions.ts';
import { givenFlag } from '#testing/flags.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { useReceiver } from '#testing/receiver.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';

/** Accepts connections and never answers. */
class SilentServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #accepted: (() => void)[] = [];

  constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      // A client that gives up may reset the connection.
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.resume();
      for (const accepted of this.#accepted.splice(0)) accepted();
    });
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as { port: number }).port;
  }

  /** Resolves with the next connection. */
  connection(): Promise<void> {
    return new Promise((resolve) => this.#accepted.push(resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const silent = new SilentServer();
const receiver = useReceiver();
let port = 0;
beforeAll(async () => {
  port = await silent.start();
  // Loading a client for the first time blocks the event loop, which is part of the time of every attempt.
  await Promise.all([import('@redis/client'), import('@nats-io/transport-node'), import('@nats-io/jetstream')]);
});
afterAll(() => silent.stop());

const common = { allowPrivateIntegrationUrls: true, initAdminTokens: ['*:*.kept-over-a-restart'] };
const given = async (timeoutSeconds: number, more: object = {}) => {
  const storage = await createStorage();
  const settings = { ...common, deliveryTimeoutSeconds: timeoutSeconds, ...more };
  const server = await startServer(storage, settings);
  return { server, storage };
};
const subscribe = (server: TestServer, provider: string, parameters: object) =>
  givenIntegration(server, { provider, parameters, events: ['feature-created'] });

describe('a receiver that accepts the connection and never answers', () => {
  it('fails within the limit, whatever its kind, is tried again, and holds up no other receiver', async () => {
    const mail = { emailHost: '127.0.0.1', emailPort: port, emailSender: 'yardarm@example.com' };
    const { server, storage } = await given(3, mail);
    try {
      const silentKinds = {
        webhook: { url: `http://127.0.0.1:${port}/hook` },
        slack: { url: `http://127.0.0.1:${port}/services` },
        email: { recipients: 'on-call@example.com' },
        syslog: { url: `tls://127.0.0.1:${port}` },
        nats: { url: `nats://127.0.0.1:${port}`, subject: 'yardarm.events' },
        redis: { url: `redis://127.0.0.1:${port}`, stream: 'events' },
      };
      const ids: Record<string, number> = {};
      for (const [kind, parameters] of Object.entries(silentKinds))
        ids[kind] = (await subscribe(server, kind, parameters)).id;
      await subscribe(server, 'webhook', { url: `${receiver().url}/answers` });
      await givenFlag(server);
      await server.app.service.deliveries.idle();
      expect(receiver().received.filter(({ path }) => path === '/answers')).toHaveLength(1);
      for (const [kind, id] of Object.entries(ids)) {
        const { json } = await server.admin.call('GET /api/admin/integrations/:id/deliveries', { params: { id } });
        expect([kind, json.deliveries]).toMatchObject([kind, [{ state: 'waiting', attempts: 1 }]]);
        expect(Date.parse(json.deliveries[0].nextAttemptAt)).toBeGreaterThan(server.clock.now());
      }
    } finally {
      await server.stop();
      await storage.remove();
    }
  });

  it('holds up no call to another host, even when hundreds of calls to it are due', async () => {
    // An attempt takes longer than this test may.
    const { server, storage } = await given(60);
    try {
      const place = await givenActionPlace(server);
      const silentCalls = Array.from({ length: 10 }, (_, n) => ({
        ...calling(place, `http://127.0.0.1:${port}/${n}`),
        sortOrder: n + 1,
      }));
      await givenSet(server, { actions: silentCalls }, place);
      for (let n = 0; n < 25; n++) await send(server, place.endpoint, '{}');
      await server.app.service.actions.settled();
      const other = await givenActionPlace(server);
      await givenSet(server, { actions: [calling(other, `${receiver().url}/other-host`)] }, other);
      await send(server, other.endpoint, '{}');
      await vi.waitUntil(() => receiver().received.some(({ path }) => path === '/other-host'), 10_000);
      const { n } = await server.app.database.db
        .selectFrom('deliveries')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow();
      expect(n).toBe(251);
    } finally {
      await server.stop();
      await storage.remove();
    }
  });

  it('does not delay a stop, and is sent the event after the next start', async () => {
    // Without the abort, the stop would take longer than this test may.
    const { server, storage } = await given(60);
    const { id } = await subscribe(server, 'webhook', { url: `http://127.0.0.1:${port}/hook` });
    const connected = silent.connection();
    await givenFlag(server);
    await connected;
    const startedAt = performance.now();
    await server.stop();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const again = await startServer(storage, { ...common, deliveryTimeoutSeconds: 3 });
    try {
      // On PostgreSQL the claim of the aborted attempt has to end first.
      again.clock.advance(70_000);
      await again.app.service.deliveries.idle();
      const { json } = await again.admin.call('GET /api/admin/integrations/:id/deliveries', { params: { id } });
      expect(json.deliveries).toMatchObject([{ state: 'waiting', attempts: 2 }]);
    } finally {
      await again.stop();
      await storage.remove();
    }
  });
});
