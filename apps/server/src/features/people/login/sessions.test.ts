import { describe, expect, it } from 'vitest';
import { asNewUser, givenUser, goodPassword, logIn } from '#testing/people.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';

const hourMs = 3_600_000;

async function statusOf(server: TestServer, headers: Record<string, string>): Promise<number> {
  return (await server.anonymous.call('GET /api/admin/user', { headers })).status;
}

describe('a session', () => {
  const server = useServer({ sessionTtlHours: 2, maxParallelSessions: 2 });

  it('ends after its lifetime, even when it is in use', async () => {
    const session = await logIn(server().anonymous, await givenUser(server()));
    server().clock.advance(2 * hourMs - 1000);
    expect(await statusOf(server(), session)).toBe(200);
    server().clock.advance(1000);
    expect(await statusOf(server(), session)).toBe(401);
  });

  it('ends when its user begins too many newer sessions, but not those of other users', async () => {
    const other = await logIn(server().anonymous, await givenUser(server()));
    const user = await givenUser(server());
    const first = await logIn(server().anonymous, user);
    const second = await logIn(server().anonymous, user);
    const reply = await server().anonymous.call('POST /auth/simple/login', {
      body: { username: user.username, password: user.password },
    });
    expect(reply.json).toMatchObject({ activeSessions: 2, deletedSessions: 1 });
    expect(await statusOf(server(), first)).toBe(401);
    expect(await statusOf(server(), second)).toBe(200);
    expect(await statusOf(server(), other)).toBe(200);
  });

  it('ends on logout with all other sessions of its user, but not those of other users', async () => {
    const user = await givenUser(server());
    const [first, second] = [await logIn(server().anonymous, user), await logIn(server().anonymous, user)];
    const other = await logIn(server().anonymous, await givenUser(server()));
    await server().anonymous.request('POST', '/logout', {
      headers: { ...first, 'content-type': 'text/plain' },
      raw: 'x',
    });
    expect(await statusOf(server(), first)).toBe(401);
    expect(await statusOf(server(), second)).toBe(401);
    expect(await statusOf(server(), other)).toBe(200);
  });

  it('is the only one to stay open when its user changes the password in it', async () => {
    const user = await givenUser(server());
    const [mine, other] = [await logIn(server().anonymous, user), await logIn(server().anonymous, user)];
    const password = 'Another-Passw0rd';
    const reply = await server().anonymous.call('POST /api/admin/user/change-password', {
      headers: mine,
      body: { password, confirmPassword: password, oldPassword: user.password },
    });
    expect(reply.status).toBe(200);
    expect(await statusOf(server(), mine)).toBe(200);
    expect(await statusOf(server(), other)).toBe(401);
    await expect(logIn(server().anonymous, user)).rejects.toThrow('401');
    await logIn(server().anonymous, { ...user, password });
  });

  it('ends when an administrator sets a new password', async () => {
    const user = await givenUser(server());
    const session = await logIn(server().anonymous, user);
    await server().admin.call('POST /api/admin/user-admin/:id/change-password', {
      params: { id: user.id },
      body: { password: 'Another-Passw0rd' },
    });
    expect(await statusOf(server(), session)).toBe(401);
  });

  it('never begins with the old password while the password is being changed', async () => {
    // Repeated, because the race between login and change does not show in every round.
    for (let round = 0; round < 4; round++) {
      const user = await givenUser(server());
      const body = { username: user.username, password: user.password };
      const [change, ...logins] = await Promise.all([
        server().admin.call('POST /api/admin/user-admin/:id/change-password', {
          params: { id: user.id },
          body: { password: 'Another-Passw0rd' },
        }),
        ...Array.from({ length: 8 }, () => server().anonymous.call('POST /auth/simple/login', { body })),
      ]);
      expect(change.status).toBe(200);
      for (const { headers } of logins) {
        const cookie = headers.getSetCookie()[0]?.split(';', 1)[0];
        if (cookie !== undefined) expect(await statusOf(server(), { cookie })).toBe(401);
      }
    }
  });

  it('ends when its user is deleted', async () => {
    const user = await givenUser(server());
    const session = await logIn(server().anonymous, user);
    await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: user.id } });
    expect(await statusOf(server(), session)).toBe(401);
    await expect(logIn(server().anonymous, user)).rejects.toThrow('401');
  });

  it('has the current permissions of its user, not those at its beginning', async () => {
    const user = await givenUser(server(), 'Viewer');
    const headers = await logIn(server().anonymous, user);
    const listUsers = async () => (await server().anonymous.call('GET /api/admin/user-admin', { headers })).status;
    expect(await listUsers()).toBe(403);
    await server().admin.call('PUT /api/admin/user-admin/:id', {
      params: { id: user.id },
      body: { rootRole: 'Admin' },
    });
    expect(await listUsers()).toBe(200);
  });

  it('makes its user the author of events', async () => {
    const user = await givenUser(server(), 'Admin');
    const headers = await logIn(server().anonymous, user);
    await server().anonymous.call('POST /api/admin/service-account', {
      headers,
      body: { username: 'made-in-a-session', name: 'x', rootRole: 3 },
    });
    const { json } = await server().admin.call('GET /api/admin/events', { query: { limit: 1 } });
    expect(json.events[0]).toMatchObject({ createdBy: `${user.username}@example.com`, createdByUserId: user.id });
  });
});

