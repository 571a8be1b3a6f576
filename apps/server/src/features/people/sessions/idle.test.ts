import { afterEach, describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';

const minuteMs = 60_000;
const statusOf = async (server: TestServer, headers: { cookie: string }) =>
  (await server.anonymous.call('GET /api/admin/user', { headers })).status;

const open: TestStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

describe('a session that is not used', () => {
  const server = useServer({ sessionIdleMinutes: 30 });

  it('ends after the idle timeout', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    server().clock.advance(30 * minuteMs - 1);
    expect(await statusOf(server(), headers)).toBe(200);
    server().clock.advance(30 * minuteMs);
    expect(await statusOf(server(), headers)).toBe(401);
    expect(await statusOf(server(), headers)).toBe(401);
  });

  it('stays open while it is in use, although its last use is stored some seconds late', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    for (let times = 0; times < 4; times++) {
      server().clock.advance(20 * minuteMs);
      expect(await statusOf(server(), headers)).toBe(200);
    }
  });

  it('is neither listed nor counted after it has ended', async () => {
    const user = await givenUser(server());
    const idle = await logIn(server().anonymous, user);
    server().clock.advance(30 * minuteMs);
    const [params, body] = [{ id: user.id }, { username: user.username, password: user.password }];
    const sessions = async () =>
      (await server().admin.call('GET /api/admin/user-admin/:id/sessions', { params })).json.sessions;
    expect(await sessions()).toEqual([]);
    expect((await server().admin.call('GET /api/admin/user-admin/:id', { params })).json.activeSessions).toBe(0);
    const { json } = await server().admin.call('GET /api/admin/user-admin');
    expect(json.users.find(({ id }: { id: number }) => id === user.id)).toMatchObject({ activeSessions: 0 });
    const login = await server().anonymous.call('POST /auth/simple/login', { body });
    expect(login.json).toMatchObject({ activeSessions: 1, deletedSessions: 0 });
    expect(await statusOf(server(), idle)).toBe(401);
  });

  it('shows the time when it would end by the idle timeout, when that is earlier', async () => {
    const user = await givenUser(server());
    await logIn(server().anonymous, user);
    const { json } = await server().admin.call('GET /api/admin/user-admin/:id/sessions', { params: { id: user.id } });
    expect(json.sessions).toMatchObject([
      { expiresAt: new Date(server().clock.now() + 30 * minuteMs).toISOString(), current: false },
    ]);
  });
});

describe('a session whose person is away', () => {
  const server = useServer({ sessionIdleMinutes: 30 });

  it('ends after the idle timeout, although its page keeps a stream open and fetches what is new', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    const follow = async () => {
      const stream = await TestStream.open(`${server().url}/api/admin/activity`, headers);
      open.push(stream);
      return stream;
    };
    const first = await follow();
    server().clock.advance(20 * minuteMs);
    // The access of open streams is checked again, and a page opens its stream again when a proxy has closed it.
    await givenUser(server());
    await logIn(server().anonymous, await givenUser(server()));
    await first.next();
    await follow();
    const background = { ...headers, 'yardarm-background': 'true' };
    expect(await statusOf(server(), background as { cookie: string })).toBe(200);
    server().clock.advance(15 * minuteMs);
    expect(await statusOf(server(), headers)).toBe(401);
  });

  it('ends its streams when the person logs out', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    for (const path of ['/api/admin/activity', '/api/admin/events/feed?after=0']) {
      const again = path.endsWith('activity') ? headers : await logIn(server().anonymous, await givenUser(server(), 1));
      const accept = { accept: 'text/event-stream' };
      const stream = await TestStream.open(server().url + path, { ...again, ...accept });
      open.push(stream);
      expect(stream.status).toBe(200);
      expect((await server().anonymous.call('POST /logout', { headers: again })).status).toBe(302);
      while ((await stream.next()) !== undefined);
    }
  });
});

describe('between two heartbeats a session', () => {
  const server = useServer({ sessionIdleMinutes: 30, streamHeartbeatSeconds: 3600 });

  it.each([
    ['after the idle timeout', 30 * minuteMs, []],
    ['when it expires', 48 * 60 * minuteMs, Array.from({ length: 102 }, () => 28 * minuteMs)],
  ])('ends its streams %s', async (_when, endMs, usedAfter) => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    let left = endMs;
    for (const ms of usedAfter) {
      server().clock.advance(ms);
      left -= ms;
      expect(await statusOf(server(), headers)).toBe(200);
    }
    // The clock of the test stands still: the session is open when the stream begins, however slow the machine is.
    server().clock.advance(left - 200);
    const stream = await TestStream.open(`${server().url}/api/admin/activity`, headers);
    open.push(stream);
    expect(stream.status).toBe(200);
    server().clock.advance(200);
    while ((await stream.next()) !== undefined);
  });
});

describe('without an idle timeout', () => {
  const server = useServer({ sessionIdleMinutes: 0, sessionTtlHours: 24 * 90 });

  it('a session lasts for its lifetime', async () => {
    const headers = await logIn(server().anonymous, await givenUser(server()));
    server().clock.advance(80 * 24 * 60 * minuteMs);
    expect(await statusOf(server(), headers)).toBe(200);
  });
});

describe('a session in use while the server restarts', () => {
  it('stays open, and its idle time counts from its last use', async () => {
    const storage = await createStorage();
    const settings = { sessionIdleMinutes: 30 };
    let server = await startServer(storage, settings);
    try {
      const headers = await logIn(server.anonymous, await givenUser(server));
      server.clock.advance(20 * minuteMs);
      expect(await statusOf(server, headers)).toBe(200);
      await server.stop();
      server = await startServer(storage, settings, server.clock);
      server.clock.advance(20 * minuteMs);
      expect(await statusOf(server, headers)).toBe(200);
      server.clock.advance(30 * minuteMs);
      expect(await statusOf(server, headers)).toBe(401);
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});
