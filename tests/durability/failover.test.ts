import { expect, it } from 'vitest';
import { TestStream } from '../../apps/server/testing/test-stream.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { useFixtures } from './fixtures.ts';
import { call, callApi, countEvents } from './http-call.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { until } from './until.ts';

const { cluster, onCleanUp } = useFixtures();

const token = `*:*.${'a1'.repeat(28)}`;
const lostChanges = 10;
const soonMs = 10_000;

type Features = { readonly features: readonly { readonly name: string; readonly enabled: boolean }[] };

const admin = <Body>(server: ServerProcess, method: string, path: string, body?: object) =>
  callApi<Body>(server.origin, { method, path: `/api/admin${path}`, token }, body);
const flags = '/projects/default/features';
const toggle = (server: ServerProcess, flag: string, state: 'on' | 'off') =>
  admin(server, 'POST', `${flags}/${flag}/environments/development/${state}`);

async function createToken(server: ServerProcess, tokenName: string) {
  return admin<{ id: number; secret: string }>(server, 'POST', '/api-tokens', {
    tokenName,
    type: 'backend',
    environment: 'development',
    projects: ['*'],
  });
}

/** Creates an administrator with a personal token. */
async function createAdministrator(server: ServerProcess) {
  const user = { username: 'leaver', password: 'A-Good-Passw0rd' };
  const { id } = await admin<{ id: number }>(server, 'POST', '/user-admin', { ...user, name: 'Leaver', rootRole: 1 });
  const login = await call(server.origin, { method: 'POST', path: '/auth/simple/login', body: JSON.stringify(user) });
  const cookie = login.headers?.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const { secret } = await callApi<{ secret: string }>(
    server.origin,
    { method: 'POST', path: '/api/admin/user/tokens', headers: { cookie } },
    { description: 'laptop', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
  );
  return { id, secret };
}

it('two servers drop their caches after a failover to a standby that lags, without a restart', async () => {
  const primary = await cluster();
  const standby = await primary.standby();
  onCleanUp(() => standby.stop());
  const proxy = await DatabaseProxy.start(primary.url);
  onCleanUp(() => proxy.stop());
  const env = { DATABASE_URL: proxy.urlOf(primary.url), INIT_ADMIN_API_TOKENS: token };
  const first = await startServer(env);
  onCleanUp(() => first.end('SIGKILL'));
  const second = await startServer(env);
  onCleanUp(() => second.end('SIGKILL'));
  const servers = [first, second];

  const sdk = await createToken(first, 'sdk');
  const deleted = await createToken(first, 'deleted later');
  const leaver = await createAdministrator(first);
  for (const name of ['kill-switch', 'other']) await admin(first, 'POST', flags, { name });
  await toggle(first, 'kill-switch', 'on');
  await until('the standby to have all changes', soonMs, async () => {
    const newest = `select value from public.counters where name = 'event'`;
    return (await primary.sql(`\\c yardarm\n${newest}`)) === (await standby.sql(`\\c yardarm\n${newest}`));
  });
  await standby.halt();

  for (let n = 0; n < lostChanges; n++) await toggle(first, 'other', n % 2 === 0 ? 'on' : 'off');
  const lost = await createToken(first, 'lost');
  const features = (server: ServerProcess, etag?: string) =>
    call(server.origin, {
      method: 'GET',
      path: '/api/client/features',
      token: sdk.secret,
      headers: etag === undefined ? {} : { 'if-none-match': etag },
    });
  const statusOf = async (server: ServerProcess, path: string, secret: string) =>
    (await call(server.origin, { method: 'GET', path, token: secret })).status;
  const streams = await Promise.all(
    servers.map((server) => TestStream.open(`${server.origin}/api/client/streaming`, { authorization: sdk.secret })),
  );
  onCleanUp(() => streams.map((stream) => stream.close()));
  for (const stream of streams) await stream.next();
  const etags = await Promise.all(servers.map(async (server) => (await features(server)).headers?.get('etag') ?? ''));
  for (const server of servers) {
    for (const secret of [deleted.secret, lost.secret])
      expect(await statusOf(server, '/api/client/features', secret)).toBe(200);
    expect(await statusOf(server, '/api/admin/projects', leaver.secret)).toBe(200);
  }

  await primary.crash();
  await standby.resume();
  await standby.promote();
  proxy.switchTo(standby.url);
  await until('the database to answer again', 30_000, async () => (await statusOf(first, '/ready', '')) === 200);

  // Writes the lost ids again, with other content, and beyond them.
  await toggle(first, 'kill-switch', 'off');
  await admin(first, 'DELETE', `/api-tokens/${deleted.id}`);
  await admin(first, 'DELETE', `/user-admin/${leaver.id}`);
  for (let n = 0; n <= lostChanges; n++) await toggle(first, 'other', n % 2 === 0 ? 'on' : 'off');

  for (const [index, server] of servers.entries()) {
    await until('the kill switch to be off', soonMs, async () => {
      const { status, body } = await features(server, etags[index]);
      return (
        status === 200 && (body as Features).features.find(({ name }) => name === 'kill-switch')?.enabled === false
      );
    });
    await until('deleted and lost tokens to be refused', soonMs, async () => {
      const statuses = await Promise.all([
        ...[deleted.secret, lost.secret].map((secret) => statusOf(server, '/api/client/features', secret)),
        statusOf(server, '/api/admin/projects', leaver.secret),
      ]);
      return statuses.every((status) => status === 401);
    });
    const metrics = String((await call(server.origin, { method: 'GET', path: '/metrics' })).body);
    expect(metrics).toMatch(/^event_log_went_back_total 1$/m);
    expect(await statusOf(server, '/ready', '')).toBe(200);
  }
  for (const stream of streams) {
    let type: unknown;
    while (type !== 'hydration') type = (await stream.next())?.data.events[0].type;
  }
  expect(await countEvents(first.origin, token, 'log-went-back')).toBe(1);
  for (const server of servers) expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
