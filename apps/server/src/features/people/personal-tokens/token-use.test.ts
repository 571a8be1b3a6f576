import { describe, expect, it } from 'vitest';
import { givenUser, logIn } from '#testing/people.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';

const later = '2099-01-01T00:00:00.000Z';

async function givenPersonalToken(server: TestServer, expiresAt = later) {
  const user = await givenUser(server);
  const headers = await logIn(server.anonymous, user);
  const { json } = await server.anonymous.call('POST /api/admin/user/tokens', {
    headers,
    body: { description: 'laptop', expiresAt },
  });
  return { user, headers, tokenId: json.id as number, client: server.client(json.secret) };
}

async function givenServiceToken(server: TestServer, username: string) {
  const { json: account } = await server.admin.call('POST /api/admin/service-account', {
    body: { username, name: 'x', rootRole: 'Admin' },
  });
  const { json } = await server.admin.call('POST /api/admin/service-account/:id/token', {
    params: { id: account.id },
    body: { description: 'first', expiresAt: later },
  });
  return { id: account.id as number, tokenId: json.id as number, client: server.client(json.secret) };
}

describe('a personal token', () => {
  const server = useServer();

  it('is accepted until it expires', async () => {
    const expiresAt = new Date(server().clock.now() + 60_000).toISOString();
    const { client } = await givenPersonalToken(server(), expiresAt);
    expect((await client.call('GET /api/admin/user')).status).toBe(200);
    server().clock.advance(60_000);
    const reply = await client.call('GET /api/admin/user');
    expect(reply.status).toBe(401);
    expect(reply.json.name).toBe('UnauthorizedError');
  });

  it('is refused after it is deleted', async () => {
    const { client, headers, tokenId } = await givenPersonalToken(server());
    expect((await client.call('GET /api/admin/user')).status).toBe(200);
    await server().anonymous.call('DELETE /api/admin/user/tokens/:id', { headers, params: { id: tokenId } });
    expect((await client.call('GET /api/admin/user')).status).toBe(401);
  });

  it('is refused after its user is deleted', async () => {
    const { client, user } = await givenPersonalToken(server());
    expect((await client.call('GET /api/admin/user')).status).toBe(200);
    await server().admin.call('DELETE /api/admin/user-admin/:id', { params: { id: user.id } });
    expect((await client.call('GET /api/admin/user')).status).toBe(401);
  });

  it('has the current permissions of its user', async () => {
    const { client, user } = await givenPersonalToken(server());
    expect((await client.call('GET /api/admin/user-admin')).status).toBe(403);
    await server().admin.call('PUT /api/admin/user-admin/:id', {
      params: { id: user.id },
      body: { rootRole: 'Admin' },
    });
    expect((await client.call('GET /api/admin/user-admin')).status).toBe(200);
  });

  it('of a service account is refused after the token or the account is deleted', async () => {
    const [first, second] = [await givenServiceToken(server(), 'one'), await givenServiceToken(server(), 'two')];
    for (const { client } of [first, second]) expect((await client.call('GET /api/admin/user')).status).toBe(200);
    await server().admin.call('DELETE /api/admin/service-account/:id/token/:tokenId', {
      params: { id: first.id, tokenId: first.tokenId },
    });
    await server().admin.call('DELETE /api/admin/service-account/:id', { params: { id: second.id } });
    for (const { client } of [first, second]) expect((await client.call('GET /api/admin/user')).status).toBe(401);
  });

  it('of a service account has the current role of the account, which is the author of events', async () => {
    const { id, client } = await givenServiceToken(server(), 'changing');
    await client.call('POST /api/admin/service-account', { body: { username: 'child', name: 'x', rootRole: 3 } });
    const { json } = await server().admin.call('GET /api/admin/events', { query: { limit: 1 } });
    expect(json.events[0]).toMatchObject({ createdBy: 'changing', createdByUserId: id });
    await server().admin.call('PUT /api/admin/service-account/:id', { params: { id }, body: { rootRole: 'Viewer' } });
    expect((await client.call('GET /api/admin/service-account')).status).toBe(403);
  });
});

describe('the time of last use', () => {
  it('of a token and its account is kept over a restart', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-after-the-restart'] };
    let server = await startServer(storage, settings);
    try {
      const { id, client } = await givenServiceToken(server, 'seen');
      server.clock.advance(1000);
      await client.call('GET /api/admin/user');
      const seenAt = new Date(server.clock.now()).toISOString();
      await server.stop();
      server = await startServer(storage, settings);
      const { json } = await server.admin.call('GET /api/admin/service-account');
      expect(json.serviceAccounts.find((account: { id: number }) => account.id === id)).toMatchObject({
        seenAt,
        tokens: [{ seenAt }],
      });
    } finally {
      await server.stop();
      await storage.remove();
    }
  });
});
