import { describe, expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, send } from '#testing/signals.ts';

describe('an endpoint with rules of its own', () => {
  const server = useServer({ signalEndpointsLimit: 1000, signalTokensLimit: 1000 });
  const create = (more: object) =>
    server().admin.call('POST /api/admin/signal-endpoints', { body: { name: freshName('e'), ...more } });
  /** Creates an endpoint with a token, and returns a function that sends to it. */
  const given = async (more: object) => {
    const { json } = await create(more);
    const { secret } = await givenToken(server(), json.id, 'script');
    const post = (body: string) => send(server(), { name: json.name, token: secret }, body);
    return { endpoint: json, post };
  };
  const stored = (endpointId: number) =>
    server()
      .app.database.db.selectFrom('signals')
      .select(['payload', 'normalized'])
      .where('endpoint_id', '=', endpointId)
      .orderBy('id')
      .execute();

  const fields = {
    state: 'job.result',
    title: 'job.name',
    deliveryId: 'job.run',
    elements: { path: 'job.steps', state: 'result', title: 'name' },
  };
  const job = (run: number) => ({
    job: { run, name: 'nightly', result: 'failed', steps: [{ name: 'load', result: 'ok' }] },
  });

  it('recognises what its paths name, and answers with them', async () => {
    const { endpoint, post } = await given({ fields });
    expect(endpoint.fields).toEqual(fields);
    const { json } = await post(JSON.stringify(job(1)));
    expect(json.signals[0].normalized).toMatchObject({
      state: 'failed',
      title: 'nightly',
      severity: null,
      elements: [{ state: 'resolved', title: 'load' }],
    });
  });

  it('stores a request once by its delivery id', async () => {
    const { endpoint, post } = await given({ fields });
    await post(JSON.stringify(job(7)));
    expect((await post(JSON.stringify(job(7)))).json.duplicate).toBe(true);
    await post(JSON.stringify(job(8)));
    expect(await stored(endpoint.id)).toHaveLength(2);
  });

  it('stores a request once by a delivery id that a database cannot store as it is', async () => {
    const { endpoint, post } = await given({ fields });
    const other = await given({ fields });
    const bodies = ['a\u0000b', 'half \ud83d', 'half \ud83e'].map((run) => JSON.stringify({ job: { run } }));
    for (const body of bodies) expect((await post(body)).json.duplicate).toBe(false);
    // The requests share commits: a key that cannot be stored must not fail the request of another sender.
    const [valid, ...again] = await Promise.all([other.post(JSON.stringify(job(1))), ...bodies.map(post)]);
    expect(valid.status).toBe(200);
    expect(again.map(({ json }) => json.duplicate)).toEqual([true, true, true]);
    expect(await stored(endpoint.id)).toHaveLength(bodies.length);
  });

  it('uses its paths for test signals', async () => {
    const { endpoint } = await given({ fields, dropped: ['job.name'] });
    const params = { signalEndpointId: endpoint.id };
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params,
      body: { payload: job(1) },
    });
    expect(json.signals[0]).toMatchObject({ normalized: { state: 'failed', title: null } });
    expect(json.signals[0].payload.job).not.toHaveProperty('name');
  });

  it.each([
    [{ fields: { title: 'a..b' } }, 'fields.title'],
    [{ fields: { elements: { path: 'a[', title: 'b' } } }, 'fields.elements.path'],
    [{ fields: { elements: { path: 'a', title: ']' } } }, 'fields.elements.title'],
    [{ fields: { title: 'a'.repeat(501) } }, 'fields.title'],
    [{ source: 'github', fields: { title: 'a' } }, 'fields'],
    [{ dropped: ['a.b', 'alerts[0].user'] }, 'dropped.1'],
    [{ dropped: Array.from({ length: 21 }, (_, n) => `a${n}`) }, 'dropped'],
    [{ hashed: ['a', 'a..b'] }, 'hashed.1'],
    [{ hashed: ['alerts[0].user'] }, 'hashed.0'],
    [{ hashed: Array.from({ length: 21 }, (_, n) => `a${n}`) }, 'hashed'],
  ])('is refused with %j', async (more, path) => {
    const { status, json } = await create(more);
    expect([status, json.details[0].path]).toEqual([400, path]);
  });

  it.each([
    ['in an object', { user: { email: 'eve@secret.example', id: 7 } }, ['user.email']],
    [
      'in each element of arrays',
      { alerts: [{ by: 'eve@secret.example' }, [{ by: 'eve@secret.example' }]] },
      ['alerts.by'],
    ],
    ['under a key with a dot', { 'user.email': 'eve@secret.example' }, ['user.email']],
    ['as a whole branch', { user: { a: ['eve@secret.example'] } }, ['user']],
    ['in a payload that is an array', [{ email: 'eve@secret.example' }], ['email']],
    ['under the key __proto__', JSON.parse('{"__proto__":{"email":"eve@secret.example"}}'), ['__proto__.email']],
  ])('stores no dropped value %s', async (_name, payload, dropped) => {
    const { endpoint, post } = await given({ dropped, fields: { title: dropped[0] } });
    const reply = await post(JSON.stringify(payload));
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain('eve@');
    const rows = await stored(endpoint.id);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('eve@');
  });

  it('stores no dropped value of a key that the text repeats', async () => {
    const { endpoint, post } = await given({ dropped: ['user.email'] });
    await post('{"user":{"email":"eve@secret.example"},"user":1}');
    expect(JSON.stringify(await stored(endpoint.id))).not.toContain('eve@');
  });

  it('keeps the payload as it was sent when nothing is dropped', async () => {
    const { endpoint, post } = await given({ fields });
    const text = '{ "n": 12345678901234567890, "n": 1.0 }';
    await post(text);
    expect(await stored(endpoint.id)).toMatchObject([{ payload: text }]);
  });

  it('takes no signals from the time of enabledUntil', async () => {
    const until = server().clock.now() + 60_000;
    const { endpoint, post } = await given({ enabledUntil: new Date(until).toISOString() });
    expect((await post('{}')).status).toBe(200);
    server().clock.advance(60_000);
    expect((await post('{}')).status).toBe(404);
    const params = { id: endpoint.id };
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params });
    expect(json.refusals).toMatchObject([{ reason: 'disabled', count: 1 }]);
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', {
      params,
      body: { name: endpoint.name, enabledUntil: null },
    });
    expect((await post('{}')).status).toBe(200);
  });

  it('records its rules with their earlier values', async () => {
    const endpoint = await givenEndpoint(server());
    const body = { name: endpoint.name, fields, dropped: ['user.email'] };
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id: endpoint.id }, body });
    const { json } = await server().admin.call('GET /api/admin/events', { query: { limit: 1 } });
    expect(json.events[0]).toMatchObject({
      type: 'signal-endpoint-updated',
      preData: { fields: null, dropped: [], enabledUntil: null },
      data: { fields, dropped: ['user.email'] },
    });
  });
});
