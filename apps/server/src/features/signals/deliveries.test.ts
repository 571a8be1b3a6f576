import { beforeAll, describe, expect, it } from 'vitest';
import { RawConnection } from '../../../testing/raw-http.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '../../../testing/server.ts';
import { givenEndpoint, givenToken, received, send, type TestEndpoint } from '../../../testing/signals.ts';
import { firstOf, itemAt } from '../../kernel/lists.ts';

const hourMs = 60 * 60 * 1000;

describe('decisions 4.1 a repeated delivery', () => {
  const server = useServer();
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await givenEndpoint(server());
  });
  let keys = 0;
  const newKey = () => `delivery-${++keys}`;
  const deliver = (key: string, body = '{}', to = endpoint, header = 'idempotency-key') =>
    send(server(), to, body, { 'content-type': 'application/json', [header]: key });
  const storedOf = async (to = endpoint) => (await received(server(), to, 1000)).json.signalEndpointSignals;

  it.each(['Idempotency-Key', 'webhook-id'])(
    'is recognised by %s and stored once, answered with the first',
    async (header) => {
      const key = newKey();
      const before = (await storedOf()).length;
      const first = await deliver(key, '{"try":1}', endpoint, header);
      const second = await deliver(key, '{"try":2}', endpoint, header);
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(first.json.duplicate).toBe(false);
      expect(second.json).toEqual({ ...first.json, duplicate: true });
      expect(second.json.signals[0].payload).toEqual({ try: 1 });
      expect(await storedOf()).toHaveLength(before + 1);
    },
  );

  it('is identified by Idempotency-Key when both headers are sent', async () => {
    const [key, id] = [newKey(), newKey()];
    const headers = { 'content-type': 'application/json', 'webhook-id': id };
    await send(server(), endpoint, '{}', { ...headers, 'idempotency-key': key });
    expect((await send(server(), endpoint, '{}', { ...headers, 'idempotency-key': newKey() })).json.duplicate).toBe(
      false,
    );
    expect((await send(server(), endpoint, '{}', { ...headers, 'idempotency-key': key })).json.duplicate).toBe(true);
  });

  it('is recognised with another token of the endpoint and with the other header', async () => {
    const key = newKey();
    const second = await givenToken(server(), endpoint.id, 'second');
    const first = await deliver(key);
    const again = await deliver(key, '{}', { ...endpoint, token: second.secret }, 'webhook-id');
    expect(again.json).toEqual({ ...first.json, duplicate: true });
  });

  it('is a new delivery on another endpoint', async () => {
    const [key, other] = [newKey(), await givenEndpoint(server())];
    const first = await deliver(key);
    const elsewhere = await deliver(key, '{}', other);
    expect(elsewhere.json.duplicate).toBe(false);
    expect(elsewhere.json.signals[0].id).not.toBe(first.json.signals[0].id);
    expect(await storedOf(other)).toHaveLength(1);
  });

  it('is a new delivery without a key or with an empty key', async () => {
    for (const headers of [{}, { 'idempotency-key': '' }, { 'webhook-id': ' ' }]) {
      const all = { 'content-type': 'application/json', ...headers } as Record<string, string>;
      const replies = [await send(server(), endpoint, '{}', all), await send(server(), endpoint, '{}', all)];
      expect(replies.map(({ json }) => json.duplicate)).toEqual([false, false]);
    }
  });

  it('has a key of up to 255 characters; a longer key is refused and nothing is stored', async () => {
    const before = (await storedOf()).length;
    const long = 'k'.repeat(255);
    expect((await deliver(long)).status).toBe(200);
    expect((await deliver(long)).json.duplicate).toBe(true);
    const reply = await deliver(`${long}k`);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ name: 'BadDataError' });
    expect(await storedOf()).toHaveLength(before + 1);
  });

  it('compares keys exactly, apart from trailing white space', async () => {
    for (const key of ['Key', 'key', 'key ', 'kéy', "k'--", '%', '0', '00']) {
      expect((await deliver(`${key}`)).json.duplicate).toBe(key === 'key ');
    }
  });

  it('does not reserve the key of a refused delivery', async () => {
    const key = newKey();
    expect((await deliver(key, '{"broken":')).status).toBe(400);
    expect((await deliver(key, '{"mended":true}')).json).toMatchObject({
      duplicate: false,
      signals: [{ payload: { mended: true } }],
    });
  });

  it('is stored once when it is sent many times concurrently', async () => {
    const key = newKey();
    const before = (await storedOf()).length;
    const replies = await Promise.all(Array.from({ length: 40 }, () => deliver(key)));
    expect(replies.filter(({ json }) => json.duplicate === false)).toHaveLength(1);
    expect(new Set(replies.map(({ json }) => json.signals[0].id)).size).toBe(1);
    expect(await storedOf()).toHaveLength(before + 1);
  });

  it('is stored once when one batch contains it many times, beside other deliveries and deliveries without a key', async () => {
    const connections = await Promise.all(Array.from({ length: 24 }, () => RawConnection.open(server().url)));
    const before = (await storedOf()).length;
    const [first, second] = [newKey(), newKey()];
    for (const [n, connection] of connections.entries()) {
      const name = [`Idempotency-Key: ${first}\r\n`, `Idempotency-Key: ${second}\r\n`, ''][n % 3];
      connection.write(
        `POST /api/signal-endpoint/${endpoint.name} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${endpoint.token}\r\n${name}\r\n`,
      );
    }
    const replies = await Promise.all(connections.map((connection) => connection.reply()));
    for (const connection of connections) connection.end();
    expect(replies.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect(replies.filter(({ json }) => json.duplicate === true)).toHaveLength(14);
    expect(await storedOf()).toHaveLength(before + 2 + 8);
  });

  it('is recognised for 24 hours and no longer', async () => {
    const key = newKey();
    const first = await deliver(key);
    server().clock.advance(24 * hourMs - 1);
    expect((await deliver(key)).json).toEqual({ ...first.json, duplicate: true });
    server().clock.advance(1);
    const later = await deliver(key);
    expect(later.json.duplicate).toBe(false);
    expect(later.json.signals[0].id).not.toBe(first.json.signals[0].id);
    // From now on, repetitions of the new delivery are recognised, for 24 hours from its arrival.
    server().clock.advance(23 * hourMs);
    expect((await deliver(key)).json).toEqual({ ...later.json, duplicate: true });
  });
});

describe.runIf(engine === 'postgres')('decisions 4.1 a repeated delivery to two processes of one database', () => {
  it('is stored once', async () => {
    const storage = createStorage();
    const settings = { initAdminTokens: ['*:*.shared'] };
    const servers: TestServer[] = [await startServer(storage, settings), await startServer(storage, settings)];
    const endpoint = await givenEndpoint(firstOf(servers));
    const headers = { 'content-type': 'application/json' };
    for (let round = 0; round < 10; round++) {
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          send(servers[n % 2] as TestServer, endpoint, '{}', { ...headers, 'idempotency-key': `round-${round}` }),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(replies.filter(({ json }) => json.duplicate === false)).toHaveLength(1);
    }
    expect((await received(itemAt(servers, 1), endpoint, 1000)).json.signalEndpointSignals).toHaveLength(10);
    for (const server of servers) await server.stop();
    await storage.remove();
  });
});
