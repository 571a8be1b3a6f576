import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { createStorage, engine, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

// Only PostgreSQL can be shared. Both servers run in this process, but share nothing except the database.
describe.runIf(engine === 'postgres')('two servers on one database', () => {
  let storage: TestStorage;
  const settings = { initAdminTokens: ['*:*.the-same-on-both'] };
  let first: TestServer;
  let second: TestServer;
  beforeAll(async () => {
    storage = await createStorage();
    [first, second] = await Promise.all([startServer(storage, settings), startServer(storage, settings)]);
  });
  afterAll(async () => {
    await first?.stop();
    await second?.stop();
    await storage.remove();
  });

  const status = async (client: ApiClient, headers = {}) =>
    (await client.call('GET /api/admin/user', { headers })).status;

  it('create the first administrator only once', async () => {
    const { json } = await second.admin.call('GET /api/admin/user-admin');
    expect(json.users.map((user: { username: string }) => user.username)).toEqual(['admin']);
  });

  it('share sessions: a login or logout on one server holds on the other', async () => {
    const headers = await logIn(first.anonymous, await givenUser(first));
    expect(await status(second.anonymous, headers)).toBe(200);
    await second.anonymous.call('POST /logout', { headers });
    expect(await status(first.anonymous, headers)).toBe(401);
  });

  it('refuse an account on one server as soon as it is deleted on the other', async () => {
    const user = await givenUser(first);
    const headers = await logIn(first.anonymous, user);
    const { json } = await first.anonymous.call('POST /api/admin/user/tokens', {
      headers,
      body: { description: 'laptop', expiresAt: '2099-01-01T00:00:00Z' },
    });
    const bearer = second.client(json.secret);
    // From now on the second server has the token in its cache.
    expect(await status(bearer)).toBe(200);
    await first.admin.call('DELETE /api/admin/user-admin/:id', { params: { id: user.id } });
    expect(await status(second.anonymous, headers)).toBe(401);
    // The event clears the cached token a moment later; should the notification be lost, the feed polls after a second.
    await expect.poll(() => status(bearer), { timeout: 3000 }).toBe(401);
  });

  it('refuse a caller on one server after its role was removed on the other', async () => {
    const { id, client, token } = await givenCaller(first, 'Editor');
    const { json } = await client.call('POST /api/admin/projects', { body: { name: 'Shared', mode: 'private' } });
    const params = { projectId: json.id, userId: id };
    const other = second.client(token);
    const overview = async () => (await other.call('GET /api/admin/projects/:projectId/overview', { params })).status;
    await expect.poll(overview, { timeout: 3000 }).toBe(200);
    const body = { roles: [{ id: 4, users: [(await givenCaller(first)).id], groups: [] }] };
    expect((await first.admin.call('PUT /api/admin/projects/:projectId/access', { params, body })).status).toBe(200);
    await expect.poll(overview, { timeout: 3000 }).toBe(404);
  });
});
