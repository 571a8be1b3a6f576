import { describe, expect, it } from 'vitest';
import { allProjects } from '#features/people/token-scopes/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { givenApplicationNamed } from '#testing/applications.ts';
import { givenFlag } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer, type TestStorage, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';
import { addCounts } from './count-store.ts';
import { usageScenarios } from './usage.scenarios.ts';
import { createUsage } from './usage.ts';
import { writeCounts } from './writers.ts';

const hourMs = 60 * 60 * 1000;

/** Runs `work` against a server, stops the server, which writes its buffers, and runs `read` against a new server. */
async function afterStop<T>(
  work: (server: TestServer, secret: string) => Promise<void>,
  read: (db: Db, server: TestServer) => Promise<T>,
): Promise<T> {
  const storage: TestStorage = await createStorage();
  const settings = { initAdminTokens: ['*:*.the-same-again'] };
  const first = await startServer(storage, settings);
  const { secret } = await givenToken(first, { environment: 'production' });
  try {
    await work(first, secret);
  } finally {
    await first.stop();
  }
  const second = await startServer(storage, settings);
  try {
    return await read(second.app.database.db, second);
  } finally {
    await second.stop();
    await storage.remove();
  }
}

const report = (server: TestServer, secret: string, toggles: object, more: object = {}, start: unknown = undefined) =>
  server.client(secret).call('POST /api/client/metrics', {
    body: { appName: 'app', instanceId: 'i', ...more, bucket: { start, stop: start, toggles } },
  });

describe('usage routes', () => testScenarios(useServer(), usageScenarios));

