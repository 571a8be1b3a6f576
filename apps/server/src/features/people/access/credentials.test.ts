import { describe, expect, it } from 'vitest';
import { asNewUser, givenUser, logIn } from '#testing/people.ts';
import { rawAnswer } from '#testing/raw-http.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const whoAmI = async (server: TestServer, headers: Record<string, string>) =>
  server.anonymous.call('GET /api/admin/user', { headers });

describe('a caller of the admin API', () => {
  const server = useServer({
    initBackendTokens: ['default:development.backend', 'user:development.of-a-project-called-user'],
    initFrontendTokens: ['default:development.frontend'],
  });

  it('gets 401 without a session or a token', async () => {
    const reply = await whoAmI(server(), {});
    expect(reply.status).toBe(401);
    expect(reply.json).toMatchObject({
      name: 'AuthenticationRequired',
      type: 'password',
      path: '/auth/simple/login',
      defaultHidden: false,
    });
  });

  it.each(['*:*.unknown', 'user:unknown', 'signal_unknown', 'nonsense'])(
    'is refused with the token %s',
    async (token) => {
      const reply = await whoAmI(server(), { authorization: token });
      expect(reply.status).toBe(401);
      expect(reply.json.name).toBe('UnauthorizedError');
    },
  );

  it('is refused with a wrong token, even with a valid session', async () => {
    const { headers } = await asNewUser(server());
    expect((await whoAmI(server(), { ...headers, authorization: 'user:unknown' })).status).toBe(401);
  });

  it('gets the same 401 for an ended session as without a cookie', async () => {
    const reply = await whoAmI(server(), { cookie: 'yardarm-session=long-gone' });
    expect(reply.status).toBe(401);
    expect(reply.json.name).toBe('AuthenticationRequired');
  });

  it.each(['default:development.backend', 'default:development.frontend', 'user:development.of-a-project-called-user'])(
    'is forbidden with the SDK token %s',
    async (token) => {
      expect((await whoAmI(server(), { authorization: token })).status).toBe(403);
    },
  );

  it('is refused with the token of a signal endpoint', async () => {
    const { json: endpoint } = await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: 'e' } });
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
      params: { signalEndpointId: endpoint.id },
      body: { name: 't' },
    });
    expect((await whoAmI(server(), { authorization: `Bearer ${json.token}` })).status).toBe(401);
  });

  it('is the owner of the personal token, with or without the scheme Bearer', async () => {
    const user = await givenUser(server(), 'Editor');
    const { json } = await server().anonymous.call('POST /api/admin/user/tokens', {
      headers: await logIn(server().anonymous, user),
      body: { description: 'laptop', expiresAt: '2099-01-01T00:00:00Z' },
    });
    for (const authorization of [json.secret, `Bearer ${json.secret}`, `bearer ${json.secret}`]) {
      expect((await whoAmI(server(), { authorization })).json.user).toMatchObject({ id: user.id, rootRole: 2 });
    }
  });
});

