import { expect, it } from 'vitest';
import { TestStream } from '../../apps/server/testing/test-stream.ts';
import { useFixtures } from './fixtures.ts';
import { call, callApi } from './http-call.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { until } from './until.ts';

const { cluster, onCleanUp } = useFixtures();

const token = `*:*.${'a1'.repeat(28)}`;
const flags = '/projects/default/features';
const soonMs = 10_000;

const admin = <Body>(server: ServerProcess, method: string, path: string, body?: object) =>
  callApi<Body>(server.origin, { method, path: `/api/admin${path}`, token }, body);
const toggle = (server: ServerProcess, flag: string, state: 'on' | 'off') =>
  admin(server, 'POST', `${flags}/${flag}/environments/development/${state}`);

type Page = { readonly next: number; readonly epoch: string };

it('readers notice a database that went back while no server was running', async () => {
  const primary = await cluster();
  const standby = await primary.standby();
  onCleanUp(() => standby.stop());
  const start = async (url: string) => {
    const server = await startServer({ DATABASE_URL: url, INIT_ADMIN_API_TOKENS: token });
    onCleanUp(() => server.end('SIGKILL'));
    return server;
  };
  const first = await start(primary.url);
  const sdk = await admin<{ secret: string }>(first, 'POST', '/api-tokens', {
    tokenName: 'sdk',
    type: 'backend',
    environment: 'development',
    projects: ['*'],
  });
  for (const name of ['kill-switch', 'other']) await admin(first, 'POST', flags, { name });
  await admin(first, 'PUT', '/event-consumers/reader', {});
  await until('the standby to have all changes', soonMs, async () => {
    const newest = `select value from public.counters where name = 'event'`;
    return (await primary.sql(`\\c yardarm\n${newest}`)) === (await standby.sql(`\\c yardarm\n${newest}`));
  });
  await standby.halt();

  // Lost with the primary.
  await toggle(first, 'kill-switch', 'on');
  const get = (server: ServerProcess, path: string, headers: Record<string, string> = {}) =>
    call(server.origin, { method: 'GET', path, token: sdk.secret, headers });
  const etags = {
    features: (await get(first, '/api/client/features')).headers?.get('etag') ?? '',
    delta: (await get(first, '/api/client/delta')).headers?.get('etag') ?? '',
  };
  const stream = await TestStream.open(`${first.origin}/api/client/streaming`, { authorization: sdk.secret });
  const streamed = (await stream.next())?.id ?? '';
  stream.close();
  const page = await admin<Page>(first, 'GET', '/events/feed?after=0&limit=1000');
  const polled = await admin<Page>(first, 'POST', '/event-consumers/reader/poll', { worker: 'one' });
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
  await primary.crash();

  await standby.resume();
  await standby.promote();
  const second = await start(standby.url);
  // Writes an event with the id of the lost one.
  await toggle(second, 'other', 'on');
  const features = await get(second, '/api/client/features', { 'if-none-match': etags.features });
  expect(features).toMatchObject({
    status: 200,
    body: { features: expect.arrayContaining([expect.objectContaining({ name: 'kill-switch', enabled: false })]) },
  });
  const delta = await get(second, '/api/client/delta', { 'if-none-match': etags.delta });
  expect(delta).toMatchObject({ status: 200, body: { events: [{ type: 'hydration' }] } });
  const again = await TestStream.open(`${second.origin}/api/client/streaming`, {
    authorization: sdk.secret,
    'last-event-id': streamed,
  });
  onCleanUp(() => again.close());
  expect((await again.next())?.data.events).toMatchObject([{ type: 'hydration' }]);
  const feed = await call(second.origin, {
    method: 'GET',
    path: `/api/admin/events/feed?after=${page.next}&epoch=${page.epoch}`,
    token,
  });
  expect(feed.status).toBe(400);
  const acknowledge = await call(second.origin, {
    method: 'POST',
    path: '/api/admin/event-consumers/reader/acknowledge',
    token,
    body: JSON.stringify({ worker: 'one', id: polled.next, epoch: polled.epoch }),
  });
  expect(acknowledge.status).toBe(400);
  const next = await admin<Page>(second, 'POST', '/event-consumers/reader/poll', { worker: 'one' });
  expect(next.epoch > polled.epoch).toBe(true);

  // The server is on the same timeline at the next start: positions stay valid.
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const third = await start(standby.url);
  expect((await admin<Page>(third, 'GET', '/events/feed?after=0&limit=1000')).epoch).toBe(next.epoch);
});
