import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../testing/client.ts';
import { addStrategy, givenFlagIn } from '../../../testing/flags.ts';
import { givenSegment } from '../../../testing/segments.ts';
import { createStorage, engine, startServer, type TestServer } from '../../../testing/server.ts';
import { TestStream } from '../../../testing/test-stream.ts';
import { givenToken } from '../../../testing/tokens.ts';

// Only PostgreSQL can be shared. The two servers are in one process here, with nothing in common but the database.
describe.runIf(engine === 'postgres')('two servers on one database', () => {
  const storage = createStorage();
  const settings = { initAdminTokens: ['*:*.the-same-on-both'] };
  let one: TestServer;
  let two: TestServer;
  beforeAll(async () => {
    [one, two] = await Promise.all([startServer(storage, settings), startServer(storage, settings)]);
  });
  afterAll(async () => {
    await one?.stop();
    await two?.stop();
    await storage.remove();
  });

  const features = (sdk: ApiClient, headers = {}) => sdk.call('GET /api/client/features', { headers });
  // The news comes with a notification, within milliseconds; were it lost, the feed would look after a second.
  const soon = { timeout: 3000, interval: 5 };

  it('serve on the one what was switched on the other, under the same ETag', async () => {
    const { secret } = await givenToken(one);
    const params = await givenFlagIn(one);
    const sdks = { one: one.client(secret), two: two.client(secret) };
    const before = (await features(sdks.one)).headers.get('etag') ?? '';
    await expect.poll(async () => (await features(sdks.two)).headers.get('etag'), soon).toBe(before);
    expect((await features(sdks.two, { 'if-none-match': before })).status).toBe(304);

    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await one.admin.call(route, { params });
    const here = await features(sdks.one);
    const statusThere = async () => (await features(sdks.two, { 'if-none-match': before })).status;
    await expect.poll(statusThere, soon).toBe(200);
    const there = await features(sdks.two);
    expect(there.text).toBe(here.text);
    expect(there.headers.get('etag')).toBe(here.headers.get('etag'));
  });

  it('serve on the one the segment that was changed on the other', async () => {
    const { secret } = await givenToken(one);
    const { id, name } = await givenSegment(one);
    const params = await givenFlagIn(one);
    await addStrategy(one, params, { name: 'default', segments: [id] });
    const there = async () => (await features(two.client(secret))).text;
    await expect.poll(there, soon).toContain('"NO"');
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['FI'] }];
    await one.admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints } });
    await expect.poll(there, soon).toContain('"FI"');
    expect(await there()).toBe((await features(one.client(secret))).text);
  });

  it('tell streams on the one what was switched on the other, and go on with deltas of each other', async () => {
    const { secret } = await givenToken(one);
    const params = await givenFlagIn(one);
    const name = async () => (await features(two.client(secret))).text;
    await expect.poll(name, soon).toContain(params.featureName);
    const stream = await TestStream.open(`${two.url}/api/client/streaming`, { authorization: secret });
    const first = await stream.next();
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await one.admin.call(route, { params });
    const told = await stream.next();
    stream.close();
    expect(told?.data.events).toMatchObject([{ type: 'feature-updated', feature: { name: params.featureName } }]);
    for (const server of [one, two]) {
      const delta = (id: string | undefined) =>
        server.client(secret).call('GET /api/client/delta', { headers: { 'if-none-match': `"${id}"` } });
      expect((await delta(first?.id)).json).toEqual(told?.data);
      expect((await delta(told?.id)).status).toBe(304);
    }
  });

  it('let a token in at once wherever it was created, and soon nowhere when it was deleted', async () => {
    const { secret, id } = await givenToken(one);
    expect((await features(two.client(secret))).status).toBe(200);
    await one.admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect((await features(one.client(secret))).status).toBe(401);
    await expect.poll(async () => (await features(two.client(secret))).status, soon).toBe(401);
  });

  it('count together, and tell of an application once', async () => {
    const { secret } = await givenToken(one);
    const { featureName } = await givenFlagIn(one);
    for (const server of [one, two]) {
      await server.client(secret).call('POST /api/client/metrics', {
        body: { appName: 'on both', bucket: { toggles: { [featureName]: { yes: 1, no: 2, variants: { v: 1 } } } } },
      });
    }
    const { db } = one.app.database;
    const counts = () => db.selectFrom('client_metrics').select(['yes', 'no']).execute();
    await expect.poll(counts, { timeout: 8000 }).toEqual([{ yes: 2, no: 4 }]);
    const told = () => db.selectFrom('events').select('id').where('type', '=', 'application-created').execute();
    await expect.poll(told, { timeout: 8000 }).toHaveLength(1);
  });
});