describe('a page of another site', () => {
  const server = useServer({ publicUrl: 'https://flags.example.com' });
  const create = async (headers: Record<string, string>) =>
    server().anonymous.call('POST /api/admin/user/tokens', {
      headers: { ...(await asNewUser(server())).headers, ...headers },
      body: { description: 'x', expiresAt: '2099-01-01T00:00:00Z' },
    });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
    { origin: 'https://flags.example.com.evil.org' },
    { origin: 'http://flags.example.com' },
    { origin: 'https://flags.example.com:8443' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example.com' },
    { origin: `https://${'x'.repeat(300)}` },
  ] as { readonly origin?: string }[])('cannot change anything through a session: %o', async (headers) => {
    const reply = await create(headers);
    const from = headers.origin === undefined ? 'another site' : `the origin ${headers.origin.slice(0, 255)}`;
    expect(reply.status).toBe(403);
    expect(reply.json).toMatchObject({
      name: 'ForbiddenError',
      message: `A page of ${from} sent this request. Use the pages of https://flags.example.com, or set UNLEASH_URL to the address that people use.`,
    });
  });

  it('is distinguished from programs and from pages of the own origin', async () => {
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://flags.example.com' },
    ] as Record<string, string>[]) {
      expect((await create(headers)).status).toBe(201);
    }
  });

  it('is not allowed by X-Forwarded-Host when no proxy is trusted', async () => {
    const headers = { 'x-forwarded-host': 'evil.example.com', origin: 'http://evil.example.com' };
    expect((await create(headers)).status).toBe(403);
  });

  it('is one of the requested host, which an attacker can point at this server', async () => {
    expect((await create({ origin: new URL(server().url).origin })).status).toBe(403);
  });

  describe('without UNLEASH_URL', () => {
    const unnamed = useServer();

    it('is told by the requested host and its scheme: a page loaded without TLS may be forged', async () => {
      const { host } = new URL(unnamed().url);
      const { headers } = await asNewUser(unnamed());
      const statusFrom = async (origin: string) => {
        const body = { description: origin, expiresAt: '2099-01-01T00:00:00Z' };
        const call = { headers: { ...headers, origin }, body };
        return (await unnamed().anonymous.call('POST /api/admin/user/tokens', call)).status;
      };
      expect(await statusFrom(`https://${host}`)).toBe(403);
      expect(await statusFrom('http://evil.example.com')).toBe(403);
      expect(await statusFrom(`http://${host}`)).toBe(201);
    });
  });

  it('may send GET requests, since it cannot read the answers', async () => {
    const { headers } = await asNewUser(server());
    expect((await whoAmI(server(), { ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    const head = await fetch(`${server().url}/api/admin/user`, {
      method: 'HEAD',
      headers: { ...headers, origin: 'https://evil.example.com' },
    });
    expect(head.status).toBe(200);
  });

  it('is allowed with a token', async () => {
    const reply = await server().admin.call('POST /api/admin/service-account', {
      headers: { origin: 'https://evil.example.com' },
      body: { username: 'by-token', name: 'x', rootRole: 3 },
    });
    expect(reply.status).toBe(201);
  });
});

describe('a page behind a trusted proxy', () => {
  const server = useServer({ trustProxy: 1 });
  const create = async (headers: Record<string, string>) => {
    const session = (await asNewUser(server())).headers;
    const body = { description: 'x', expiresAt: '2099-01-01T00:00:00Z' };
    return (await server().anonymous.call('POST /api/admin/user/tokens', { headers: { ...session, ...headers }, body }))
      .status;
  };
  const forwarded = { 'x-forwarded-host': 'flags.example.com', 'x-forwarded-proto': 'https' };

  it('is an own page when its origin has the host and scheme that the proxy names', async () => {
    expect(await create({ ...forwarded, origin: 'https://flags.example.com' })).toBe(201);
    expect(await create({ ...forwarded, origin: 'http://flags.example.com' })).toBe(403);
  });

  it('is refused when the proxy names HTTP and the origin is HTTPS', async () => {
    const plain = { ...forwarded, 'x-forwarded-proto': 'http' };
    expect(await create({ ...plain, origin: 'https://flags.example.com' })).toBe(403);
  });
});

describe('without authentication, behind a trusted proxy', () => {
  const server = useServer({ authType: 'none', trustProxy: 1 });

  it.each([
    ['localhost', 'evil.example.com', 403],
    ['evil.example.com', 'localhost', 403],
    ['localhost', 'localhost:4242', 200],
  ])('Host %s with X-Forwarded-Host %s answers %i', async (host, forwarded, status) => {
    const head = `GET /api/admin/user HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: ${forwarded}\r\n\r\n`;
    expect((await rawAnswer(server().url, head)).status).toBe(status);
  });
});

describe('without authentication', () => {
  const server = useServer({ authType: 'none', publicUrl: 'https://flags.example.com' });

  it('every caller is an administrator called unknown', async () => {
    expect((await whoAmI(server(), {})).json).toMatchObject({
      user: { id: -1, username: 'unknown', rootRole: 1 },
      permissions: [{ permission: 'ADMIN' }],
    });
    const body = { username: 'by-nobody', name: 'x', rootRole: 3 };
    expect((await server().anonymous.call('POST /api/admin/service-account', { body })).status).toBe(201);
    const { json } = await server().anonymous.call('GET /api/admin/events', { query: { limit: 1 } });
    expect(json.events[0]).toMatchObject({ createdBy: 'unknown', createdByUserId: -1 });
  });

  it('a token still identifies the caller, and a wrong token is refused', async () => {
    const asViewer = server().client(await server().tokenOf('viewer'));
    expect((await asViewer.call('GET /api/admin/user-admin')).status).toBe(403);
    expect((await whoAmI(server(), { authorization: 'user:unknown' })).status).toBe(401);
  });

  it('a page of another site cannot change anything', async () => {
    const reply = await server().anonymous.call('POST /api/admin/service-account', {
      headers: { 'sec-fetch-site': 'cross-site' },
      body: { username: 'by-evil', name: 'x', rootRole: 1 },
    });
    expect(reply.status).toBe(403);
  });

  it('a page of another site may send GET requests', async () => {
    expect((await whoAmI(server(), { origin: 'https://other.example.com' })).status).toBe(200);
  });

  it.each([
    'evil.example.com',
    'evil.example.com:4242',
    'localhost.evil.com',
    '127.0.0.1.evil.com',
    'ai',
    'UZ:4242',
    'xn--p1ai',
  ])('a page of the rebound host name %s can neither read nor change anything', async (host) => {
    for (const request of [
      'GET /api/admin/user-admin HTTP/1.1',
      'POST /api/admin/service-account HTTP/1.1\r\nContent-Length: 0',
    ]) {
      const reply = await rawAnswer(server().url, `${request}\r\nHost: ${host}\r\n\r\n`);
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject({
        name: 'ForbiddenError',
        message: expect.stringContaining(`The host ${host} is not the one in UNLEASH_URL.`),
      });
    }
  });

  it.each(['localhost:4242', 'flags.localhost', '192.168.1.5:4242', '[::1]:4242', 'yardarm:4242', 'flags.example.com'])(
    'requests to the host %s are served',
    async (host) => {
      const reply = await rawAnswer(server().url, `GET /api/admin/user HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(reply.status).toBe(200);
    },
  );

  it('no login is possible, and no first administrator is created', async () => {
    const body = { username: 'admin', password: 'First-Admin-42!' };
    const reply = await server().anonymous.call('POST /auth/simple/login', { body });
    expect(reply.status).toBe(422);
    expect(reply.json.name).toBe('DisabledError');
    expect((await server().anonymous.call('GET /api/admin/user-admin')).json.users).toEqual([]);
  });
});
