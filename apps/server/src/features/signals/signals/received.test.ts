import { signalRoutes } from '@yardarm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#testing/clock.ts';
import { createStorage, startServer, type TestServer, type TestStorage, useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, received, send, type TestEndpoint } from '#testing/signals.ts';

const dayMs = 24 * 60 * 60 * 1000;
const noon = Date.parse('2026-03-30T12:00:00.000Z');

interface Listed {
  id: number;
  payload: { n?: number };
}

describe('listing received signals', () => {
  let storage: TestStorage;
  let server: TestServer;
  let first: TestEndpoint;
  let second: TestEndpoint;

  /**
   * Sends a signal every noon from 30 March 2026 on, alternating between the endpoints, and one at the last moment of
   * 31 March.
   */
  beforeAll(async () => {
    storage = await createStorage();
    const clock = new TestClock();
    clock.advance(noon - clock.now());
    server = await startServer(storage, {}, clock);
    [first, second] = [await givenEndpoint(server), await givenEndpoint(server)];
    for (let n = 0; n < 4; n++) {
      await send(server, n % 2 === 0 ? first : second, JSON.stringify({ n }));
      if (n === 1) {
        clock.advance(dayMs / 2 - 1);
        await send(server, second, '{"n":99}');
        clock.advance(dayMs / 2 + 1);
      } else clock.advance(dayMs);
    }
  });
  afterAll(async () => {
    await server.stop();
    await storage.remove();
  });

  const list = async (query: Record<string, string | number> = {}) => {
    const reply = await server.admin.call('GET /api/admin/signals', { query });
    expect(reply.status, reply.text).toBe(200);
    return reply.json as { signals: Listed[]; total: number; totalRelation: string };
  };
  const numbers = async (query: Record<string, string | number> = {}) =>
    (await list(query)).signals.map(({ payload }) => payload.n);

  it('lists all signals newest first, with endpoint and token', async () => {
    const { signals, ...totals } = await list();
    expect(totals).toEqual({ total: 5, totalRelation: 'eq' });
    expect(signals.map(({ payload }) => payload.n)).toEqual([3, 2, 99, 1, 0]);
    const answer = { signals, ...totals };
    expect(signalRoutes['GET /api/admin/signals'].answers[200].schema.parse(answer)).toEqual(answer);
    expect(signals[4]).toMatchObject({
      source: 'signal-endpoint',
      sourceId: first.id,
      sourceName: first.name,
      sourceDescription: null,
      tokenName: 'first',
      createdAt: '2026-03-30T12:00:00.000Z',
    });
  });

  it('from starts with a day and to includes a day, in UTC', async () => {
    expect(await numbers({ from: 'IS:2026-04-01' })).toEqual([3, 2]);
    expect(await numbers({ to: 'IS:2026-03-31' })).toEqual([99, 1, 0]);
    expect(await numbers({ from: 'IS:2026-03-31', to: 'IS:2026-03-31' })).toEqual([99, 1]);
    expect(await list({ from: 'IS:2026-04-02', to: 'IS:2026-04-01' })).toEqual({
      signals: [],
      total: 0,
      totalRelation: 'eq',
    });
    expect((await list({ from: 'IS:2026-03-31', limit: 1 })).total).toBe(4);
  });

  it('from and to may be times: at or after from, before to', async () => {
    expect(await numbers({ from: 'IS:2026-03-31T12:00:00.001Z' })).toEqual([3, 2, 99]);
    expect(await numbers({ to: 'IS:2026-03-31T12:00:00Z' })).toEqual([0]);
  });

  it('id finds signals by their number', async () => {
    const { signals } = await list();
    expect(await list({ id: `IS:${signals[2]?.id}` })).toEqual({
      signals: [signals[2]],
      total: 1,
      totalRelation: 'eq',
      deleted: [],
    });
    expect(await numbers({ id: `IS_ANY_OF:${signals[4]?.id},${signals[0]?.id},999999` })).toEqual([3, 0]);
    expect((await server.admin.call('GET /api/admin/signals', { query: { id: 'IS:x' } })).status).toBe(400);
  });

  it.each(['2026-03-31', 'IS:2026-3-1', 'IS:2026-02-30', 'IS_ANY_OF:2026-03-31', ''])(
    'refuses from=%s and to=%s',
    async (value) => {
      for (const name of ['from', 'to']) {
        const reply = await server.admin.call('GET /api/admin/signals', { query: { [name]: value } });
        expect(reply.status).toBe(400);
        expect(reply.json).toMatchObject({ name: 'BadDataError', details: [{ path: name }] });
      }
    },
  );

  it('limit and offset select a page', async () => {
    expect(await numbers({ limit: 2 })).toEqual([3, 2]);
    expect(await numbers({ limit: 2, offset: 2 })).toEqual([99, 1]);
    expect(await numbers({ offset: 4 })).toEqual([0]);
    expect(await list({ offset: 5 })).toMatchObject({ signals: [], total: 5 });
    expect(await numbers({ from: 'IS:2026-03-31', offset: 1, limit: 1 })).toEqual([2]);
  });

  it('lists the signals of one endpoint', async () => {
    const { signalEndpointSignals } = (await received(server, second)).json;
    expect(signalEndpointSignals.map(({ payload }: Listed) => payload.n)).toEqual([3, 99, 1]);
    const { schema } = signalRoutes['GET /api/admin/signal-endpoints/:signalEndpointId/signals'].answers[200];
    expect(schema.parse({ signalEndpointSignals })).toEqual({ signalEndpointSignals });
    const { json } = await server.admin.call('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params: { signalEndpointId: second.id },
      query: { limit: 1, offset: 1 },
    });
    expect(json.signalEndpointSignals).toMatchObject([{ payload: { n: 99 } }]);
  });
});

