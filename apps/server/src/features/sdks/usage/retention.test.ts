import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Author, systemActor } from '#kernel/actor.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

const dayMs = 24 * 60 * 60 * 1000;
const author: Author = { actor: systemActor, cause: {} };

describe('retention of usage', () => {
  let storage: TestStorage;
  let server: TestServer;
  beforeAll(async () => {
    storage = await createStorage();
    server = await startServer(storage, { usageRetentionDays: 91 });
  });
  afterAll(async () => {
    await server.stop();
    await storage.remove();
  });

  it('deletes counts and instances that are too old, and no others', async () => {
    const now = server.clock.now();
    const { database, service } = server.app;
    const where = { app_name: 'app', environment: 'development', yes: 1, no: 0 };
    const rows = Array.from({ length: 2500 }, (_, n) => ({
      ...where,
      feature_name: `old-${n}`,
      day: now - 92 * dayMs + n,
    }));
    await database.writeQuietly('usage metrics', author, async (tx) => {
      for (let i = 0; i < rows.length; i += 500)
        await tx.db
          .insertInto('client_metrics_daily')
          .values(rows.slice(i, i + 500))
          .execute();
      await tx.db
        .insertInto('client_metrics_daily')
        .values({ ...where, feature_name: 'young', day: now - 90 * dayMs })
        .execute();
      const times = { first_seen_at: now, last_seen_at: now };
      await tx.db
        .insertInto('client_applications')
        .values({ app_name: 'app', strategies: '[]', announced: 0, described: 0, ...times })
        .execute();
      for (const [instance_id, days] of [
        ['gone', 31],
        ['here', 29],
      ] as const) {
        const instance = {
          app_name: 'app',
          environment: 'development',
          scope: '*',
          sdk_version: null,
          started_at: null,
          sdk_type: 'backend',
        };
        await tx.db
          .insertInto('application_instances')
          .values({ ...instance, instance_id, last_seen_at: now - days * dayMs })
          .execute();
      }
    });
    // The first run of the job may be over; the next run is an hour later.
    server.clock.advance(2 * 60 * 60 * 1000);
    await service.jobs.runDue();
    const left = await database.db.selectFrom('client_metrics_daily').select('feature_name').execute();
    expect(left.map((row) => row.feature_name)).toEqual(['young']);
    const instances = await database.db.selectFrom('application_instances').select('instance_id').execute();
    expect(instances.map((row) => row.instance_id)).toEqual(['here']);
  });
});
