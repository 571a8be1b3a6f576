import type { SignalSourceName } from '@yardarm/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadConfig } from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { RawConnection } from '#testing/raw-http.ts';
import { expectProblem } from '#testing/scenario.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, received, send, type TestEndpoint } from '#testing/signals.ts';
import { givenToken as givenApiToken } from '#testing/tokens.ts';

// With PostgreSQL, the windows of rate limits end by the system time, not by the clock of the test. The tests freeze
// the system time, so that no window ends during a test unless the test moves it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const setTime = (byMs: number) => vi.setSystemTime(Date.now() + byMs);
const wait = (server: TestServer, ms: number) => {
  setTime(ms);
  server.clock.advance(ms);
};

const statuses = async (server: TestServer, endpoint: TestEndpoint, count: number) => {
  const all: number[] = [];
  for (let i = 0; i < count; i++) all.push((await send(server, endpoint, '{}')).status);
  return all;
};

describe('rate limit of 1 signal per second', () => {
  const server = useServer({ signalRatePerSecond: loadConfig({}).signalRatePerSecond });

  it('answers 429 with Retry-After to a second signal within a second, and does not store it', async () => {
    const endpoint = await givenEndpoint(server());
    expect((await send(server(), endpoint, '{"n":1}')).status).toBe(200);
    wait(server(), 400);
    const reply = await send(server(), endpoint, '{"n":2}');
    expect(reply.status).toBe(429);
    expectProblem(reply);
    expect(reply.json).toMatchObject({ name: 'RateLimitError' });
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(reply.headers.get('ratelimit')).toBe('"default";r=0;t=1');
    expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=1;w=1');
    wait(server(), 599);
    expect((await send(server(), endpoint, '{"n":3}')).status).toBe(429);
    wait(server(), 2);
    expect((await send(server(), endpoint, '{"n":4}')).status).toBe(200);
    const { signalEndpointSignals } = (await received(server(), endpoint)).json;
    expect(signalEndpointSignals).toMatchObject([{ payload: { n: 4 } }, { payload: { n: 1 } }]);
  });

  it.each([-3_600_000, 3_600_000])('keeps its window when the system time is changed by %i ms', async (byMs) => {
    const endpoint = await givenEndpoint(server());
    expect(await statuses(server(), endpoint, 2)).toEqual([200, 429]);
    setTime(byMs);
    const reply = await send(server(), endpoint, '{}');
    expect(reply.status).toBe(429);
    expect(reply.headers.get('retry-after')).toBe('1');
    wait(server(), 1001);
    expect(await statuses(server(), endpoint, 2)).toEqual([200, 429]);
  });

  it('counts each token separately, so that one sender cannot starve another on a shared endpoint', async () => {
    const endpoint = await givenEndpoint(server());
    const quiet = { ...endpoint, token: (await givenToken(server(), endpoint.id, 'quiet')).secret };
    expect(await statuses(server(), endpoint, 4)).toEqual([200, 429, 429, 429]);
    expect(await statuses(server(), quiet, 1)).toEqual([200]);
    wait(server(), 1001);
    expect(await statuses(server(), endpoint, 1)).toEqual([200]);
  });

  it('admits the same number of concurrent requests', async () => {
    const endpoint = await givenEndpoint(server());
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(server(), endpoint, '{}')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(19);
  });
});