describe('POST /api/client/metrics', () => {
  it('adds up counts by flag, application and hour, in the environment of the token', async () => {
    let hour = 0;
    const { counts, variants } = await afterStop(
      async (server, secret) => {
        await givenFlag(server, { name: 'a' });
        await givenFlag(server, { name: 'b' });
        const now = server.clock.now();
        hour = now - (now % hourMs);
        const before = new Date(hour - 1).toISOString();
        await report(
          server,
          secret,
          { a: { yes: 1, no: 2, variants: { blue: 1 } } },
          { environment: 'development' },
          now,
        );
        await report(server, secret, { a: { yes: 10, no: 20, variants: { blue: 4, red: 5 } }, b: { yes: 1 } }, {}, now);
        await report(server, secret, { a: { yes: 100, no: 0, variants: null } }, { appName: 'other' }, now);
        await report(server, secret, { a: { yes: 1000, no: 0 } }, {}, before);
        expect((await report(server, secret, {})).status).toBe(202);
      },
      async (db) => ({
        counts: await db.selectFrom('client_metrics').selectAll().orderBy('yes').execute(),
        variants: await db.selectFrom('client_metric_variants').selectAll().orderBy('count').execute(),
      }),
    );
    const row = { feature_name: 'a', app_name: 'app', environment: 'production', hour };
    expect(counts).toEqual([
      { ...row, feature_name: 'b', yes: 1, no: 0 },
      { ...row, yes: 11, no: 22 },
      { ...row, app_name: 'other', yes: 100, no: 0 },
      { ...row, hour: hour - hourMs, yes: 1000, no: 0 },
    ]);
    expect(variants).toEqual([
      { ...row, variant: 'blue', count: 5 },
      { ...row, variant: 'red', count: 5 },
    ]);
  });

  it('sets the last-seen time of a flag, in total and in the environment', async () => {
    let at = 0;
    let featureName = '';
    const seen = await afterStop(
      async (server, secret) => {
        featureName = (await givenFlag(server)).featureName;
        at = server.clock.now();
        await report(server, secret, { [featureName]: { yes: 0, no: 3 }, 'not a flag': { yes: 1, no: 0 } });
      },
      async (_db, server) => {
        const route = 'GET /api/admin/projects/:projectId/features/:featureName';
        return (await server.admin.call(route, { params: { projectId: 'default', featureName } })).json;
      },
    );
    const seenIn = (name: string) =>
      seen.environments.find((environment: { name: string }) => environment.name === name).lastSeenAt;
    expect(seen.lastSeenAt).toBe(new Date(at).toISOString());
    expect(seenIn('production')).toBe(seen.lastSeenAt);
    expect(seenIn('development')).toBeNull();
  });

  it('calls onSeen for a new flag only after its last-seen time is stored', async () => {
    const seen: unknown[] = [];
    const reads = await afterStop(
      async (server) => {
        const { featureName } = await givenFlag(server);
        await givenApplicationNamed(server, 'app');
        const onError = (error: unknown) => seen.push(error);
        const onSeen = async (names: readonly string[], environment: string) => void seen.push({ names, environment });
        const options = { onError, beforeWrite: async () => undefined, onSeen };
        const { writer, add } = writeCounts(server.app.database, options);
        const hour = server.clock.now() - (server.clock.now() % hourMs);
        for (const environment of ['development', 'development', 'production']) {
          add({ featureName, appName: 'app', environment, hour, scope: allProjects }, { yes: 1, no: 0, variants: {} });
          await writer.flush();
          const { db } = server.app.database;
          const counted = await db.selectFrom('client_metrics').select('environment').orderBy('environment').execute();
          const seenIn = await db
            .selectFrom('feature_environments')
            .select('environment')
            .where('feature_name', '=', featureName)
            .where('last_seen_at', 'is not', null)
            .orderBy('environment')
            .execute();
          seen.push(seenIn.length);
          expect(seenIn).toEqual(counted);
        }
        await writer.stop();
      },
      async () => seen,
    );
    const names = [expect.any(String)];
    expect(reads).toEqual([{ names, environment: 'development' }, 1, 1, { names, environment: 'production' }, 2]);
  });

  it('handles lone surrogates, large counts and names of JavaScript properties', async () => {
    const most = 2 ** 31 - 1;
    const { counts, unknown } = await afterStop(
      async (server, secret) => {
        await givenFlag(server, { name: 'constructor' });
        await givenFlag(server, { name: 'busy' });
        await report(server, secret, { 'half \ud800': { yes: most, no: most } });
        await report(server, secret, { 'half \udfff': { yes: most, no: most } });
        for (let i = 0; i < 2; i++) await report(server, secret, { busy: { yes: most, no: 0 } });
        await report(server, secret, { constructor: { yes: 1, no: 0, variants: { toString: 1 } } });
      },
      async (db) => ({
        counts: await db.selectFrom('client_metrics').select(['feature_name', 'yes']).orderBy('yes').execute(),
        unknown: await db.selectFrom('application_unknown_flags').select('feature_name').execute(),
      }),
    );
    expect(counts).toEqual([
      { feature_name: 'constructor', yes: 1 },
      { feature_name: 'busy', yes: 2 * most },
    ]);
    expect(unknown).toEqual([{ feature_name: 'half \ufffd' }]);
  });

  it('stops counting at the largest exact integer', async () => {
    const full = Number.MAX_SAFE_INTEGER;
    const storage = await createStorage();
    const server = await startServer(storage);
    const { database } = server.app;
    await givenFlag(server, { name: 'f' });
    await givenApplicationNamed(server, 'a');
    const hour = Math.floor(Date.now() / hourMs) * hourMs;
    const count = {
      featureName: 'f',
      appName: 'a',
      environment: 'e',
      scope: allProjects,
      hour,
      yes: full,
      no: 1,
      variants: new Map(),
    };
    const author = { actor: { userId: 1, name: 'test' }, cause: {} };
    for (let i = 0; i < 2; i++) await database.writeQuietly('usage metrics', author, (tx) => addCounts(tx, [count]));
    const row = await database.db.selectFrom('client_metrics').select(['yes', 'no']).executeTakeFirst();
    await server.stop();
    await storage.remove();
    expect(row).toEqual({ yes: full, no: 2 });
  });
});

