import { describe, expect, it } from 'vitest';
import { systemActor } from '#kernel/actor.ts';
import { sql } from '#storage/tx.ts';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, send } from '#testing/signals.ts';
import { createIngest } from '../index.ts';

const arrays = 'application/cloudevents-batch+json';
const lines = 'application/x-ndjson';
const event = (id: string) => ({ specversion: '1.0', id, source: '/ci', type: 'deploy', subject: `run ${id}` });

describe('a batch of CloudEvents', () => {
  const server = useServer({ signalEndpointsLimit: 1000 });
  const given = async (source = 'cloudevents') => {
    const body = { name: freshName('e'), source };
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    const { secret } = await givenToken(server(), json.id, 'sender');
    return (raw: string, type: string, more: Readonly<Record<string, string>> = {}) =>
      send(server(), { name: json.name, token: secret }, raw, { 'content-type': type, ...more });
  };
  const arrayOf = (...ids: string[]) => JSON.stringify(ids.map(event));

  it.each([
    ['an array', arrays, arrayOf('1', '2')],
    ['lines', lines, `${JSON.stringify(event('1'))}\n\n${JSON.stringify(event('2'))}\r\n`],
  ])('as %s becomes a signal of each event, which repeats are not stored again', async (_name, type, raw) => {
    const post = await given();
    const { status, json } = await post(raw, type);
    expect(status).toBe(200);
    expect(json.duplicate).toBe(false);
    expect(json.signals).toMatchObject([
      { payload: event('1'), normalized: { title: 'run 1' } },
      { payload: event('2'), normalized: { title: 'run 2' } },
    ]);
    const again = await post(raw, type);
    expect(again.json).toMatchObject({
      duplicate: true,
      signals: [{ id: json.signals[0].id }, { id: json.signals[1].id }],
    });
    const more = await post(arrayOf('2', '3'), arrays);
    expect(more.json.duplicate).toBe(false);
    expect(more.json.signals.map(({ id }: { id: number }) => id)).toEqual([json.signals[1].id, json.signals[1].id + 1]);
  });

  it('is not one delivery because of an idempotency key of the request', async () => {
    const post = await given();
    const { json } = await post(arrayOf('1', '2'), arrays, { 'idempotency-key': 'of-the-request' });
    expect(new Set(json.signals.map(({ id }: { id: number }) => id)).size).toBe(2);
    const alone = await post(arrayOf('3'), arrays, { 'idempotency-key': 'of-the-request' });
    expect(alone.json.duplicate).toBe(false);
    expect((await post(arrayOf('3', '4'), arrays)).json.signals[0].id).toBe(alone.json.signals[0].id);
  });

  it('is stored as a whole or not at all, also when many are stored at once', async () => {
    const { database } = server().app;
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: freshName('e') } });
    const endpointId: number = json.id;
    const poison = '{"poison":true}';
    const author = { actor: systemActor, cause: {} };
    // The last batch contains this payload twice, so the unique index makes the batch fail.
    const index = sql.raw(`create unique index poison on signals (payload) where payload = '${poison}'`);
    await database.writeQuietly('jobs', author, async ({ db }) => void (await index.execute(db)));
    const ingest = createIngest(database, server().clock, () => undefined);
    const batchOf = (payloadOf: (n: number) => string) =>
      Array.from({ length: 100 }, (_, n) => {
        return { endpointId, tokenId: 0, payload: payloadOf(n), normalized: null, delivery: undefined };
      });
    const good = Array.from({ length: 5 }, () => ingest.accept(batchOf(() => '{}')));
    const bad = ingest.accept(batchOf((n) => (n < 98 ? '{"last":true}' : poison)));
    const results = await Promise.allSettled([...good, bad]);
    const drop = sql.raw('drop index poison');
    await database.writeQuietly('jobs', author, async ({ db }) => void (await drop.execute(db)));
    expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
    const rows = await database.db
      .selectFrom('signals')
      .select('payload')
      .where('endpoint_id', '=', endpointId)
      .execute();
    expect(rows.map(({ payload }) => payload)).toEqual(Array(500).fill('{}'));
  });

  it('may be empty', async () => {
    const { status, json } = await (await given())('[]', arrays);
    expect([status, json]).toEqual([200, { signals: [], duplicate: false }]);
  });

  it.each([
    ['no array', '{"id":"1"}', arrays, 400],
    ['invalid JSON in a line', '{}\n{', lines, 400],
    ['101 events', JSON.stringify(Array.from({ length: 101 }, (_, n) => event(`${n}`))), arrays, 400],
    ['101 lines', '{}\n'.repeat(101), lines, 400],
    ['an event that is no object', '[{}, 1]', arrays, 400],
    ['a line that is no object', '{}\n[]', lines, 400],
    ['deep nesting', `${'['.repeat(100)}${']'.repeat(100)}`, arrays, 400],
  ])('with %s stores nothing', async (_name, raw, type, expected) => {
    const post = await given();
    const before = await server().admin.call('GET /api/admin/signals', { query: { limit: 1 } });
    expect((await post(raw, type)).status).toBe(expected);
    const after = await server().admin.call('GET /api/admin/signals', { query: { limit: 1 } });
    expect(after.json.signals[0]?.id).toBe(before.json.signals[0]?.id);
  });

  it('is refused as lines, and one signal as an array, with another source', async () => {
    const post = await given('generic');
    expect((await post('{}\n{}', lines)).status).toBe(415);
    expect((await post(arrayOf('1', '2'), arrays)).json.signals).toHaveLength(1);
  });
});
