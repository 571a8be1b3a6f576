import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { queryPostgres } from '../../apps/server/testing/postgres.ts';
import { engines, useFixtures } from './fixtures.ts';
import { spawnServer } from './server-process.ts';
import type { Storage } from './storage.ts';
import { loadSettings, newAdminToken } from './target.ts';
import { until } from './until.ts';

/** A group commit waits 5 s for the lock. Changes that arrive meanwhile wait for that group, and then 5 s more. */
const longestAnswerMs = 11_000;

const { begin, onCleanUp, storage } = useFixtures();

/** Holds the lock that every change needs while `meanwhile` runs, as a backup tool or a person at a console may. */
const holdingTheLock = {
  sqlite: async ({ settings }: Storage, meanwhile: () => Promise<void>) => {
    const other = new DatabaseSync(join(settings.YARDARM_DATA_DIR ?? '', 'yardarm.db'), { timeout: 5000 });
    try {
      other.exec('begin immediate');
      await meanwhile();
    } finally {
      other.close();
    }
  },
  postgres: async ({ settings }: Storage, meanwhile: () => Promise<void>) =>
    queryPostgres(settings.DATABASE_URL ?? '', settings.DATABASE_SCHEMA ?? '', async (query) => {
      await query('begin');
      await query('lock table counters in share mode');
      await meanwhile();
    }),
};

it('a start waits for another process that migrates, longer than for other locks', async () => {
  const { settings } = await storage('postgres');
  const starting = await queryPostgres(settings.DATABASE_URL ?? '', 'public', async (query) => {
    await query('select pg_advisory_lock(7236)');
    const server = spawnServer({ ...settings, ...loadSettings(newAdminToken()) });
    onCleanUp(async () => {
      server.child.kill('SIGKILL');
      await server.ended;
    });
    // A busy machine is slow to load the program, so the time is counted from the message on, which comes after 5 s.
    const waiting = 'The migration waits for a lock that another session of PostgreSQL holds.';
    await until('the server to report that it waits', 30_000, () => server.output().includes(waiting));
    await pause(3000);
    expect(server.child.exitCode).toBeNull();
    expect(server.output()).not.toContain('serves on');
    return server;
  });
  await until('the server to start', 15_000, () => starting.output().includes('serves on'));
});

describe.each(engines)('a lock held by another session on %s', (engine) => {
  it('leads to 503 in time, and changes go on after its release', async () => {
    const scene = await begin(await storage(engine));
    scene.startLoad();
    await scene.accepts(20, 5);
    await holdingTheLock[engine](scene.storage, async () => {
      await scene.refuses(1, 1);
      await scene.expectReads();
    });
    const healedAfterMs = await scene.accepts(20, 5);
    await scene.finish();
    expect(scene.ledger.slowestMs).toBeLessThan(longestAnswerMs);
    scene.report('held lock', { healedAfterMs });
  });
});
