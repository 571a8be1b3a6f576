import { afterEach, describe, expect, it } from 'vitest';
import { givenFlag, givenFlagIn, givenProject, switchFlag } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenToken } from '#testing/tokens.ts';
import { streamingScenarios } from './streaming.scenarios.ts';

const open: TestStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/** Opens a stream with the token `secret`, or with a new token. */
async function stream(server: TestServer, { secret, query = '', ...headers }: Record<string, string> = {}, token = {}) {
  const authorization = secret ?? (await givenToken(server, token)).secret;
  const opened = await TestStream.open(`${server.url}/api/client/streaming${query}`, { authorization, ...headers });
  open.push(opened);
  return opened;
}

describe('GET /api/client/streaming', () => {
  const server = useServer();

  testScenarios(server, streamingScenarios);

  it('sends all flags first, and then each change', async () => {
    const params = await givenFlagIn(server());
    const sdk = await stream(server());
    expect(sdk.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(sdk.headers.get('cache-control')).toContain('no-cache');
    const first = await sdk.next();
    expect(first).toMatchObject({ event: 'unleash-connected', data: { events: [{ type: 'hydration' }] } });
    expect(first?.id.split(':')[0]).toBe(String(first?.data.events[0].eventId));
    await switchFlag(server(), params, 'on');
    const second = await sdk.next();
    expect(second).toMatchObject({
      event: 'unleash-updated',
      data: { events: [{ type: 'feature-updated', feature: { name: params.featureName, enabled: true } }] },
    });
    expect(second?.id.split(':')[0]).toBe(String(second?.data.events[0].eventId));
  });

  it('sends no changes of other environments and projects', async () => {
    const projectId = await givenProject(server());
    const sdk = await stream(server(), {}, { projects: [projectId] });
    await sdk.next();
    await switchFlag(server(), await givenFlagIn(server()), 'on');
    await switchFlag(server(), { ...(await givenFlagIn(server(), 'production')), environment: 'production' }, 'on');
    const { featureName } = await givenFlag(server(), {}, projectId);
    expect((await sdk.next())?.data.events).toMatchObject([
      { type: 'feature-updated', feature: { name: featureName } },
    ]);
  });

  it('applies the filters of GET /api/client/features', async () => {
    const sdk = await stream(server(), { query: '?namePrefix=streamed.' });
    expect((await sdk.next())?.data.events[0].features).toEqual([]);
    await givenFlag(server());
    await givenFlag(server(), { name: 'streamed.one' });
    expect((await sdk.next())?.data.events).toMatchObject([{ feature: { name: 'streamed.one' } }]);
  });

  it('continues after Last-Event-ID with the changes since', async () => {
    const params = await givenFlagIn(server());
    const { secret } = await givenToken(server());
    const before = await stream(server(), { secret });
    const id = (await before.next())?.id ?? '';
    before.close();
    const same = await stream(server(), { secret, 'last-event-id': id });
    expect(await same.next()).toEqual({ id, event: 'unleash-connected', data: { events: [] } });
    await switchFlag(server(), params, 'on');
    const after = await stream(server(), { secret, 'last-event-id': id });
    expect(await after.next()).toMatchObject({
      event: 'unleash-connected',
      data: { events: [{ type: 'feature-updated', feature: { enabled: true } }] },
    });
  });

  it.each(['999999999', '0', 'other', '-1'])('sends all flags for the unknown Last-Event-ID %s', async (id) => {
    const sdk = await stream(server(), { 'last-event-id': id });
    expect((await sdk.next())?.data.events[0].type).toBe('hydration');
  });

  it('sends a change to all readers', async () => {
    const params = await givenFlagIn(server());
    const { secret } = await givenToken(server());
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => stream(server(), n % 2 ? { secret } : {})));
    await Promise.all(all.map((reader) => reader.next()));
    await switchFlag(server(), params, 'on');
    const messages = await Promise.all(all.map((reader) => reader.next()));
    expect(new Set(messages.map((message) => message?.data.events[0].feature.name))).toEqual(
      new Set([params.featureName]),
    );
  });

  it('ends when its token is deleted; other streams stay open', async () => {
    const { secret, id } = await givenToken(server());
    const [ended, other] = [await stream(server(), { secret }), await stream(server())];
    await Promise.all([ended.next(), other.next()]);
    await server().admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect(await ended.next()).toBeUndefined();
    const { featureName } = await givenFlag(server());
    expect((await other.next())?.data.events[0].feature.name).toBe(featureName);
  });

  it('ends when an administrator ends all of them', async () => {
    const sdk = await stream(server());
    await sdk.next();
    expect((await server().admin.call('POST /api/admin/streaming/disconnect-all')).status).toBe(200);
    expect(await sdk.next()).toBeUndefined();
  });

  it('is counted in the metrics', async () => {
    const sdk = await stream(server());
    await sdk.next();
    const value = async (name: string) => {
      const { text } = await server().admin.request('GET', '/metrics');
      return Number(new RegExp(`^${RegExp.escape(name)} (.*)$`, 'm').exec(text)?.[1]);
    };
    expect(await value('sdk_streams_open')).toBeGreaterThan(0);
    expect(await value('sdk_stream_messages_total')).toBeGreaterThan(0);
    const delays = () => value('sdk_change_delay_seconds_count{to="streams"}');
    const before = await delays();
    await givenFlag(server());
    await sdk.next();
    await expect.poll(delays).toBeGreaterThan(before);
    const others = (await value('sdk_streams_open')) - 1;
    sdk.close();
    await expect.poll(() => value('sdk_streams_open')).toBeLessThanOrEqual(others);
  });
});