describe('login', () => {
  it('costs about as much CPU for unknown as for known users', async () => {
    const storage = await createStorage();
    const server = await startServer(storage);
    try {
      const user = await givenUser(server);
      const tries = async (username: string) => {
        const before = process.cpuUsage();
        const body = { username, password: 'wrong' };
        expect((await server.anonymous.call('POST /auth/simple/login', { body })).status).toBe(401);
        const { user: userMicros, system } = process.cpuUsage(before);
        return userMicros + system;
      };
      const times = { known: [] as number[], unknown: [] as number[] };
      for (let round = 0; round < 7; round++) {
        times.known.push(await tries(user.username));
        times.unknown.push(await tries('nobody-of-that-name'));
      }
      // The server runs in this process. The minima hold no garbage collection. If only passwords of known users were
      // hashed, the ratio would be about 0.1.
      expect(Math.min(...times.unknown) / Math.min(...times.known)).toBeGreaterThan(0.35);
    } finally {
      await server.stop();
      await storage.remove();
    }
  });

  it('counts failures until a login succeeds, and keeps the count over a restart', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-after-the-restart'] };
    let server = await startServer(storage, settings);
    try {
      const user = await givenUser(server);
      for (let n = 0; n < 3; n++)
        await expect(logIn(server.anonymous, { ...user, password: 'x' })).rejects.toThrow('401');
      await server.stop();
      server = await startServer(storage, settings);
      const shown = async () =>
        (await server.admin.call('GET /api/admin/user-admin/:id', { params: { id: user.id } })).json;
      expect(await shown()).toMatchObject({ loginAttempts: 3 });
      await logIn(server.anonymous, user);
      expect(await shown()).toMatchObject({ loginAttempts: 0 });
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});

describe('the login limit', () => {
  const server = useServer({ loginRatePerMinute: 3 });

  it('refuses further logins from an address, even with the right password', async () => {
    const user = await givenUser(server());
    const body = { username: user.username, password: 'wrong' };
    for (let n = 0; n < 3; n++)
      expect((await server().anonymous.call('POST /auth/simple/login', { body })).status).toBe(401);
    const reply = await server().anonymous.call('POST /auth/simple/login', {
      body: { ...body, password: goodPassword },
    });
    expect(reply.status).toBe(429);
    expect(reply.json.name).toBe('RateLimitError');
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
  });
});

describe('a server behind a path and HTTPS', () => {
  const server = useServer({ basePath: '/flags', secureCookies: true, clearSiteDataOnLogout: false });

  it('limits its cookie to the path and to HTTPS', async () => {
    const user = await givenUser(server());
    const login = await server().anonymous.call('POST /auth/simple/login', {
      body: { username: user.username, password: user.password },
    });
    expect(login.headers.get('set-cookie')).toMatch(/; Path=\/flags; .*; Secure; SameSite=Lax$/);
    const logout = await server().anonymous.call('POST /logout', await asNewUser(server()));
    expect(logout.headers.get('location')).toBe('/flags/signed-out');
    expect(logout.headers.get('set-cookie')).toMatch(
      /^yardarm-session=; Max-Age=0; Path=\/flags; .*; Secure; SameSite=Lax$/,
    );
    expect(logout.headers.has('clear-site-data')).toBe(false);
  });

  it('answers 401 with the path of the login', async () => {
    const reply = await server().anonymous.call('GET /api/admin/user');
    expect(reply.json).toMatchObject({
      name: 'AuthenticationRequired',
      type: 'password',
      path: '/flags/auth/simple/login',
      defaultHidden: false,
    });
  });
});

describe('a server behind HTTPS at the root of its host', () => {
  const server = useServer({ secureCookies: true });

  it('uses the __Host- prefix, so that other hosts of the domain cannot set its cookie', async () => {
    const user = await givenUser(server());
    const login = await server().anonymous.call('POST /auth/simple/login', {
      body: { username: user.username, password: user.password },
    });
    const [cookie = ''] = login.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-yardarm-session=[\w-]{43}; Max-Age=172800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const [pair = ''] = cookie.split(';', 1);
    expect(await statusOf(server(), { cookie: pair })).toBe(200);
    expect(await statusOf(server(), { cookie: pair.replace('__Host-', '') })).toBe(401);
    const logout = await server().anonymous.call('POST /logout', { headers: { cookie: pair } });
    expect(logout.headers.get('set-cookie')).toMatch(
      /^__Host-yardarm-session=; Max-Age=0; Path=\/; .*; Secure; SameSite=Lax$/,
    );
    expect(await statusOf(server(), { cookie: pair })).toBe(401);
  });
});
