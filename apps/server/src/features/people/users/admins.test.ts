import { describe, expect, it } from 'vitest';
import { givenUser, goodPassword, logIn } from '#testing/people.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { Browser, givenProvider } from '#testing/single-sign-on.ts';

/** A server whose only administrator is the first one. */
async function withServer(test: (server: TestServer, firstAdminId: number) => Promise<void>): Promise<void> {
  const storage = await createStorage();
  const server = await startServer(storage);
  try {
    const { json } = await server.admin.call('GET /api/admin/user-admin');
    await test(server, json.users[0].id);
  } finally {
    await server.stop();
    await storage.remove();
  }
}

const remove = (server: TestServer, id: number) =>
  server.admin.call('DELETE /api/admin/user-admin/:id', { params: { id } });
const giveRole = (server: TestServer, id: number, rootRole: string) =>
  server.admin.call('PUT /api/admin/user-admin/:id', { params: { id }, body: { rootRole } });

describe('the last administrator who can log in', () => {
  it('can neither be deleted nor lose the role; the error says why', async () => {
    await withServer(async (server, id) => {
      // Neither of these administrators can log in, so neither can make another user an administrator.
      await server.admin.call('POST /api/admin/user-admin', { body: { username: 'no-password', rootRole: 'Admin' } });
      await server.admin.call('POST /api/admin/service-account', {
        body: { username: 'robot', name: 'x', rootRole: 'Admin' },
      });
      expect((await server.admin.call('GET /api/admin/user-admin/admin-count')).json).toEqual({
        password: 1,
        noPassword: 1,
        service: 1,
      });
      for (const reply of [await remove(server, id), await giveRole(server, id, 'Editor')]) {
        expect(reply.status).toBe(403);
        expect(reply.json).toMatchObject({
          name: 'OperationDeniedError',
          message: expect.stringContaining('last administrator'),
        });
      }
      expect((await giveRole(server, id, 'Admin')).status).toBe(200);
    });
  });

  it('can be deleted once there is another one', async () => {
    await withServer(async (server, id) => {
      await givenUser(server, 'Admin');
      expect((await giveRole(server, id, 'Viewer')).status).toBe(200);
      expect((await remove(server, id)).status).toBe(200);
    });
  });

  it('remains when all administrators are demoted at the same time', async () => {
    await withServer(async (server, id) => {
      const ids = [id, (await givenUser(server, 'Admin')).id, (await givenUser(server, 'Admin')).id];
      const replies = await Promise.all(ids.map((userId) => giveRole(server, userId, 'Viewer')));
      expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 200, 403]);
    });
  });
});

describe('the last administrator with an e-mail address', () => {
  it('remains when passwords are disabled and users log in through single sign-on', async () => {
    await withServer(async (server, first) => {
      const idp = await givenProvider(server);
      // The first administrator has a password and no e-mail address.
      const [second, third] = [await givenUser(server, 'Admin'), await givenUser(server, 'Admin')];
      const off = await server.admin.call('POST /api/admin/auth/simple/settings', { body: { disabled: true } });
      expect(off.status).toBe(200);
      expect((await remove(server, second.id)).status).toBe(200);
      for (const reply of [await remove(server, third.id), await giveRole(server, third.id, 'Viewer')]) {
        expect(reply.status).toBe(403);
        expect(reply.json.message).toContain('with an e-mail address');
      }
      expect((await remove(server, first)).status).toBe(200);
      await idp.stop();
    });
  });
});

describe('the last administrator', () => {
  it('remains when single sign-on has removed the last password of an administrator', async () => {
    await withServer(async (server, first) => {
      const idp = await givenProvider(server);
      const { json: link } = await server.admin.call('POST /api/admin/invite-link/tokens', {
        body: { name: 'Team', expiresAt: new Date(server.clock.now() + 60_000).toISOString() },
      });
      const invited = { username: 'invited', email: 'invited@example.com', name: 'Ida', password: goodPassword };
      const signup = { params: { token: link.secret }, body: invited };
      const { json: second } = await server.anonymous.call('POST /invite/:token/signup', signup);
      expect((await giveRole(server, second.id, 'Admin')).status).toBe(200);
      expect((await remove(server, first)).status).toBe(200);
      idp.user = { sub: 'x', email: invited.email, email_verified: true };
      expect((await new Browser().logIn(server)).status).toBe(302);
      const counts = (await server.admin.call('GET /api/admin/user-admin/admin-count')).json;
      expect(counts).toMatchObject({ password: 0, noPassword: 1 });
      for (const reply of [await remove(server, second.id), await giveRole(server, second.id, 'Viewer')]) {
        expect(reply.status).toBe(403);
        expect(reply.json.message).toContain('with a password or an e-mail address');
      }
      await idp.stop();
    });
  });
});

describe('an administrator', () => {
  it('cannot delete its own account', async () => {
    await withServer(async (server) => {
      const user = await givenUser(server, 'Admin');
      const reply = await server.anonymous.call('DELETE /api/admin/user-admin/:id', {
        headers: await logIn(server.anonymous, user),
        params: { id: user.id },
      });
      expect(reply.status).toBe(403);
      expect(reply.json.message).toMatch(/your own account/);
    });
  });
});
