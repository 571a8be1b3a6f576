import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '#testing/client.ts';
import { addStrategy, givenFlagIn } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { createStorage, engine, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenToken } from '#testing/tokens.ts';

// Only PostgreSQL can be shared. The two servers are in one process here, with nothing in common but the database.
describe.runIf(engine === 'postgres')('two servers on one database', () => {
  let storage: TestStorage;
  const settings = { initAdminTokens: ['*:*.the-same-on-both'] };
  let firstServer: TestServer;
  let secondServer: TestServer;
  beforeAll(async () => {
    storage = await createStorage();
    [firstServer, secondServer] = await Promise.all([startServer(storage, settings), startServer(storage, settings)]);
  });
  afterAll(async () => {
    await firstServer?.stop();
    await secondServer?.stop();
    await storage.remove();
  });

  const features = (sdk: ApiClient, headers = {}) => sdk.call('GET /api/client/features', { headers });
  // A notification arrives within milliseconds; if it is lost, the change feed polls after a second.
  const soon = { timeout: 3000, interval: 5 };

  it('serve a flag that was switched on the other server, with the same ETag', async () => {
    const { secret } = await givenToken(firstServer);
    const params = await givenFlagIn(firstServer);
    const sdks = { first: firstServer.client(secret), second: secondServer.client(secret) };
    const before = (await features(sdks.first)).headers.get('etag') ?? '';
    await expect.poll(async () => (await features(sdks.second)).headers.get('etag'), soon).toBe(before);
    expect((await features(sdks.second, { 'if-none-match': before })).status).toBe(304);

    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await firstServer.admin.call(route, { params });
    const here = await features(sdks.first);
    const statusThere = async () => (await features(sdks.second, { 'if-none-match': before })).status;
    await expect.poll(statusThere, soon).toBe(200);
    const there = await features(sdks.second);
    expect(there.text).toBe(here.text);
    expect(there.headers.get('etag')).toBe(here.headers.get('etag'));
  });

  it('serve a segment that was changed on the other server', async () => {
    const { secret } = await givenToken(firstServer);
    const { id, name } = await givenSegment(firstServer);
    const params = await givenFlagIn(firstServer);
    await addStrategy(firstServer, params, { name: 'default', segments: [id] });
    const there = async () => (await features(secondServer.client(secret))).text;
    await expect.poll(there, soon).toContain('"NO"');
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['FI'] }];
    await firstServer.admin.call('PUT /api/admin/segments/:id', { params: { id }, body: { name, constraints } });
    await expect.poll(there, soon).toContain('"FI"');
    expect(await there()).toBe((await features(firstServer.client(secret))).text);
  });

  it('send changes made on the other server to streams, and continue each other’s deltas', async () => {
    const { secret } = await givenToken(firstServer);
    const params = await givenFlagIn(firstServer);
    const name = async () => (await features(secondServer.client(secret))).text;
    await expect.poll(name, soon).toContain(params.featureName);
    const stream = await TestStream.open(`${secondServer.url}/api/client/streaming`, { authorization: secret });
    const first = await stream.next();
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await firstServer.admin.call(route, { params });
    const message = await stream.next();
    stream.close();
    expect(message?.data.events).toMatchObject([{ type: 'feature-updated', feature: { name: params.featureName } }]);
    for (const server of [firstServer, secondServer]) {
      const delta = (id: string | undefined) =>
        server.client(secret).call('GET /api/client/delta', { headers: { 'if-none-match': `"${id}"` } });
      expect((await delta(first?.id)).json).toEqual(message?.data);
      expect((await delta(message?.id)).status).toBe(304);
    }
  });

  it('accept a token at once wherever it was created, and refuse it soon after it was deleted', async () => {
    const { secret, id } = await givenToken(firstServer);
    expect((await features(secondServer.client(secret))).status).toBe(200);
    await firstServer.admin.call('DELETE /api/admin/api-tokens/:token', { params: { token: id } });
    expect((await features(firstServer.client(secret))).status).toBe(401);
    await expect.poll(async () => (await features(secondServer.client(secret))).status, soon).toBe(401);
  });

  it('add up their usage counts, and record the event of a new application once', async () => {
    const { secret } = await givenToken(firstServer);
    const { featureName } = await givenFlagIn(firstServer);
    for (const server of [firstServer, secondServer]) {
      await server.client(secret).call('POST /api/client/metrics', {
        body: { appName: 'on both', bucket: { toggles: { [featureName]: { yes: 1, no: 2, variants: { v: 1 } } } } },
      });
    }
    const { db } = firstServer.app.database;
    const counts = () => db.selectFrom('client_metrics').select(['yes', 'no']).execute();
    await expect.poll(counts, { timeout: 8000 }).toEqual([{ yes: 2, no: 4 }]);
    const events = () => db.selectFrom('events').select('id').where('type', '=', 'application-created').execute();
    await expect.poll(events, { timeout: 8000 }).toHaveLength(1);
  });
});