describe('searching received signals', () => {
  const server = useServer();

  it('for words in the payload or the token name, within a period', async () => {
    const endpoint = await givenEndpoint(server());
    const second = await givenToken(server(), endpoint.id, 'Pager of the shop');
    await send(server(), endpoint, '{"alert":"Errors","status":"FIRING","share":"100%","place":"Überlast in Ålesund"}');
    server().clock.advance(60_000);
    const middle = new Date(server().clock.now()).toISOString();
    await send(server(), { ...endpoint, token: second.secret }, '{"alert":"Errors","status":"resolved"}');
    const found = async (query: Record<string, string>) => {
      const { json } = await server().admin.call('GET /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId: endpoint.id },
        query,
      });
      return json.signalEndpointSignals.map((signal: { payload: { status: string } }) => signal.payload.status);
    };
    expect(await found({ query: 'errors' })).toEqual(['resolved', 'FIRING']);
    expect(await found({ query: 'firing errors' })).toEqual(['FIRING']);
    expect(await found({ query: 'PAGER' })).toEqual(['resolved']);
    expect(await found({ query: '100%' })).toEqual(['FIRING']);
    expect(await found({ query: '0%0' })).toEqual([]);
    expect(await found({ query: 'Ålesund Überlast' })).toEqual(['FIRING']);
    expect(await found({ query: 'Ålesund Elsewhere' })).toEqual([]);
    expect(await found({ query: 'errors', limit: '1', offset: '1' })).toEqual(['FIRING']);
    expect(await found({ from: `IS:${middle}` })).toEqual(['resolved']);
    expect(await found({ to: `IS:${middle}`, query: 'errors' })).toEqual(['FIRING']);
    expect(await found({ to: `IS:${middle}`, query: 'resolved' })).toEqual([]);
  });

  it('test signals are distinguished from signals whose token was deleted', async () => {
    const endpoint = await givenEndpoint(server());
    const sent = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params: { signalEndpointId: endpoint.id },
      body: { payload: 'a try' },
    });
    expect((await received(server(), endpoint)).json.signalEndpointSignals).toMatchObject([
      { id: sent.json.signals[0].id, tokenName: null, test: true, payload: 'a try' },
    ]);
  });
});