describe('idle streams', () => {
  const server = useServer({ streamHeartbeatSeconds: 0.02, streamLimit: 1 });

  it('send heartbeats, end when their token expires, and count towards the limit', async () => {
    const expiresAt = new Date(server().clock.now() + 3_600_000).toISOString();
    const { secret } = await givenToken(server(), { expiresAt });
    const sdk = await stream(server(), { secret });
    await sdk.next();
    expect(await sdk.block()).toBe(':');
    const refused = await stream(server(), { secret });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    server().clock.advance(3_600_001);
    expect(await sdk.next()).toBeUndefined();
    expect((await stream(server(), { secret })).status).toBe(401);
  });
});

describe('a stream whose token expires between two heartbeats', () => {
  const server = useServer({ streamHeartbeatSeconds: 3600 });

  it('ends when the token expires', async () => {
    // The clock of the test stands still: the token is valid when the stream begins, however slow the machine is.
    const expiresAt = new Date(server().clock.now() + 200).toISOString();
    const { secret } = await givenToken(server(), { expiresAt });
    const sdk = await stream(server(), { secret });
    await sdk.next();
    server().clock.advance(200);
    expect(await sdk.next()).toBeUndefined();
  });
});

describe('streams of one token', () => {
  const server = useServer({ streamLimit: 4, streamTokenShare: 50 });

  it('are limited to its share, so that other tokens can open streams', async () => {
    const [token, otherToken] = [await givenToken(server()), await givenToken(server())];
    const statusOf = async ({ secret }: { secret: string }) => (await stream(server(), { secret })).status;
    const first = await stream(server(), { secret: token.secret });
    expect([first.status, await statusOf(token)]).toEqual([200, 200]);
    const refused = await stream(server(), { secret: token.secret });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect([await statusOf(otherToken), await statusOf(otherToken), await statusOf(otherToken)]).toEqual([
      200, 200, 429,
    ]);
    first.close();
    await expect.poll(() => statusOf(token)).toBe(200);
  });
});

describe('a server that stops', () => {
  it('ends the streams that are open, and does not wait for their readers', async () => {
    const storage = await createStorage();
    const server = await startServer(storage);
    const sdk = await stream(server);
    await sdk.next();
    await Promise.all([server.stop(), expect(sdk.next()).resolves.toBeUndefined()]);
    await storage.remove();
  });
});
