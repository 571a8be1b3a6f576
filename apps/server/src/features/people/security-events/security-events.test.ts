import { describe, expect, it } from 'vitest';
import { givenUser } from '#testing/people.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';

const failToLogIn = (server: TestServer, username: string) =>
  server.anonymous.call('POST /auth/simple/login', { body: { username, password: 'Not-My-Passw0rd' } });

describe('failed logins', () => {
  const server = useServer();
  const flush = () => server().app.service.securityEvents.failedLogins.flush();

  it('of an account are one event with their number, without the password', async () => {
    const { id, username } = await givenUser(server());
    const before = await lastEventId(server());
    await failToLogIn(server(), username);
    await failToLogIn(server(), `${username}@EXAMPLE.com`);
    await failToLogIn(server(), username);
    await flush();
    const events = await eventsAfter(server(), before);
    expect(events).toMatchObject([
      {
        type: 'login-failed',
        project: null,
        createdByUserId: -1337,
        outcome: 'failure',
        origin: { address: '127.0.0.1' },
        data: {
          account: 'known',
          userId: id,
          username: `${username}@example.com`,
          attempts: 3,
          addresses: 1,
          userNames: 2,
          authTypes: ['simple'],
          from: expect.any(String),
          to: expect.any(String),
        },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain('Not-My-Passw0rd');
  });

  it('with names that no account has are one event that does not name them, because a name may be a password', async () => {
    const before = await lastEventId(server());
    for (const name of ['hunter2-typed-here', 'nobody', 'nobody']) await failToLogIn(server(), name);
    await flush();
    const events = await eventsAfter(server(), before);
    expect(events).toMatchObject([
      { type: 'login-failed', data: { account: 'unknown', userId: null, username: null, attempts: 3, userNames: 2 } },
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2-typed-here');
  });

  it('with 100,000 different names make a bounded number of events', async () => {
    const before = await lastEventId(server());
    const { count } = server().app.service.securityEvents.failedLogins;
    for (let n = 0; n < 100_000; n++) {
      const userId = n % 2 === 0 ? undefined : n;
      count({ username: `name-${n}`, userId, authType: 'simple', ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` });
    }
    await flush();
    const events = await eventsAfter(server(), before);
    expect(events.length).toBeLessThanOrEqual(51);
    const counts = events.map(({ data }) => data as { attempts: number; account: string; addresses: number });
    expect(counts.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(100_000);
    expect(counts.find(({ account }) => account === 'unknown')).toMatchObject({ attempts: 50_000, addresses: 1000 });
    expect(counts.filter(({ account }) => account === 'other')).toHaveLength(1);
  });

  it('record nothing when there are none', async () => {
    const before = await lastEventId(server());
    await flush();
    expect(await eventsAfter(server(), before)).toEqual([]);
  });
});

it('failed logins that are still counted are recorded when the server stops', async () => {
  const storage = await createStorage();
  const settings = { initAdminTokens: ['*:*.the-same-after-the-restart'] };
  let server = await startServer(storage, settings);
  try {
    await failToLogIn(server, 'nobody');
    await server.stop();
    server = await startServer(storage, settings);
    const { events } = (await server.admin.call('GET /api/admin/events')).json;
    expect(events.filter(({ type }: { type: string }) => type === 'login-failed')).toHaveLength(1);
  } finally {
    await server.stop();
    await storage.remove();
  }
});

describe('refused changes', () => {
  const server = useServer();
  const flush = () => server().app.service.securityEvents.refusedChanges.flush();

  it('of an account are one event of that account, with routes and permissions', async () => {
    const viewer = server().client(await server().tokenOf('viewer'));
    const before = await lastEventId(server());
    const create = () => viewer.call('POST /api/admin/projects', { body: { id: 'mine', name: 'Mine' } });
    expect([(await create()).status, (await create()).status]).toEqual([403, 403]);
    const maintain = await viewer.call('POST /api/admin/maintenance', { body: { enabled: true } });
    expect(maintain.status).toBe(403);
    await flush();
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'change-refused',
        createdBy: 'viewer',
        outcome: 'refused',
        origin: { address: '127.0.0.1' },
        data: {
          account: 'known',
          attempts: 3,
          addresses: 1,
          routes: ['POST /api/admin/maintenance', 'POST /api/admin/projects'],
          permissions: ['ADMIN', 'CREATE_PROJECT', 'UPDATE_MAINTENANCE_MODE'],
        },
      },
    ]);
  });

  it('are not reads, and not requests without a known caller', async () => {
    const viewer = server().client(await server().tokenOf('viewer'));
    const before = await lastEventId(server());
    expect((await viewer.call('GET /api/admin/maintenance')).status).toBe(403);
    expect((await server().anonymous.call('POST /api/admin/projects', { body: { id: 'x', name: 'x' } })).status).toBe(
      401,
    );
    await flush();
    expect(await eventsAfter(server(), before)).toEqual([]);
  });
});
