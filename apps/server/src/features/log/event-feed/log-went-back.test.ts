import { afterEach, describe, expect, it } from 'vitest';
import { givenFlagIn } from '#testing/flags.ts';
import { probeLoop } from '#testing/loop-probe.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { remember } from '#testing/rewind.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
const feed = 'GET /api/admin/events/feed';
const consumer = { params: { name: 'reader' } };

describe('a server whose database goes back', () => {
  const server = useServer();
  const open: TestStream[] = [];
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  async function stream(path: string, headers: Record<string, string>): Promise<TestStream> {
    const opened = await TestStream.open(`${server().url}${path}`, headers);
    open.push(opened);
    return opened;
  }

  /** Loses what `lose` changes, and writes as many other changes with the same ids before the server looks. */
  async function lost<T>(lose: () => Promise<T>): Promise<T> {
    const back = await remember(server().app.database);
    const result = await lose();
    await back();
    return result;
  }

  /** Switches on a flag, which is lost, and another one with the same event id. Returns both names. */
  async function rewritten(read: (gone: string) => Promise<void>) {
    const [gone, kept] = [await givenFlagIn(server()), await givenFlagIn(server())];
    await lost(async () => {
      await server().admin.call(on, { params: gone });
      await read(gone.featureName);
    });
    await server().admin.call(on, { params: kept });
    return { gone: gone.featureName, kept: kept.featureName };
  }

  const isOnNow =
    (name: string) => (event: { readonly feature?: { readonly name: string; readonly enabled: boolean } }) =>
      event.feature?.name === name && event.feature.enabled;
  const flagsOf = (features: readonly { readonly name: string; readonly enabled: boolean }[]) =>
    new Map(features.map(({ name, enabled }) => [name, enabled]));

  it('records it once, counts it, and drops no change afterwards', async () => {
    const before = await wentBack(server());
    await rewritten(async () => undefined);
    await probeLoop(server());
    const after = await wentBack(server());
    expect([after.events - before.events, after.metric - before.metric]).toEqual([1, 1]);
  });

  it('gives no SDK a 304 or a delta for a position of before', async () => {
    const sdk = await givenSdk(server());
    let etags = { features: '', delta: '' };
    const { gone, kept } = await rewritten(async (name) => {
      const [features, delta] = [await sdk.call('GET /api/client/features'), await sdk.call('GET /api/client/delta')];
      expect(flagsOf(features.json.features).get(name)).toBe(true);
      etags = { features: features.headers.get('etag') ?? '', delta: delta.headers.get('etag') ?? '' };
    });
    const call = (route: 'GET /api/client/features' | 'GET /api/client/delta', etag: string) =>
      sdk.call(route, { headers: { 'if-none-match': etag } });
    const features = await call('GET /api/client/features', etags.features);
    const shown = flagsOf(features.json.features);
    expect([features.status, shown.get(gone), shown.get(kept)]).toEqual([200, false, true]);
    const delta = await call('GET /api/client/delta', etags.delta);
    expect(delta.json.events).toMatchObject([{ type: 'hydration' }]);
    const known = /^"(\d+)/.exec(etags.delta)?.[1];
    expect((await call('GET /api/client/delta', `"${known}"`)).json.events[0].type).toBe('hydration');
  });

  it('sends everything anew on open streams, and to a reader with a Last-Event-ID of before', async () => {
    const { secret } = await givenToken(server());
    const sdk = await stream('/api/client/streaming', { authorization: secret });
    let id = '';
    await sdk.next();
    const { gone, kept } = await rewritten(async (name) => {
      for (let isOn = false; !isOn; ) {
        const message = await sdk.next();
        id = message?.id ?? '';
        isOn = message?.data.events.some(isOnNow(name));
      }
    });
    const reconnected = await stream('/api/client/streaming', { authorization: secret, 'last-event-id': id });
    for (const message of [await sdk.next(), await reconnected.next()]) {
      const [event] = message?.data.events ?? [];
      const shown = flagsOf(event.features);
      expect([event.type, shown.get(gone), shown.get(kept)]).toEqual(['hydration', false, true]);
    }
  });

  it('takes no token that the database lost', async () => {
    const secrets = await lost(async () => {
      const { secret } = await givenToken(server());
      const user = await givenUser(server(), 'Admin');
      const headers = await logIn(server().anonymous, user);
      const body = { description: 'laptop', expiresAt: '2099-01-01T00:00:00Z' };
      const personal = (await server().anonymous.call('POST /api/admin/user/tokens', { headers, body })).json.secret;
      expect((await server().client(secret).call('GET /api/client/features')).status).toBe(200);
      expect((await server().client(personal).call('GET /api/admin/user')).status).toBe(200);
      return { secret, personal };
    });
    await probeLoop(server());
    expect((await server().client(secrets.secret).call('GET /api/client/features')).status).toBe(401);
    expect((await server().client(secrets.personal).call('GET /api/admin/user')).status).toBe(401);
  });

  it('refuses positions of before in the event feed, and ends its streams', async () => {
    const headers = { authorization: await server().tokenOf('viewer'), accept: 'text/event-stream' };
    const events = await stream('/api/admin/events/feed?after=newest', headers);
    let page = { next: 0, epoch: '' };
    let id = '';
    await rewritten(async () => {
      page = (await server().admin.call(feed, { query: { after: 'newest' } })).json;
      id = (await events.next())?.id ?? '';
    });
    // The messages of the lost events come first, then the stream ends.
    for (let more: unknown = events; more !== undefined; ) more = await events.next();
    const query = { after: String(page.next), epoch: page.epoch };
    const refused = await server().admin.call(feed, { query });
    expect([refused.status, refused.json.details[0].path]).toEqual([400, 'epoch']);
    expect((await stream('/api/admin/events/feed', { ...headers, 'last-event-id': id })).status).toBe(400);
    const again = (await server().admin.call(feed, { query: { after: 'newest' } })).json;
    expect((await server().admin.call(feed, { query: { after: String(again.next), epoch: again.epoch } })).status).toBe(
      200,
    );
  });

  it('answers a request that waits for an event', async () => {
    const back = await remember(server().app.database);
    await givenFlagIn(server());
    const { next, epoch } = (await server().admin.call(feed, { query: { after: 'newest' } })).json;
    const waiting = server().admin.call(feed, { query: { after: String(next), epoch, wait: '60' } });
    await server().admin.call(feed, { query: { after: 'newest' } });
    await back();
    await probeLoop(server());
    expect((await waiting).json).toMatchObject({ events: [], epoch, hasMore: false });
  });

  it('gives a consumer the events again, and takes no acknowledgement of before', async () => {
    const poll = () =>
      server().admin.call('POST /api/admin/event-consumers/:name/poll', { ...consumer, body: { worker: 'one' } });
    const acknowledge = (id: number, epoch?: string) =>
      server().admin.call('POST /api/admin/event-consumers/:name/acknowledge', {
        ...consumer,
        body: { worker: 'one', id, ...(epoch === undefined ? {} : { epoch }) },
      });
    await server().admin.call('PUT /api/admin/event-consumers/:name', { ...consumer, body: {} });
    await acknowledge((await poll()).json.next);
    let page = { next: 0, epoch: '' };
    const { kept } = await rewritten(async () => {
      page = (await poll()).json;
      expect((await acknowledge(page.next - 1, page.epoch)).status).toBe(200);
    });
    expect((await acknowledge(page.next, page.epoch)).status).toBe(400);
    expect((await acknowledge(page.next)).status).toBe(409);
    const now = (await poll()).json;
    expect(now.epoch).not.toBe(page.epoch);
    expect(now.events.map(({ featureName }: { featureName: string | null }) => featureName)).toContain(kept);
    expect((await acknowledge(now.next, now.epoch)).status).toBe(200);
  });

  it('tells open pages to load everything again', async () => {
    const authorization = await server().tokenOf('viewer');
    const activity = await stream('/api/admin/activity', { authorization });
    const first = (await activity.next())?.data;
    await rewritten(async () => undefined);
    for (let more: unknown = first; more !== undefined; ) more = await activity.next();
    const again = await stream('/api/admin/activity', { authorization });
    expect((await again.next())?.data.epoch > first.epoch).toBe(true);
  });
});

async function wentBack(server: TestServer): Promise<{ readonly events: number; readonly metric: number }> {
  const query = { type: 'IS:log-went-back' };
  const { total } = (await server.admin.call('GET /api/admin/search/events', { query })).json;
  const { text } = await server.anonymous.request('GET', '/metrics');
  return { events: total, metric: Number(/^event_log_went_back_total (\d+)$/m.exec(text)?.[1]) };
}
