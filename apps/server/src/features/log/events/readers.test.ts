import { describe, expect, it } from 'vitest';
import { createStorage, startServer, useServer } from '#testing/server.ts';

describe('access to events', () => {
  const adminToken = '*:*.for-administrators';
  const backendToken = '*:development.for-backends';
  const server = useServer({ initAdminTokens: [adminToken], initBackendTokens: [backendToken] });
  const doors = [
    ['/api/admin/events', 403],
    ['/api/admin/events?project=default', 403],
    ['/api/admin/events/any', 403],
    ['/api/admin/search/events', 200],
    ['/api/admin/event-creators', 200],
  ] as const;

  it.each(doors)('%s answers 401 without a token and with a wrong one', async (path) => {
    const answers = [
      await server().anonymous.request('GET', path),
      await server().client('*:*.wrong').request('GET', path),
      await server().client('user:wrong').request('GET', path),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.map(({ json }) => json.name)).toEqual([
      'AuthenticationRequired',
      'UnauthorizedError',
      'UnauthorizedError',
    ]);
  });

  it.each(doors)('%s takes an admin token bare and with Bearer in any case', async (path) => {
    for (const scheme of ['', 'Bearer ', 'bearer ', 'BEARER   ']) {
      const authorization = scheme + adminToken;
      expect((await server().anonymous.request('GET', path, { headers: { authorization } })).status).toBe(200);
    }
  });

  it.each(doors)('%s answers an editor and a viewer with %i', async (path, status) => {
    for (const role of ['editor', 'viewer'] as const) {
      const reply = await server()
        .client(await server().tokenOf(role))
        .request('GET', path);
      expect(reply.status).toBe(status);
      if (status === 403) expect(reply.json).toMatchObject({ name: 'PermissionError', permissions: ['ADMIN'] });
    }
  });

  it.each(doors)('%s is closed to a token for backends', async (path) => {
    const reply = await server().client(backendToken).request('GET', path);
    expect(reply.status).toBe(403);
  });

  it.each(doors)('%s takes a content type though it has no body', async (path) => {
    const reply = await server().admin.request('GET', path, { headers: { 'content-type': 'application/json' } });
    expect(reply.status).toBe(200);
  });
});

describe('access to events with authentication type none', () => {
  it('needs no token, and still refuses a wrong one', async () => {
    const storage = await createStorage();
    const server = await startServer(storage, { authType: 'none' });
    for (const path of ['/api/admin/events', '/api/admin/events/any', '/api/admin/search/events']) {
      expect((await server.anonymous.request('GET', path)).status).toBe(200);
      expect((await server.client('*:*.wrong').request('GET', path)).status).toBe(401);
    }
    await server.stop();
    await storage.remove();
  });
});
