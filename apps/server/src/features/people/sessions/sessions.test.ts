import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { sessionScenarios } from './sessions.scenarios.ts';

describe('session routes', () => {
  const server = useServer();
  testScenarios(server, sessionScenarios);

  const list = async (headers: { cookie: string }) =>
    server().anonymous.call('GET /api/admin/user/sessions', { headers });

  it('an ended session is refused, and the others stay open', async () => {
    const user = await givenUser(server());
    const [first, second] = [await logIn(server().anonymous, user), await logIn(server().anonymous, user)];
    const [, elsewhere] = (await list(second)).json.sessions;
    await server().anonymous.call('DELETE /api/admin/user/sessions/:id', {
      headers: second,
      params: { id: elsewhere.id },
    });
    expect((await list(first)).status).toBe(401);
    expect((await list(second)).json.sessions).toMatchObject([{ current: true }]);
  });

  it('a user ends all other own sessions, but no session of another user', async () => {
    const user = await givenUser(server());
    const stranger = await logIn(server().anonymous, await givenUser(server()));
    const [first, second, third] = [
      await logIn(server().anonymous, user),
      await logIn(server().anonymous, user),
      await logIn(server().anonymous, user),
    ];
    await server().anonymous.call('DELETE /api/admin/user/sessions', { headers: second });
    expect([(await list(first)).status, (await list(third)).status]).toEqual([401, 401]);
    expect((await list(second)).json.sessions).toMatchObject([{ current: true }]);
    expect((await list(stranger)).status).toBe(200);
  });

  it('an administrator ends all sessions of another user, and all own sessions except the current one', async () => {
    const [user, admin] = [await givenUser(server()), await givenUser(server(), 'Admin')];
    const theirs = await logIn(server().anonymous, user);
    const [elsewhere, mine] = [await logIn(server().anonymous, admin), await logIn(server().anonymous, admin)];
    for (const { id } of [user, admin])
      await server().anonymous.call('DELETE /api/admin/user-admin/:id/sessions', { headers: mine, params: { id } });
    expect([(await list(theirs)).status, (await list(elsewhere)).status]).toEqual([401, 401]);
    expect((await list(mine)).json.sessions).toMatchObject([{ current: true }]);
  });
});

describe('the time of last use of a session', () => {
  it('is kept over a restart; the secret of the session is never shown', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-after-the-restart'] };
    let server = await startServer(storage, settings);
    try {
      const user = await givenUser(server);
      const headers = await logIn(server.anonymous, user);
      const createdAt = new Date(server.clock.now()).toISOString();
      const listed = async () => {
        const reply = await server.admin.call('GET /api/admin/user-admin/:id/sessions', { params: { id: user.id } });
        expect(reply.text).not.toContain(headers.cookie.split('=')[1]);
        return reply.json.sessions;
      };
      expect(await listed()).toMatchObject([{ createdAt, seenAt: createdAt }]);
      server.clock.advance(60_000);
      await server.anonymous.call('GET /api/admin/user', { headers });
      const seenAt = new Date(server.clock.now()).toISOString();
      await server.stop();
      server = await startServer(storage, settings);
      expect(await listed()).toMatchObject([{ createdAt, seenAt }]);
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});
