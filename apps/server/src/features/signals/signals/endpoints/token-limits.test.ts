import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, received, send } from '#testing/signals.ts';

// With PostgreSQL, the windows of rate limits end by the system time, not by the clock of the test. The tests freeze
// the system time, so that no window ends during a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('the limits of a signal token', () => {
  const server = useServer({ signalEndpointsLimit: 1000, signalRatePerSecond: 3, badTokenRatePerMinute: 0 });
  const strict = useServer({ badTokenRatePerMinute: 2 });
  const sha256 = (secret: string, raw: string) => createHmac('sha256', secret).update(raw).digest('hex');
  const given = async (endpoint: object, token: object) => {
    const body = { name: freshName('e'), ...endpoint };
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', { body });
    const { id, secret } = await givenToken(server(), json.id, 'limited', token);
    return { id: json.id as number, name: json.name as string, tokenId: id, token: secret };
  };
  type Place = Awaited<ReturnType<typeof given>>;
  const statuses = async (place: Place, count: number) => {
    const all: number[] = [];
    for (let i = 0; i < count; i++) all.push((await send(server(), place, '{}')).status);
    return all;
  };
  const refusals = async ({ id }: Place) =>
    (await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params: { id } })).json.refusals;
  const stored = async (place: Place) => (await received(server(), place)).json.signalEndpointSignals.length;
  const update = ({ id, tokenId }: Place, body: object) =>
    server().admin.call('PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id', {
      params: { signalEndpointId: id, id: tokenId },
      body: { name: 'limited', ...body },
    });

  it('is the stricter of the rate of the token and that of its endpoint', async () => {
    expect(await statuses(await given({ ratePerSecond: 5 }, { ratePerSecond: 2 }), 4)).toEqual([200, 200, 429, 429]);
    expect(await statuses(await given({ ratePerSecond: 1 }, { ratePerSecond: 2 }), 3)).toEqual([200, 429, 429]);
    const settings = await given({}, { ratePerSecond: 9 });
    expect(await statuses(settings, 5)).toEqual([200, 200, 200, 429, 429]);
    expect(await refusals(settings)).toMatchObject([{ tokenId: settings.tokenId, reason: 'rate limit', count: 2 }]);
  });

  it('is the stricter of both bursts', async () => {
    const rate = { ratePerSecond: 1 };
    expect(await statuses(await given({ ...rate, burst: 3 }, { burst: 1 }), 4)).toEqual([200, 200, 429, 429]);
    expect(await statuses(await given({ ...rate, burst: 1 }, { burst: 3 }), 4)).toEqual([200, 200, 429, 429]);
  });

  it('leaves other tokens of the endpoint as they are', async () => {
    const place = await given({}, { ratePerSecond: 1 });
    const other = { ...place, token: (await givenToken(server(), place.id, 'other')).secret };
    expect(await statuses(place, 2)).toEqual([200, 429]);
    expect(await statuses(other, 3)).toEqual([200, 200, 200]);
  });

  it.each([
    ['signature', {}, (secret: string, raw: string) => ({ 'x-hub-signature-256': `sha256=${sha256(secret, raw)}` })],
    ['header', { header: 'x-gateway' }, (secret: string) => ({ 'x-gateway': secret })],
  ])('do not count an Authorization header that is meant for another server, where the %s is valid', async (...how) => {
    const [authentication, more, headersOf] = how;
    const other = strict();
    const { json } = await other.admin.call('POST /api/admin/signal-endpoints', {
      body: { name: freshName('e'), source: 'github' },
    });
    const { secret } = await givenToken(other, json.id, 'sender', { authentication, ...more });
    const statusOf = async (key: string) => {
      const headers = {
        'content-type': 'application/json',
        authorization: 'Bearer of-a-gateway',
        ...headersOf(key, '{}'),
      };
      const path = `/api/signal-endpoint/${json.name}`;
      return (await other.anonymous.request('POST', path, { raw: '{}', headers })).status;
    };
    const valid = [await statusOf(secret), await statusOf(secret), await statusOf(secret)];
    expect([valid, await statusOf('wrong'), await statusOf(secret)]).toEqual([[200, 200, 200], 401, 200]);
  });

  it('is the smaller of both sizes, also where the body is read before the token is known', async () => {
    const place = await given({ maxBodyBytes: 20 }, { maxBodyBytes: 10 });
    expect((await send(server(), place, '"12345678"')).status).toBe(200);
    expect((await send(server(), place, '"123456789"')).status).toBe(413);
    const larger = await given({ maxBodyBytes: 10 }, { maxBodyBytes: 20 });
    expect((await send(server(), larger, '"123456789"')).status).toBe(413);
    const signed = await given({ source: 'github' }, { authentication: 'signature', maxBodyBytes: 10 });
    const post = (raw: string) =>
      server().anonymous.request('POST', `/api/signal-endpoint/${signed.name}`, {
        raw,
        headers: {
          'content-type': 'application/json',
          'x-hub-signature-256': `sha256=${createHmac('sha256', signed.token).update(raw).digest('hex')}`,
        },
      });
    expect([(await post('"12345678"')).status, (await post('"123456789"')).status]).toEqual([200, 413]);
    expect(await stored(signed)).toBe(1);
    expect(await refusals(signed)).toMatchObject([{ tokenId: signed.tokenId, reason: 'too large', count: 1 }]);
  });

  it('refuses a token from its end like an unknown one, until the end is moved', async () => {
    const until = server().clock.now() + 60_000;
    const place = await given({}, { enabledUntil: new Date(until).toISOString() });
    expect(await statuses(place, 1)).toEqual([200]);
    server().clock.advance(60_000);
    const expired = await send(server(), place, '{}');
    const unknown = await send(server(), { ...place, token: 'signal_unknown' }, '{}');
    expect([expired.status, expired.json.message]).toEqual([401, unknown.json.message]);
    expect(await refusals(place)).toContainEqual(
      expect.objectContaining({ tokenId: place.tokenId, reason: 'token expired', count: 1 }),
    );
    await update(place, { enabledUntil: null });
    expect(await statuses(place, 1)).toEqual([200]);
    expect(await stored(place)).toBe(2);
  });

  it('can be changed and taken away, which takes effect at once', async () => {
    const place = await given({}, { ratePerSecond: 1, burst: 2, maxBodyBytes: 10 });
    const before = await lastEventId(server());
    const { json } = await update(place, { ratePerSecond: null, maxBodyBytes: 1 });
    expect(json).toMatchObject({ ratePerSecond: null, burst: 2, maxBodyBytes: 1, enabledUntil: null });
    expect((await send(server(), place, '{}')).status).toBe(413);
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'signal-endpoint-token-updated',
        preData: { ratePerSecond: 1, burst: 2, maxBodyBytes: 10 },
        data: { ratePerSecond: null, burst: 2, maxBodyBytes: 1 },
      },
    ]);
    await update(place, { maxBodyBytes: 1 });
    expect(await lastEventId(server())).toBe(before + 1);
  });

  it.each([
    [{ ratePerSecond: 0 }, 'ratePerSecond'],
    [{ ratePerSecond: 1001 }, 'ratePerSecond'],
    [{ burst: -1 }, 'burst'],
    [{ burst: 1.5 }, 'burst'],
    [{ maxBodyBytes: 1024 * 1024 + 1 }, 'maxBodyBytes'],
    [{ enabledUntil: 'tomorrow' }, 'enabledUntil'],
  ])('is refused with %j', async (limits, path) => {
    const place = await given({}, {});
    const made = await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/tokens', {
      params: { signalEndpointId: place.id },
      body: { name: 'another', ...limits },
    });
    expect([made.status, made.json.details[0].path]).toEqual([400, path]);
    const changed = await update(place, limits);
    expect([changed.status, changed.json.details[0].path]).toEqual([400, path]);
  });
});
