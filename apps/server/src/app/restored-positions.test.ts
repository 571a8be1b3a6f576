import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '#config/load.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { createEmptyStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';
import { givenToken } from '#testing/tokens.ts';
import { backUpTo, restoreFrom } from './backup.ts';

const settings = { initAdminTokens: [`*:*.${'a1'.repeat(28)}`] };
const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
const feed = 'GET /api/admin/events/feed';
const reader = { params: { name: 'reader' } };

const configOf = ({ settings: own }: TestStorage) => ({ ...loadConfig({}), ...own });
const failed = (error: unknown) => {
  throw error;
};

/** Reads as a delta client, a stream, a reader of the feed and a consumer do. Returns their positions. */
async function positionsOf(server: TestServer, secret: string) {
  const delta = await server.client(secret).call('GET /api/client/delta');
  const stream = await TestStream.open(`${server.url}/api/client/streaming`, { authorization: secret });
  const streamed = (await stream.next())?.id ?? '';
  stream.close();
  const page = (await server.admin.call(feed, { query: { after: 'newest' } })).json;
  const polled = await poll(server);
  return { delta: delta.headers.get('etag') ?? '', streamed, page, polled };
}

async function poll(server: TestServer): Promise<{ next: number; epoch: string; events: { featureName: string }[] }> {
  const body = { worker: 'one' };
  return (await server.admin.call('POST /api/admin/event-consumers/:name/poll', { ...reader, body })).json;
}

const acknowledge = async (server: TestServer, id: number, epoch?: string) =>
  (
    await server.admin.call('POST /api/admin/event-consumers/:name/acknowledge', {
      ...reader,
      body: { worker: 'one', id, ...(epoch === undefined ? {} : { epoch }) },
    })
  ).status;

it('readers with a position after the backup notice that an older backup was restored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'yardarm-positions-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'backup');
  const [first, second] = [createEmptyStorage(), createEmptyStorage()];
  onTestFinished(() => Promise.all([first.remove(), second.remove()]).then(() => undefined));

  const saved = await startServer(first, settings);
  const { secret } = await givenToken(saved);
  const [lost, kept] = [await givenFlagIn(saved), await givenFlagIn(saved)];
  await saved.admin.call('PUT /api/admin/event-consumers/:name', { ...reader, body: {} });
  // A backup in the process of the server would wait for a lock that the server cannot give back meanwhile.
  await saved.stop();
  await backUpTo(configOf(first), file, failed);
  const before = await startServer(first, settings);
  for (let n = 0; n < 3; n++) await givenFlagIn(before);
  await before.admin.call(on, { params: lost });
  const { delta, streamed, page, polled } = await positionsOf(before, secret);
  await before.stop();

  await restoreFrom(configOf(second), file, failed);
  const after = await startServer(second, settings);
  onTestFinished(() => after.stop());
  // More events than were lost, with the same ids.
  for (let n = 0; n < 6; n++) await givenFlagIn(after);
  await after.admin.call(on, { params: kept });

  const sdk = after.client(secret);
  const fresh = await sdk.call('GET /api/client/delta', { headers: { 'if-none-match': delta } });
  expect(fresh.json.events).toMatchObject([{ type: 'hydration' }]);
  const stream = await TestStream.open(`${after.url}/api/client/streaming`, {
    authorization: secret,
    'last-event-id': streamed,
  });
  expect((await stream.next())?.data.events).toMatchObject([{ type: 'hydration' }]);
  stream.close();
  const refused = await after.admin.call(feed, { query: { after: String(page.next), epoch: page.epoch } });
  expect([refused.status, refused.json.details[0].path]).toEqual([400, 'epoch']);
  expect(await acknowledge(after, polled.next, polled.epoch)).toBe(400);
  expect(await acknowledge(after, polled.next)).toBe(409);
  const again = await poll(after);
  expect(again.epoch > polled.epoch).toBe(true);
  expect(again.events.map(({ featureName }) => featureName)).toContain(kept.featureName);
});
