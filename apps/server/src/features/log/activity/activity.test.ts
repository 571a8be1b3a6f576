import { afterEach, describe, expect, it } from 'vitest';
import { givenSet, signal } from '#testing/actions.ts';
import { recordEvents } from '#testing/event-log.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { useReceiver } from '#testing/receiver.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, engine, startServer, useServer } from '#testing/server.ts';
import { givenEndpoint } from '#testing/signals.ts';
import { TestStream } from '#testing/test-stream.ts';
import { activityScenarios } from './activity.scenarios.ts';

const adminToken = '*:*.for-the-reader-of-activity';

const open: TestStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

describe('GET /api/admin/activity', () => {
  const server = useServer({ initAdminTokens: [adminToken], allowPrivateIntegrationUrls: true });
  const receiver = useReceiver();

  testScenarios(server, activityScenarios);

  async function follow(headers: Readonly<Record<string, string>> = { authorization: adminToken }) {
    const stream = await TestStream.open(`${server().url}/api/admin/activity`, headers);
    open.push(stream);
    return stream;
  }

  /** Runs `act`, waits until the number of the kind `expected` has changed, and returns all kinds that changed. */
  async function changedBy(expected: string, act: () => Promise<unknown>): Promise<Set<string>> {
    const stream = await follow();
    const before = (await stream.next())?.data;
    await act();
    for (;;) {
      const now = (await stream.next())?.data;
      const changed = new Set(Object.keys(now).filter((kind) => now[kind] !== before[kind]));
      if (changed.has(expected)) return changed;
    }
  }

  it('has the id of the newest event, and a message for a new event', async () => {
    const changed = await changedBy('events', () =>
      recordEvents(server().app, [{ type: 'feature-archived', project: 'default', featureName: 'f' }]),
    );
    expect(changed).toEqual(new Set(['events']));
    const newest = (await server().admin.call('GET /api/admin/newest')).json.eventId;
    expect((await (await follow()).next())?.data.events).toBe(newest);
  });

  it('tells of change requests and settings by their events', async () => {
    const event = { type: 'change-request-created', project: 'default' } as const;
    expect(await changedBy('changeRequests', () => recordEvents(server().app, [event]))).toEqual(
      new Set(['events', 'changeRequests']),
    );
    const freeze = { body: { frozen: true } };
    expect(await changedBy('settings', () => server().admin.call('POST /api/admin/automation', freeze))).toEqual(
      new Set(['events', 'settings']),
    );
    await server().admin.call('POST /api/admin/automation', { body: { frozen: false } });
  });

  it('tells of a signal that nothing reacts to', async () => {
    const { name, token } = await givenEndpoint(server());
    const send = () =>
      server().client(`Bearer ${token}`).call('POST /api/signal-endpoint/:name', { params: { name }, body: {} });
    expect(await changedBy('signals', send)).toEqual(new Set(['signals']));
  });

  it('tells of a run', async () => {
    const set = await givenSet(server());
    expect([...(await changedBy('runs', () => signal(server(), set)))]).toContain('runs');
  });

  it('tells of the attempt of a delivery', async () => {
    await givenIntegration(server(), {
      parameters: { url: `${receiver().url}/hook` },
      events: ['feature-archived'],
    });
    const archived = { type: 'feature-archived', project: 'default', featureName: 'f' } as const;
    expect([...(await changedBy('deliveries', () => recordEvents(server().app, [archived])))]).toContain('deliveries');
  });

  it('ends when the session of the reader ends', async () => {
    const person = await givenUser(server(), 'Viewer');
    const { cookie = '' } = await logIn(server().anonymous, person);
    const stream = await follow({ cookie });
    await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: person.id } });
    while ((await stream.next()) !== undefined);
  });
});

describe.runIf(engine === 'postgres')('GET /api/admin/activity of two processes', () => {
  it('tells of signals that another process has stored', async () => {
    const settings = { initAdminTokens: [adminToken] };
    const storage = await createStorage();
    const [a, b] = [await startServer(storage, settings), await startServer(storage, settings)];
    try {
      const { name, token } = await givenEndpoint(a);
      const stream = await TestStream.open(`${b.url}/api/admin/activity`, { authorization: adminToken });
      open.push(stream);
      const { signals } = (await stream.next())?.data ?? {};
      await a.client(`Bearer ${token}`).call('POST /api/signal-endpoint/:name', { params: { name }, body: {} });
      for (;;) if ((await stream.next())?.data.signals !== signals) break;
    } finally {
      await a.stop();
      await b.stop();
      await storage.remove();
    }
  });
});