describe('signals outlive their endpoint and token', () => {
  const server = useServer();

  it('without the name of a deleted token or endpoint', async () => {
    const endpoint = await givenEndpoint(server());
    const second = await givenToken(server(), endpoint.id, 'kept');
    await send(server(), endpoint, '{"by":"first"}');
    await send(server(), { ...endpoint, token: second.secret }, '{"by":"kept"}');
    await server().admin.call('DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
      params: { signalEndpointId: endpoint.id, id: endpoint.tokenId },
    });
    expect((await received(server(), endpoint)).json.signalEndpointSignals).toMatchObject([
      { tokenName: 'kept', payload: { by: 'kept' } },
      { tokenName: null, payload: { by: 'first' } },
    ]);
    await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: endpoint.id } });
    expect((await received(server(), endpoint)).status).toBe(404);
    expect((await server().admin.call('GET /api/admin/signals')).json).toMatchObject({
      total: 2,
      signals: [
        { tokenName: null, sourceName: null, sourceDescription: null, sourceId: endpoint.id, payload: { by: 'kept' } },
        { tokenName: null, sourceName: null, sourceDescription: null, sourceId: endpoint.id, payload: { by: 'first' } },
      ],
    });
  });

  it('and do not belong to a new endpoint of the same name', async () => {
    const first = await givenEndpoint(server());
    await send(server(), first, '{}');
    await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: first.id } });
    const { json: again } = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name: first.name },
    });
    expect(again.id).not.toBe(first.id);
    expect((await received(server(), again)).json.signalEndpointSignals).toEqual([]);
  });
});

describe('decisions 4.4 lists of signals', () => {
  const server = useServer();

  it('have 50 signals unless limit asks for 1 to 1,000', async () => {
    const endpoint = await givenEndpoint(server());
    await Promise.all(Array.from({ length: 120 }, (_, n) => send(server(), endpoint, String(n))));
    for (const path of ['/api/admin/signals', `/api/admin/signal-endpoints/${endpoint.id}/signals`]) {
      const countOf = async (query: string) => {
        const { json } = await server().admin.request('GET', path + query);
        return (json.signals ?? json.signalEndpointSignals).length;
      };
      expect(await countOf('')).toBe(50);
      for (const name of ['limit', 'offset']) {
        for (const value of ['-1', 'x', '', '1.5', '1e3', ...(name === 'limit' ? ['0', '1001'] : [])]) {
          const reply = await server().admin.request('GET', `${path}?${name}=${value}`);
          expect([reply.status, reply.json.details[0].path], value).toEqual([400, name]);
        }
      }
      expect(await countOf('?limit=1')).toBe(1);
      expect(await countOf('?limit=1000')).toBe(120);
      expect(await countOf('?limit=100&offset=100')).toBe(20);
    }
  });

  it('do not load all large signals into memory before sending the first', async () => {
    const endpoint = await givenEndpoint(server());
    const body = JSON.stringify('x'.repeat(102_398));
    for (let n = 0; n < 30; n++) await send(server(), endpoint, body);
    const reply = await received(server(), endpoint, 1000);
    expect(reply.headers.get('content-length')).toBeNull();
    expect(reply.json.signalEndpointSignals).toHaveLength(30);
    for (const { payload } of reply.json.signalEndpointSignals) expect(payload).toHaveLength(102_398);
  });

  it('are open to every signed-in user; lists of one endpoint to administrators', async () => {
    const endpoint = await givenEndpoint(server());
    for (const role of ['editor', 'viewer'] as const) {
      const client = server().client(await server().tokenOf(role));
      expect((await client.call('GET /api/admin/signals')).status).toBe(200);
      expect((await client.request('GET', `/api/admin/signal-endpoints/${endpoint.id}/signals`)).status).toBe(403);
    }
    expect((await server().anonymous.call('GET /api/admin/signals')).status).toBe(401);
    expect((await server().client(endpoint.token).call('GET /api/admin/signals')).status).toBe(401);
  });
});