describe('usage of a flag that was deleted', () => {
  const server = useServer();
  const path = { projectId: 'default' };

  it('is not that of a new flag with its name, whether it was stored or not', async () => {
    const { featureName } = await givenFlag(server());
    const { secret } = await givenToken(server());
    const toggles = { [featureName]: { yes: 3, no: 2, variants: { blue: 3 } } };
    const body = { appName: 'app', bucket: { start: null, toggles } };
    const send = () => server().client(secret).call('POST /api/client/metrics', { body });
    await send();
    await server().app.service.usage.flush();
    await send();
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', {
      params: { ...path, featureName },
    });
    await server().admin.call('POST /api/admin/projects/:projectId/delete', {
      params: path,
      body: { features: [featureName] },
    });
    await givenFlag(server(), { name: featureName });
    await server().app.service.usage.flush();
    const call = { params: { name: featureName }, query: { hoursBack: 2184 } };
    const raw = await server().admin.call('GET /api/admin/client-metrics/features/:name/raw', call);
    expect(raw.json.data).toEqual([]);
    const flag = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', {
      params: { ...path, featureName },
    });
    expect(flag.json.lastSeenAt).toBeNull();
    await send();
    await server().app.service.usage.flush();
    const again = await server().admin.call('GET /api/admin/client-metrics/features/:name/raw', call);
    expect(again.json.data).toMatchObject([{ yes: 3, no: 2, variants: { blue: 3 } }]);
  });
});

describe('usage reported late', () => {
  const server = useServer();
  const dayMs = 24 * hourMs;

  /** Reports a bucket for each period, with 1, 2, 3… evaluations, and returns the stored counts with their hours. */
  async function countedFor(buckets: readonly { readonly start: unknown; readonly stop?: unknown }[]) {
    const { featureName } = await givenFlag(server());
    const { secret } = await givenToken(server());
    for (const [index, bucket] of buckets.entries()) {
      const body = { appName: 'app', bucket: { ...bucket, toggles: { [featureName]: { yes: index + 1, no: 0 } } } };
      expect((await server().client(secret).call('POST /api/client/metrics', { body })).status).toBe(202);
    }
    await server().app.service.usage.flush();
    const call = { params: { name: featureName }, query: { hoursBack: 2184 } };
    const { json } = await server().admin.call('GET /api/admin/client-metrics/features/:name/raw', call);
    return (json.data as { timestamp: string; yes: number }[]).map(({ timestamp, yes }) => [timestamp, yes]);
  }
  const startOfHour = (at: number) => new Date(at - (at % hourMs)).toISOString();
  const droppedCounts = async () =>
    Number(/^usage_counts_dropped_total (.*)$/m.exec((await server().admin.request('GET', '/metrics')).text)?.[1]);

  it('is counted in the hour of its start, up to three days back', async () => {
    // Run the roll-up that may be due after the start: later, it would move the oldest hour into its day.
    await server().app.service.jobs.runDue();
    const now = server().clock.now();
    const ages = [0, 5 * hourMs, 30 * hourMs, 3 * dayMs];
    const counted = await countedFor(ages.map((age) => ({ start: now - age, stop: now - age + 60_000 })));
    expect(counted).toEqual(ages.map((age, index) => [startOfHour(now - age), index + 1]));
  });

  it('is counted in the hour of its end when the start is too old or invalid', async () => {
    const now = server().clock.now();
    const counted = await countedFor([
      { start: now - 10 * dayMs, stop: now - 2 * hourMs },
      { start: 'yesterday', stop: new Date(now - hourMs) },
    ]);
    expect(counted).toEqual([
      [startOfHour(now - hourMs), 2],
      [startOfHour(now - 2 * hourMs), 1],
    ]);
  });

  it('is dropped, and counted in the metrics, when it is older than three days', async () => {
    const now = server().clock.now();
    const before = await droppedCounts();
    const counted = await countedFor([
      { start: now - 3 * dayMs - 1, stop: now - 3 * dayMs - 1 },
      { start: -8.64e15, stop: 'long ago' },
    ]);
    expect(counted).toEqual([]);
    expect((await droppedCounts()) - before).toBe(2);
  });

  it('is counted in the current hour without times, or when the SDK’s clock is ahead by any time', async () => {
    const now = server().clock.now();
    const ahead = [4 * 60_000, hourMs, 25 * hourMs, 400 * dayMs];
    const counted = await countedFor([
      { start: null },
      ...ahead.map((ms) => ({ start: now + ms, stop: now + ms + 60_000 })),
    ]);
    expect(counted).toEqual([[startOfHour(now), 15]]);
  });
});

