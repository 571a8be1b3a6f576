import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, received, send, type TestEndpoint } from '#testing/signals.ts';

const adminToken = '*:*.for-administrators';
const backendToken = '*:development.for-backends';
const frontendToken = '*:development.for-frontends';

describe('tokens of a signal endpoint', () => {
  const server = useServer({
    initAdminTokens: [adminToken],
    initBackendTokens: [backendToken],
    initFrontendTokens: [frontendToken],
  });
  let endpoint: TestEndpoint;
  let other: TestEndpoint;
  beforeAll(async () => {
    endpoint = await givenEndpoint(server());
    other = await givenEndpoint(server());
  });
  const statusWith = async (authorization: string | undefined, name = endpoint.name) =>
    (
      await server().anonymous.request('POST', `/api/signal-endpoint/${name}`, {
        headers: authorization === undefined ? {} : { authorization },
      })
    ).status;

  it('has `signal_` and 43 url-safe characters, and is shown only once', async () => {
    expect(endpoint.token).toMatch(/^signal_[A-Za-z0-9_-]{43}$/);
    expect(endpoint.token).not.toBe(other.token);
    for (const path of [
      '/api/admin/signal-endpoints',
      `/api/admin/signal-endpoints/${endpoint.id}/tokens`,
      `/api/admin/signal-endpoints/${endpoint.id}/signals`,
      '/api/admin/signals',
      '/api/admin/events',
    ]) {
      expect((await server().admin.request('GET', path)).text).not.toContain(endpoint.token);
    }
    expect(server().logged.join()).not.toContain(endpoint.token);
  });

  it.each(['Bearer ', 'bearer ', 'BEARER ', 'bEaReR    ', ''])('is sent as `%s<token>`', async (scheme) => {
    expect(await statusWith(scheme + endpoint.token)).toBe(200);
  });

  it.each(['Basic ', 'Token ', 'Bearer', 'Bearer Bearer '])('is not sent as `%s<token>`', async (scheme) => {
    expect(await statusWith(scheme + endpoint.token)).toBe(401);
  });

  it('identifies the senders of a shared endpoint', async () => {
    const second = await givenToken(server(), endpoint.id, 'second source');
    await send(server(), endpoint, '{"from":1}');
    const reply = await send(server(), { ...endpoint, token: second.secret }, '{"from":2}');
    expect(reply.json.signals[0].createdBySourceTokenId).toBe(second.id);
    expect((await received(server(), endpoint)).json.signalEndpointSignals.slice(0, 2)).toMatchObject([
      { tokenName: 'second source', payload: { from: 2 } },
      { tokenName: 'first', payload: { from: 1 } },
    ]);
  });

  it('opens no other endpoint, and does not reveal whether it exists', async () => {
    const nearly = endpoint.token.slice(0, -1) + (endpoint.token.endsWith('A') ? 'B' : 'A');
    const bodies = new Set<string>();
    for (const authorization of [undefined, '', 'Bearer ', endpoint.token.toLowerCase(), nearly, 'x'.repeat(4000)]) {
      for (const name of [other.name, 'there-is-none', '..%2f..', '%00', 'a'.repeat(400)]) {
        const reply = await server().anonymous.request('POST', `/api/signal-endpoint/${name}`, {
          headers: authorization === undefined ? {} : { authorization },
        });
        expect(reply.status).toBe(401);
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
        expectProblem(reply);
        const { id, ...rest } = reply.json;
        bodies.add(JSON.stringify(rest));
      }
    }
    for (const name of [other.name, 'there-is-none', endpoint.name.toUpperCase()]) {
      const reply = await send(server(), { name, token: endpoint.token }, '{}');
      expect(reply.status).toBe(401);
      const { id, ...rest } = reply.json;
      bodies.add(JSON.stringify(rest));
    }
    expect([...bodies]).toHaveLength(1);
    expect((await received(server(), other)).json.signalEndpointSignals).toEqual([]);
  });

  it('is the only kind of token that opens an endpoint', async () => {
    for (const token of [adminToken, backendToken, frontendToken, await server().tokenOf('editor')]) {
      expect(await statusWith(token)).toBe(401);
      expect(await statusWith(`Bearer ${token}`)).toBe(401);
    }
  });

  it('opens nothing else', async () => {
    for (const [method, path] of [
      ['GET', '/api/admin/events'],
      ['GET', '/api/admin/signal-endpoints'],
      ['POST', '/api/admin/signal-endpoints'],
      ['GET', '/api/admin/signals'],
      ['GET', '/api/admin/projects'],
      ['GET', '/api/client/features'],
      ['POST', '/api/client/metrics'],
    ] as const) {
      expect((await server().client(endpoint.token).request(method, path)).status).toBe(401);
    }
  });

  it('gets 404 from a disabled endpoint until it is enabled; a wrong token still gets 401', async () => {
    const shut = await givenEndpoint(server());
    const turn = (way: 'on' | 'off') =>
      server().admin.call(`POST /api/admin/signal-endpoints/:id/${way}`, { params: { id: shut.id } });
    await turn('off');
    const reply = await send(server(), shut, '{}');
    expect(reply.status).toBe(404);
    expectProblem(reply);
    expect((await send(server(), { ...shut, token: other.token }, '{}')).status).toBe(401);
    await turn('on');
    expect((await send(server(), shut, '{}')).status).toBe(200);
    expect((await received(server(), shut)).json.signalEndpointSignals).toHaveLength(1);
  });

  it('stays valid when its endpoint is renamed', async () => {
    const moved = await givenEndpoint(server());
    expect((await send(server(), moved, '{}')).status).toBe(200);
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', {
      params: { id: moved.id },
      body: { name: 'moved' },
    });
    expect((await send(server(), moved, '{}')).status).toBe(401);
    expect((await send(server(), { ...moved, name: 'moved' }, '{}')).status).toBe(200);
    await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: moved.id } });
  });

  it('is invalid as soon as it or its endpoint is deleted', async () => {
    const short = await givenEndpoint(server());
    const second = await givenToken(server(), short.id, 'second');
    const bySecond = { ...short, token: second.secret };
    expect([(await send(server(), short)).status, (await send(server(), bySecond)).status]).toEqual([200, 200]);
    await server().admin.call('DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
      params: { signalEndpointId: short.id, id: short.tokenId },
    });
    expect([(await send(server(), short)).status, (await send(server(), bySecond)).status]).toEqual([401, 200]);
    await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: short.id } });
    expect((await send(server(), bySecond)).status).toBe(401);
  });
});

describe('signal tokens with authentication type none', () => {
  const server = useServer({ authType: 'none' });

  it('opens the admin API, but no signal endpoint without a token', async () => {
    const { json } = await server().anonymous.request('POST', '/api/admin/signal-endpoints', {
      body: { name: 'open' },
    });
    expect((await server().anonymous.request('POST', '/api/signal-endpoint/open')).status).toBe(401);
    const { json: token } = await server().anonymous.request('POST', `/api/admin/signal-endpoints/${json.id}/tokens`, {
      body: { name: 'source' },
    });
    expect((await server().client(token.token).request('POST', '/api/signal-endpoint/open')).status).toBe(200);
  });
});
