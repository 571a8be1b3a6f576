import { describe, expect, it } from 'vitest';
import { givenCaller, givenRole } from '#testing/access.ts';
import { recordEvents } from '#testing/event-log.ts';
import { givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { eventConsumerScenarios } from './event-consumers.scenarios.ts';

const put = 'PUT /api/admin/event-consumers/:name';
const poll = 'POST /api/admin/event-consumers/:name/poll';
const acknowledge = 'POST /api/admin/event-consumers/:name/acknowledge';

describe('event consumer routes', () => testScenarios(useServer(), eventConsumerScenarios));

describe('an event consumer', () => {
  const server = useServer();
  const created = async (name: string, body: object = {}) => {
    expect((await server().admin.call(put, { params: { name }, body: { projects: [name], ...body } })).status).toBe(
      201,
    );
    const params = { name };
    return {
      record: (count: number) =>
        recordEvents(
          server().app,
          Array.from({ length: count }, () => ({ type: 'feature-stale-on', project: name, featureName: 'f' }) as const),
        ),
      poll: (worker: string, more: object = {}) => server().admin.call(poll, { params, body: { worker, ...more } }),
      acknowledge: (worker: string, id: number) => server().admin.call(acknowledge, { params, body: { worker, id } }),
    };
  };

  it('does not name private projects to a caller who cannot see them, and is not that caller’s to use', async () => {
    const [secret, open] = [await givenProject(server(), { mode: 'private' }), await givenProject(server())];
    await created('of-both', { projects: [open, secret] });
    await created('of-secret', { projects: [secret] });
    const permissions = [{ name: 'UPDATE_EVENT_CONSUMERS' }];
    const role = await givenRole(server(), { type: 'root-custom', permissions });
    const { client } = await givenCaller(server(), role.name);
    const list = 'GET /api/admin/event-consumers';
    const changed = await client.call(put, { params: { name: 'of-both' }, body: { description: 'd' } });
    const listed = await client.call(list);
    for (const { text } of [changed, listed]) expect(text).not.toContain(secret);
    const namesOf = (reply: typeof listed) => reply.json.consumers.map(({ name }: { name: string }) => name);
    expect([namesOf(listed).includes('of-both'), namesOf(listed).includes('of-secret')]).toEqual([true, false]);
    const params = { name: 'of-secret' };
    const refused = [
      await client.call(put, { params, body: { description: 'd' } }),
      await client.call(poll, { params, body: { worker: 'w' } }),
      await client.call(acknowledge, { params, body: { worker: 'w', id: 1 } }),
      await client.call('DELETE /api/admin/event-consumers/:name', { params }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 404, 404, 404]);
    const { consumers } = (await server().admin.call(list)).json;
    const all = Object.fromEntries(consumers.map((consumer: { name: string }) => [consumer.name, consumer]));
    expect(all).toMatchObject({ 'of-both': { projects: [open, secret] }, 'of-secret': { projects: [secret] } });
  });

  it('gets the same events until it acknowledges them', async () => {
    const consumer = await created('again');
    await consumer.record(5);
    const first = (await consumer.poll('a', { limit: 3 })).json;
    expect(first.events).toHaveLength(3);
    expect((await consumer.poll('a', { limit: 3 })).json.events).toEqual(first.events);
    await consumer.acknowledge('a', first.next);
    expect((await consumer.poll('a', { limit: 3 })).json.events).toHaveLength(2);
  });

  it('is leased to one of several workers that poll at once', async () => {
    for (let n = 0; n < 10; n++) {
      const consumer = await created(`at-once-${n}`);
      const replies = await Promise.all(['a', 'b', 'c'].map((worker) => consumer.poll(worker)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    }
  });

  it('is read by another worker once the lease has ended, and not acknowledged by the first', async () => {
    const consumer = await created('leased');
    await consumer.record(1);
    const { next } = (await consumer.poll('a', { leaseSeconds: 30 })).json;
    expect((await consumer.poll('b')).status).toBe(409);
    server().clock.advance(30_000);
    expect((await consumer.poll('b')).json.events).toHaveLength(1);
    expect((await consumer.acknowledge('a', next)).status).toBe(409);
    expect((await consumer.acknowledge('b', next)).status).toBe(200);
  });

  it('stays at its position when an earlier id is acknowledged again', async () => {
    const consumer = await created('earlier');
    await consumer.record(2);
    const { next } = (await consumer.poll('a')).json;
    await consumer.acknowledge('a', next);
    expect((await consumer.acknowledge('a', next - 1)).json.acknowledged).toBe(next);
  });

  it('waits for an event', async () => {
    const consumer = await created('waits');
    const answer = consumer.poll('a', { wait: 60 });
    await consumer.record(1);
    expect((await answer).json.events).toHaveLength(1);
  });

  it('starts over when an administrator moves its position, which ends the lease', async () => {
    const consumer = await created('moved');
    await consumer.record(1);
    const { next } = (await consumer.poll('a')).json;
    await consumer.acknowledge('a', next);
    const moved = await server().admin.call(put, { params: { name: 'moved' }, body: { acknowledged: 0 } });
    expect(moved.json).toMatchObject({ acknowledged: 0, worker: null });
    expect((await consumer.poll('b')).json.events.length).toBeGreaterThan(0);
  });

  it('shows its lag on the metrics', async () => {
    const consumer = await created('measured');
    await consumer.record(3);
    const { text } = await server().admin.request('GET', '/internal-backstage/prometheus');
    expect(text).toMatch(/^event_consumer_lag\{consumer="measured"\} 4$/m);
  });
});

describe('event consumers', () => {
  it('keep their positions in a restart', async () => {
    const storage = await createStorage();
    const params = { name: 'kept' };
    const settings = { initAdminTokens: ['*:*.of-the-consumer'] };
    const before = await startServer(storage, settings);
    await before.admin.call(put, { params, body: { acknowledged: 0 } });
    const { next } = (await before.admin.call(poll, { params, body: { worker: 'a' } })).json;
    await before.admin.call(acknowledge, { params, body: { worker: 'a', id: next } });
    await before.stop();
    const after = await startServer(storage, settings);
    const { events } = (await after.admin.call(poll, { params, body: { worker: 'a' } })).json;
    expect(events.every(({ id }: { id: number }) => id > next)).toBe(true);
    await after.stop();
    await storage.remove();
  });

  it('are limited in number', async () => {
    const storage = await createStorage();
    const server = await startServer(storage);
    for (let n = 0; n < 100; n++) await server.admin.call(put, { params: { name: `n${n}` }, body: {} });
    const { status, json } = await server.admin.call(put, { params: { name: 'surplus' }, body: {} });
    expect([status, json.name]).toEqual([400, 'ExceedsLimitError']);
    await server.stop();
    await storage.remove();
  });
});