describe('settings that change the rate limit of signals', () => {
  const withServer = async (settings: Partial<Config>, test: (server: TestServer) => Promise<void>) => {
    const storage = await createStorage();
    const server = await startServer(storage, settings);
    try {
      await test(server);
    } finally {
      await server.stop();
      await storage.remove();
    }
  };

  it('is configured by environment variables', () => {
    const config = loadConfig({
      SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '7',
      YARDARM_SIGNAL_ENDPOINT_BURST: '3',
      SIGNAL_ENDPOINT_MAX_BODY_BYTES: '1000',
      UNLEASH_SIGNAL_ENDPOINTS_LIMIT: '6',
      YARDARM_UNLEASH_SIGNAL_TOKENS_PER_ENDPOINT_LIMIT: '8',
    });
    expect(config).toMatchObject({
      signalRatePerSecond: 7,
      signalBurst: 3,
      signalMaxBodyBytes: 1000,
      signalEndpointsLimit: 6,
      signalTokensLimit: 8,
    });
  });

  it('sets another rate, or no limit', async () => {
    await withServer({ signalRatePerSecond: 3 }, async (server) => {
      const endpoint = await givenEndpoint(server);
      expect(await statuses(server, endpoint, 5)).toEqual([200, 200, 200, 429, 429]);
      expect((await send(server, endpoint, '{}')).headers.get('ratelimit-policy')).toBe('"default";q=3;w=1');
    });
    await withServer({ signalRatePerSecond: 0 }, async (server) => {
      expect(await statuses(server, await givenEndpoint(server), 10)).toEqual(Array(10).fill(200));
    });
  });

  it('allows a burst above it, once in ten seconds', async () => {
    await withServer({ signalRatePerSecond: 1, signalBurst: 3 }, async (server) => {
      const endpoint = await givenEndpoint(server);
      expect(await statuses(server, endpoint, 6)).toEqual([200, 200, 200, 200, 429, 429]);
      wait(server, 1001);
      expect(await statuses(server, endpoint, 2)).toEqual([200, 429]);
      wait(server, 10_001);
      expect(await statuses(server, endpoint, 5)).toEqual([200, 200, 200, 200, 429]);
    });
  });

  it('sets another maximum payload size', async () => {
    await withServer({ signalMaxBodyBytes: 10 }, async (server) => {
      const endpoint = await givenEndpoint(server);
      expect((await send(server, endpoint, '"12345678"')).status).toBe(200);
      expect((await send(server, endpoint, '"123456789"')).status).toBe(413);
    });
    await withServer({ signalMaxBodyBytes: 5_000_000 }, async (server) => {
      const body = JSON.stringify('x'.repeat(4_000_000));
      const endpoint = await givenEndpoint(server);
      expect((await send(server, endpoint, body)).json.signals[0].payload).toHaveLength(4_000_000);
    });
  });

  it.runIf(engine === 'postgres')('holds across all processes of one database', async () => {
    const storage = await createStorage();
    const settings = { signalRatePerSecond: 2, initAdminTokens: ['*:*.shared'] };
    const [first, second] = [await startServer(storage, settings), await startServer(storage, settings)];
    const endpoint = await givenEndpoint(first);
    expect(await statuses(first, endpoint, 1)).toEqual([200]);
    expect(await statuses(second, endpoint, 2)).toEqual([200, 429]);
    expect(await statuses(first, endpoint, 1)).toEqual([429]);
    for (const server of [first, second]) await server.stop();
    await storage.remove();
  });
});