describe('POST /api/client/register', () => {
  it('stores an instance by application, instance id and environment, and keeps known fields', async () => {
    const started = Date.parse('2026-01-01T00:00:00.000Z');
    const { applications, instances } = await afterStop(
      async (server, secret) => {
        const register = (body: object) =>
          server.client(secret).call('POST /api/client/register', { body: { appName: 'app', ...body } });
        await register({ instanceId: 'i', sdkVersion: 'sdk:1', started: new Date(started), strategies: ['b', 'a'] });
        await report(server, secret, { f: { yes: 1, no: 0 } });
        await register({ started: 'not a time', sdkVersion: null, interval: 'undefined' });
      },
      async (db) => ({
        applications: await db.selectFrom('client_applications').select(['app_name', 'strategies']).execute(),
        instances: await db.selectFrom('application_instances').selectAll().orderBy('instance_id').execute(),
      }),
    );
    expect(applications).toMatchObject([{ app_name: 'app' }]);
    const row = {
      app_name: 'app',
      environment: 'production',
      scope: '*',
      last_seen_at: expect.any(Number),
      sdk_type: 'backend',
      address: '127.0.0.1',
    };
    expect(instances).toEqual([
      { ...row, instance_id: 'default', sdk_version: null, started_at: null },
      { ...row, instance_id: 'i', sdk_version: 'sdk:1', started_at: started },
    ]);
  });

  it('records one event for an application, however often it registers', async () => {
    const events = await afterStop(
      async (server, secret) => {
        for (const appName of ['one', 'two', 'one']) {
          await server.client(secret).call('POST /api/client/register', { body: { appName, strategies: ['x'] } });
        }
      },
      async (db) => db.selectFrom('events').select('data').where('type', '=', 'application-created').execute(),
    );
    expect(events.map(({ data }) => JSON.parse(data ?? '').appName)).toEqual(['one', 'two']);
  });
});

describe('buffered usage', () => {
  it('is kept while the database is unavailable', async () => {
    const storage = await createStorage();
    const server = await startServer(storage);
    const { database } = server.app;
    const { featureName } = await givenFlag(server);
    const away = new Problem('ServiceUnavailableError', 'away');
    const errors: unknown[] = [];
    let isAway = true;
    const writeQuietly: Database['writeQuietly'] = (...write) =>
      isAway ? Promise.reject(away) : database.writeQuietly(...write);
    const usage = createUsage({ ...database, writeQuietly }, server.clock, {
      applicationLimit: 10,
      onError: (error) => errors.push(error),
    });
    const reporter = {
      appName: 'app',
      instanceId: 'i',
      environment: 'development',
      scope: allProjects,
      sdkVersion: null,
      sdkType: 'backend',
      address: null,
    } as const;
    const toggles = { [featureName]: { yes: 1, no: 2, variants: { v: 3 } } };
    usage.counted(reporter, { start: null, stop: null, toggles });
    await usage.stop();
    expect(new Set(errors)).toEqual(new Set([away]));
    usage.counted(reporter, { start: null, stop: null, toggles });
    isAway = false;
    await usage.stop();
    const { db } = database;
    const rows = {
      counts: await db.selectFrom('client_metrics').select(['yes', 'no']).execute(),
      variants: await db.selectFrom('client_metric_variants').select('count').execute(),
      instances: await db.selectFrom('application_instances').select('instance_id').execute(),
      seen: await db.selectFrom('features').select('name').where('last_seen_at', 'is not', null).execute(),
    };
    await server.stop();
    await storage.remove();
    expect(rows).toEqual({
      counts: [{ yes: 2, no: 4 }],
      variants: [{ count: 6 }],
      instances: [{ instance_id: 'i' }],
      seen: [{ name: featureName }],
    });
  });
});
