import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { givenEndpoint } from '#testing/signals.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('retention of signals', () => {
  let storage: TestStorage;
  let server: TestServer;
  beforeAll(async () => {
    storage = await createStorage();
    server = await startServer(storage, { signalRetentionDays: 90 });
  });
  afterAll(async () => {
    await server.stop();
    await storage.remove();
  });

  const send = async (endpoint: { name: string; token: string }, body: unknown) =>
    server.client(endpoint.token).call('POST /api/signal-endpoint/:name', { params: { name: endpoint.name }, body });
  /** A hundred at a time: thousands of connections at once would be more than a busy machine accepts. */
  const sendMany = async (endpoint: { name: string; token: string }, body: unknown, count: number) => {
    for (let sent = 0; sent < count; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => send(endpoint, body)));
  };
  const stored = async () =>
    (await server.admin.call('GET /api/admin/signals')).json.signals.map((s: { payload: unknown }) => s.payload);

  it('deletes all signals older than the retention, in any number, and nothing else', async () => {
    const endpoint = await givenEndpoint(server);
    await sendMany(endpoint, 'old', 2500);
    server.clock.advance(89 * dayMs);
    await send(endpoint, 'young');
    await server.app.service.jobs.runDue();
    expect((await server.admin.call('GET /api/admin/signals')).json.total).toBe(2501);
    server.clock.advance(2 * dayMs);
    await server.app.service.jobs.runDue();
    expect(await stored()).toEqual(['young']);
  });

  it('deletes the signals of an endpoint earlier when its own days are over, and not during a legal hold', async () => {
    const [short, long] = [await givenEndpoint(server), await givenEndpoint(server)];
    const params = { id: short.id };
    const body = { name: short.name, retentionDays: 7 };
    const { json } = await server.admin.call('PUT /api/admin/signal-endpoints/:id', { params, body });
    expect(json.retentionDays).toBe(7);
    await sendMany(short, 'personal', 1500);
    await send(long, 'kept');
    server.clock.advance(8 * dayMs);
    await send(short, 'recent');
    const hold = (enabled: boolean) =>
      server.admin.call('POST /api/admin/legal-hold', { body: { enabled, reason: 'Case 7' } });
    await hold(true);
    await server.app.service.jobs.runDue();
    expect(await stored()).toContain('personal');
    await hold(false);
    server.clock.advance(dayMs / 24);
    await server.app.service.jobs.runDue();
    expect(await stored()).not.toContain('personal');
    expect(await stored()).toEqual(expect.arrayContaining(['kept', 'recent']));
  });
});
