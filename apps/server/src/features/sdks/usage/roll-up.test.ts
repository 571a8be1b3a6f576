import { describe, expect, it, vi } from 'vitest';
import { type Author, systemActor } from '#kernel/actor.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { givenFlag } from '#testing/flags.ts';
import { engine, type TestServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const author: Author = { actor: systemActor, cause: {} };
/** Selects the sessions that wait for a lock to change counts of days. */
const waiting = sql`select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%client_metrics_daily%'`;

const report = (server: TestServer, secret: string, toggles: object, start: number) =>
  server.client(secret).call('POST /api/client/metrics', {
    body: { appName: 'app', instanceId: 'i', bucket: { start, stop: start, toggles } },
  });

describe('counts older than three days', () => {
  const server = useServer();

  it('are returned by the day until they are deleted', async () => {
    const { featureName } = await givenFlag(server());
    const { secret } = await givenToken(server());
    const { clock, app } = server();
    clock.advance(dayMs - (clock.now() % dayMs) + 10 * hourMs);
    const began = clock.now();
    for (const yes of [1, 10]) {
      await report(server(), secret, { [featureName]: { yes, no: 2, variants: { v: yes } } }, clock.now());
      await app.service.usage.flush();
      clock.advance(hourMs);
    }
    const raw = async (hoursBack: number) => {
      const call = { params: { name: featureName }, query: { hoursBack } };
      return (await server().admin.call('GET /api/admin/client-metrics/features/:name/raw', call)).json.data;
    };
    expect(await raw(48)).toMatchObject([{ yes: 10 }, { yes: 1 }]);
    clock.advance(4 * dayMs);
    await app.service.jobs.runDue();
    expect(await raw(48)).toEqual([]);
    const day = new Date(began - (began % dayMs)).toISOString();
    expect(await raw(2184)).toMatchObject([{ timestamp: day, yes: 11, no: 4, variants: { v: 11 } }]);
    const usage = 'GET /api/admin/client-metrics/features/:name';
    const { json } = await server().admin.call(usage, { params: { name: featureName } });
    expect(json).toMatchObject({ lastHourUsage: [], seenApplications: ['app'] });
    expect(await app.database.db.selectFrom('client_metric_variants').selectAll().execute()).toEqual([]);
    clock.advance(92 * dayMs);
    await app.service.jobs.runDue();
    expect(await app.database.db.selectFrom('client_metrics_daily').selectAll().execute()).toEqual([]);
  });

  it.runIf(engine === 'postgres')(
    'are not lost when another process stores them while their hour is moved',
    async () => {
      const { featureName } = await givenFlag(server());
      const { database, service } = server().app;
      const day = server().clock.now() - (server().clock.now() % dayMs) - 10 * dayMs;
      const row = { feature_name: featureName, environment: 'development', no: 0 };
      const store = (tx: Tx, app_name: string, yes: number) =>
        tx.db
          .insertInto('client_metrics')
          .values({ ...row, hour: day, app_name, yes })
          .execute();
      await database.writeQuietly('usage metrics', author, (tx) => store(tx, 'app', 1));
      let moved: Promise<number> | undefined;
      await database.writeQuietly('usage metrics', author, async (tx) => {
        // The move waits for this row, which its first statement changes too.
        await tx.db
          .insertInto('client_metrics_daily')
          .values({ ...row, day, app_name: 'app', yes: 10 })
          .execute();
        // The job was last due an hour ago or later.
        server().clock.advance(hourMs);
        moved = service.jobs.runDue();
        await vi.waitUntil(async () => (await waiting.execute(database.db)).rows.length > 0, 5000);
        await database.writeQuietly('signal ingest', author, (other) => store(other, 'late', 100));
      });
      await moved;
      await service.jobs.runDue();
      const counts = await database.db.selectFrom('client_metrics_daily').selectAll().orderBy('app_name').execute();
      expect(counts).toMatchObject([
        { app_name: 'app', yes: 11 },
        { app_name: 'late', yes: 100 },
      ]);
    },
  );
});