describe('decisions 4.1 requests with bad tokens are limited for each address', () => {
  const server = useServer({ badTokenRatePerMinute: 3, trustProxy: 1 });
  const from = (address: string, token: string, path = '/api/signal-endpoint/any', method = 'POST') =>
    server().anonymous.request(method, path, { headers: { authorization: token, 'x-forwarded-for': address } });

  it('answers 429 over the limit per minute, whatever the path, and only to that address', async () => {
    expect((await from('192.0.2.1', 'signal_wrong')).status).toBe(401);
    expect((await from('192.0.2.1', '*:*.wrong', '/api/admin/events', 'GET')).status).toBe(401);
    expect((await from('192.0.2.1', '*:development.wrong', '/api/client/features', 'GET')).status).toBe(401);
    wait(server(), 10_000);
    const reply = await from('192.0.2.1', 'signal_wrong');
    expect(reply.status).toBe(429);
    expectProblem(reply);
    expect(reply.headers.get('retry-after')).toBe('50');
    expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60');
    wait(server(), 20_000);
    expect((await from('192.0.2.1', 'user:wrong', '/api/admin/events', 'GET')).headers.get('retry-after')).toBe('30');
    expect((await from('192.0.2.2', 'signal_wrong')).status).toBe(401);
    wait(server(), 30_001);
    expect((await from('192.0.2.1', 'signal_wrong')).status).toBe(401);
  });

  it('does not limit concurrent requests with a valid token', async () => {
    const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(server().url)));
    const endpoint = await givenEndpoint(server());
    const request = `POST /api/signal-endpoint/${endpoint.name} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.3\r\nAuthorization: ${endpoint.token}\r\n\r\n`;
    for (const connection of connections) connection.write(request);
    const replies = await Promise.all(connections.map((connection) => connection.reply()));
    for (const connection of connections) connection.end();
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await from('192.0.2.3', 'signal_wrong')).status).toBe(401);
  });

  it('answers the valid tokens of Edge beside invalid ones, also when the limit is reached', async () => {
    const created = await givenApiToken(server());
    const validate = (...tokens: string[]) =>
      server().anonymous.request('POST', '/edge/validate', {
        body: { tokens },
        headers: { 'x-forwarded-for': '192.0.2.9' },
      });
    for (let i = 0; i < 12; i++) {
      const reply = await validate('*:production.wrong', created.secret);
      expect([reply.status, reply.json.tokens?.length]).toEqual([200, 1]);
    }
    expect((await validate('*:production.wrong')).status).toBe(429);
  });

  it('answers known tokens of a limited address, also right after the token cache is invalidated', async () => {
    const created = await givenApiToken(server());
    const personal = await server().tokenOf('viewer');
    const endpoint = await givenEndpoint(server());
    const validate = () =>
      server().anonymous.request('POST', '/edge/validate', {
        body: { tokens: [created.secret] },
        headers: { 'x-forwarded-for': '192.0.2.5' },
      });
    const callAll = async () => [
      (await from('192.0.2.5', created.secret, '/api/client/features', 'GET')).status,
      (await from('192.0.2.5', personal, '/api/admin/projects', 'GET')).status,
      (await from('192.0.2.5', endpoint.token, `/api/signal-endpoint/${endpoint.name}`)).status,
      (await validate()).status,
    ];
    expect(await callAll()).toEqual([200, 200, 200, 200]);
    for (let i = 0; i < 4; i++) await from('192.0.2.5', 'signal_wrong');
    expect((await from('192.0.2.5', 'signal_wrong')).status).toBe(429);
    const another = await givenApiToken(server());
    const { json: me } = await server().client(personal).call('GET /api/admin/user');
    await server().admin.request('POST', `/api/admin/service-account/${me.user.id}/token`, {
      body: { description: 'another', expiresAt: '2099-01-01T00:00:00.000Z' },
    });
    await givenToken(server(), endpoint.id, 'another');
    expect(await callAll()).toEqual([200, 200, 200, 200]);
    expect((await from('192.0.2.5', another.secret, '/api/client/features', 'GET')).status).toBe(429);
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: created.secret } });
    const gone = async () => (await from('192.0.2.5', created.secret, '/api/client/features', 'GET')).status;
    expect([await gone(), await gone()]).toEqual([429, 429]);
  });

  it('does not count requests without a token', async () => {
    for (let i = 0; i < 10; i++) {
      const reply = await server().anonymous.request('POST', '/api/signal-endpoint/any', {
        headers: { 'x-forwarded-for': '192.0.2.4' },
      });
      expect(reply.status).toBe(401);
    }
  });
});

