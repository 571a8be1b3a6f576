import { beforeAll, describe, expect, it } from 'vitest';
import { firstOf, itemAt } from '#kernel/lists.ts';
import { author } from '#testing/database.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, received, send, type TestEndpoint } from '#testing/signals.ts';

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
      const second = await deliver(key, '{"try":1}', endpoint, header);
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

  it('is recognised with the other header', async () => {
    const key = newKey();
    const first = await deliver(key);
    expect((await deliver(key, '{}', endpoint, 'webhook-id')).json).toEqual({ ...first.json, duplicate: true });
  });

  it('is a new delivery with another token of the endpoint', async () => {
    const key = newKey();
    const { secret: token } = await givenToken(server(), endpoint.id, 'second');
    await deliver(key, '{"from":"first"}');
    for (const duplicate of [false, true]) {
      const { json } = await deliver(key, '{"from":"second"}', { ...endpoint, token });
      expect(json).toMatchObject({ duplicate, signals: [{ payload: { from: 'second' } }] });
    }
    expect((await deliver(key, '{"from":"first"}')).json.duplicate).toBe(true);
  });

  it('with another payload is refused with 422 and counted, and the other requests of its commit are not', async () => {
    const [key, target] = [newKey(), await givenEndpoint(server())];
    await deliver(key, '{"n":1}', target);
    const late = newKey();
    const replies = await Promise.all([
      deliver(key, '{"n":2}', target),
      deliver(newKey(), '{"n":3}', target),
      deliver(late, '{"n":4}', target),
      deliver(late, '{"n":5}', target),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([422, 200, 200, 422]);
    expect(replies[0]?.json).toMatchObject({
      name: 'IdempotencyKeyError',
      message: expect.stringContaining('Send another payload with a new key.'),
    });
    expect(await storedOf(target)).toHaveLength(3);
    expect((await deliver(key, '{"n":1}', target)).json.duplicate).toBe(true);
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', {
      params: { id: target.id },
    });
    expect(json.refusals).toMatchObject([{ reason: 'reused key', count: 2, tokenId: target.tokenId }]);
  });

  it('is recognised by a key that version 0.9 stored, for its token and payload', async () => {
    const target = await givenEndpoint(server());
    const [known, key] = [await deliver(newKey(), '{"n":1}', target), newKey()];
    const { id: signal_id } = known.json.signals[0];
    const { secret: token } = await givenToken(server(), target.id, 'second');
    const row = { endpoint_id: target.id, delivery_key: key, signal_id, created_at: server().clock.now() };
    const { database } = server().app;
    await database.writeQuietly('deliveries', author, async (tx) => {
      await tx.db.insertInto('signal_deliveries').values(row).execute();
    });
    expect((await deliver(key, '{"n":1}', target)).json).toEqual({ ...known.json, duplicate: true });
    expect((await deliver(key, '{"n":1}', { ...target, token })).json.duplicate).toBe(false);
    expect((await deliver(key, '{"n":2}', target)).json.duplicate).toBe(false);
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
    const storage = await createStorage();
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
