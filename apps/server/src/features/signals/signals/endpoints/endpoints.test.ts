import { signalEndpointSchema } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { eventsAfter, expectProblem, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, send } from '#testing/signals.ts';

describe('signal endpoints', () => {
  const server = useServer({
    signalEndpointsLimit: 1000,
    signalTokensLimit: 1000,
    publicUrl: 'https://flags.example.org',
  });
  const create = (body: unknown) => server().admin.call('POST /api/admin/signal-endpoints', { body });
  const update = (id: number, body: unknown) =>
    server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  const listed = async (id: number) =>
    (await server().admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints.find(
      (endpoint: { id: number }) => endpoint.id === id,
    );
  /** Expects an error with an explanation, and that no event is recorded. */
  const refused = async (status: number, call: Promise<Awaited<ReturnType<typeof create>>>, before: number) => {
    const reply = await call;
    expect(reply.status).toBe(status);
    expectProblem(reply);
    expect(await lastEventId(server())).toBe(before);
  };

  it('is identified by a name that is the last segment of its address', async () => {
    const { json } = await create({ name: 'grafana_prod-1' });
    expect(signalEndpointSchema.parse(json)).toEqual(json);
    expect(json.url).toBe('https://flags.example.org/api/signal-endpoint/grafana_prod-1');
    const token = await givenToken(server(), json.id, 'source');
    expect((await send(server(), { name: 'grafana_prod-1', token: token.secret }, '{}')).status).toBe(200);
  });

  it.each(['a', '0', '-', '_', 'a'.repeat(100), 'x-1_y'])('may be named %s', async (name) => {
    expect((await create({ name })).status).toBe(201);
  });

  it.each(['', ' ', 'a'.repeat(101), 'A', 'ä', 'a b', 'a/b', 'a.b', '..', 'a\n', '%61', 'a?'])(
    'may not be named %j',
    async (name) => refused(400, create({ name }), await lastEventId(server())),
  );

  it.each([
    undefined,
    null,
    [],
    'text',
    1,
    {},
    { name: null },
    { name: 1 },
    { name: ['a'] },
    { name: {} },
    { name: 'typed', description: 1 },
    { name: 'typed', description: 'x'.repeat(4001) },
    { name: 'typed', enabled: 'yes' },
    { name: 'typed', enabled: 1 },
    { name: 'typed', enabled: null },
    { name: 'typed', description: 'a\u0000b' },
    { name: 'typed', description: '\ud800' },
  ])('is not created from %j', async (body) =>
    refused(body === undefined ? 415 : 400, create(body), await lastEventId(server())),
  );

  it('stores the description unchanged, in any script', async () => {
    const description = 'Größe 日本 🎉 "quoted" \\ <b> \u2028 line\nline';
    const { json } = await create({ name: 'described', description });
    expect(json.description).toBe(description);
    expect((await listed(json.id)).description).toBe(description);
    expect((await update(json.id, { name: 'described', description: null })).json.description).toBeNull();
  });

  it('keeps the fields that an update does not name, and records no event when nothing changes', async () => {
    const { json } = await create({ name: 'kept', description: 'as it was', enabled: false });
    expect((await update(json.id, { name: 'kept-2' })).json).toMatchObject({
      description: 'as it was',
      enabled: false,
    });
    const before = await lastEventId(server());
    expect((await update(json.id, { name: 'kept-2', enabled: false })).status).toBe(200);
    expect(await lastEventId(server())).toBe(before);
  });

  it('has a unique name, also when many are created concurrently', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'only-one' })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const { json: other } = await create({ name: 'another-one' });
    await refused(409, update(other.id, { name: 'only-one' }), await lastEventId(server()));
    expect((await listed(other.id)).name).toBe('another-one');
  });

  it('has tokens with unique, trimmed names that may be used again after deletion', async () => {
    const endpoint = await givenEndpoint(server());
    const createToken = (name: unknown) =>
      server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
        params: { signalEndpointId: endpoint.id },
        body: { name },
      });
    const { json } = await createToken('  Größe 🎉  ');
    expect(json.name).toBe('Größe 🎉');
    const before = await lastEventId(server());
    await refused(409, createToken('Größe 🎉'), before);
    for (const name of ['', '  ', 'x'.repeat(256), null, 7, 'a\u0000', '\udc00'])
      await refused(400, createToken(name), before);
    const params = { signalEndpointId: endpoint.id, id: json.id };
    await server().admin.call('DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', { params });
    expect((await createToken('Größe 🎉')).status).toBe(201);
  });

  it('is deleted together with its tokens, with one event', async () => {
    const endpoint = await givenEndpoint(server());
    const before = await lastEventId(server());
    await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: endpoint.id } });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'signal-endpoint-deleted', preData: { id: endpoint.id, name: endpoint.name }, data: null },
    ]);
    expect((await send(server(), endpoint, '{}')).status).toBe(401);
  });

  it.each(['0', '-1', '1.5', 'x', '1e3', '2147483648', '99999999999999999999', '%00', ' 1'])(
    'refuses the id %j',
    async (id) => {
      for (const [method, path] of [
        ['PUT', ''],
        ['DELETE', ''],
        ['POST', '/on'],
        ['GET', '/tokens'],
        ['GET', '/signals'],
      ] as const) {
        const reply = await server().admin.request(method, `/api/admin/signal-endpoints/${id}${path}`, {
          ...(method === 'PUT' ? { body: { name: 'x' } } : {}),
        });
        expect(reply.status).toBe(400);
        expectProblem(reply);
      }
    },
  );
});

describe('creating a signal endpoint requires the ADMIN permission', () => {
  const server = useServer();

  it.each(['editor', 'viewer'] as const)('which an %s lacks', async (role) => {
    const endpoint = await givenEndpoint(server());
    const before = await lastEventId(server());
    const client = server().client(await server().tokenOf(role));
    const path = '/api/admin/signal-endpoints';
    const calls = [
      client.request('GET', path),
      client.request('POST', path, { body: { name: `by-${role}` } }),
      client.request('PUT', `${path}/${endpoint.id}`, { body: { name: 'x' } }),
      client.request('DELETE', `${path}/${endpoint.id}`),
      client.request('POST', `${path}/${endpoint.id}/off`),
      client.request('GET', `${path}/${endpoint.id}/tokens`),
      client.request('POST', `${path}/${endpoint.id}/tokens`, { body: { name: 'x' } }),
    ];
    for (const reply of await Promise.all(calls)) {
      expect(reply.status).toBe(403);
      expect(reply.json).toMatchObject({ name: 'PermissionError', permissions: ['ADMIN'] });
    }
    const changes = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('signal'));
    expect(changes).toEqual([]);
  });
});

describe('receiving a signal', () => {
  const server = useServer();

  it('records no event', async () => {
    const endpoint = await givenEndpoint(server());
    const before = await lastEventId(server());
    await send(server(), endpoint, '{}');
    await send(server(), endpoint, '{}', { 'content-type': 'application/json', 'idempotency-key': 'k' });
    expect(await lastEventId(server())).toBe(before);
  });
});