describe('limits on the number of signal endpoints and tokens', () => {
  const server = useServer();
  const createEndpoint = (name: string) => server().admin.call('POST /api/admin/signal-endpoints', { body: { name } });
  const createToken = (id: number, name: string) =>
    server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
      params: { signalEndpointId: id },
      body: { name },
    });

  it('is 5 endpoints of the instance, also for concurrent requests; deleting an endpoint makes room', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => createEndpoint(`at-once-${n}`)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    const refused = replies.find(({ status }) => status !== 201);
    expect(refused?.status).toBe(400);
    expect(refused?.json).toMatchObject({ name: 'ExceedsLimitError', message: expect.stringContaining('5') });
    expect((await server().admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints).toHaveLength(5);
    await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: made[0]?.json.id } });
    expect((await createEndpoint('room-again')).status).toBe(201);
    expect((await createEndpoint('full-again')).status).toBe(400);
  });

  it('is 5 tokens of each endpoint; deleting a token makes room', async () => {
    const [{ id }, other] = (await server().admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints;
    const replies = await Promise.all(Array.from({ length: 9 }, (_, n) => createToken(id, `token-${n}`)));
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    expect(replies.find(({ status }) => status !== 201)?.json).toMatchObject({ name: 'ExceedsLimitError' });
    expect((await createToken(other.id, 'of another')).status).toBe(201);
    await server().admin.call('DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
      params: { signalEndpointId: id, id: made[0]?.json.id },
    });
    expect((await createToken(id, 'room-again')).status).toBe(201);
    expect((await createToken(id, 'full-again')).status).toBe(400);
  });
});

describe('settings that change the number of signal endpoints and tokens', () => {
  const server = useServer({ signalEndpointsLimit: 7, signalTokensLimit: 0 });

  it('allows the numbers of the settings', async () => {
    const created: number[] = [];
    for (let n = 0; n < 8; n++) {
      const { status } = await server().admin.call('POST /api/admin/signal-endpoints', { body: { name: `more-${n}` } });
      created.push(status);
    }
    expect(created).toEqual([201, 201, 201, 201, 201, 201, 201, 400]);
    const [{ id }] = (await server().admin.call('GET /api/admin/signal-endpoints')).json.signalEndpoints;
    const token = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
      params: { signalEndpointId: id },
      body: { name: 'none at all' },
    });
    expect(token.json).toMatchObject({ name: 'ExceedsLimitError' });
  });
});

describe('the limits of an endpoint without limits of its own', () => {
  const server = useServer({ signalEndpointsLimit: 100 });
  const ofSettings = { burst: 0, maxElements: 100, maxBodyBytes: 102_400 };
  const alerts = { burst: 1000, maxElements: 1000, maxBodyBytes: 1024 * 1024 };
  const steps = { ...ofSettings, burst: 60 };
  // A new source does not compile without its limits.
  const limits: Readonly<Record<SignalSourceName, typeof ofSettings>> = {
    alertmanager: alerts,
    'argo-cd': steps,
    'argo-rollouts': steps,
    'better-stack': alerts,
    checkly: alerts,
    cloudevents: ofSettings,
    datadog: alerts,
    flagger: steps,
    generic: ofSettings,
    github: steps,
    gitlab: steps,
    grafana: alerts,
    honeycomb: alerts,
    'kubernetes-events': steps,
    newrelic: alerts,
    pagerduty: alerts,
    sentry: alerts,
    slack: ofSettings,
    sns: alerts,
    'standard-webhooks': ofSettings,
    'uptime-kuma': alerts,
  };

  it.each(Object.entries(limits))('are those that its source needs: %s', async (source, needed) => {
    const { id } = await givenEndpoint(server(), { source });
    const { json } = await server().admin.call('GET /api/admin/signal-endpoints');
    expect(json.signalEndpoints.find((endpoint: { id: number }) => endpoint.id === id).limits).toMatchObject(needed);
  });

  it('let a hundred groups of alerts in at once', async () => {
    const endpoint = await givenEndpoint(server(), { source: 'alertmanager' });
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, n) => send(server(), endpoint, JSON.stringify({ groupKey: `${n}`, alerts: [] }))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
