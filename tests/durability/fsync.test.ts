import { expect, it } from 'vitest';
import { type FaultInjection, injectFaults } from './fault-injection.ts';
import { useFixtures } from './fixtures.ts';
import type { Scene } from './scene.ts';

const { begin, cluster, onCleanUp, storage } = useFixtures();

/** Starts a server on SQLite under load and makes every fsync fail. Resolves when requests have been answered 503. */
async function withFailingFsync(): Promise<{ scene: Scene; faults: FaultInjection }> {
  const scene = await begin(await storage('sqlite'));
  scene.startLoad();
  await scene.accepts(50, 10);
  const faults = await injectFaults([scene.server.pid], ['fsync', 'fdatasync'], 'EIO');
  onCleanUp(() => faults.end());
  await scene.refuses(100, 20);
  expect(faults.count()).toBeGreaterThan(0);
  return { scene, faults };
}

it('SQLite answers 503 while fsync fails, loses no acknowledged change, and recovers', async () => {
  const { scene, faults } = await withFailingFsync();
  await scene.expectReads();
  await faults.end();
  const healedAfterMs = await scene.accepts();
  await scene.accepts(50, 10);
  await scene.kill();
  await scene.audit();
  await scene.restart();
  const { storedThoughRefused } = await scene.finish();
  scene.report('fsync fails', { healedAfterMs, storedThoughRefused });
});

it('SQLite that is killed while fsync fails opens cleanly with all acknowledged changes', async () => {
  const { scene, faults } = await withFailingFsync();
  await scene.kill();
  await faults.end();
  await scene.audit();
  await scene.restart();
  const { storedThoughRefused } = await scene.finish();
  scene.report('killed while fsync fails', { storedThoughRefused });
});

it('a server answers 503 while PostgreSQL restarts after a failed fsync', async () => {
  const postgres = await cluster();
  const scene = await begin(await storage('postgres'));
  scene.startLoad();
  await scene.accepts(50, 10);
  // The processes that commit and write the log. Processes that PostgreSQL starts later have no faults.
  const committing = postgres.workers().filter(({ title }) => /: (yardarm|walwriter)/.test(title));
  const pids = committing.map(({ pid }) => pid);
  const faults = await injectFaults(pids, ['fsync', 'fdatasync'], 'EIO');
  onCleanUp(() => faults.end());
  await scene.refuses(1, 0);
  expect(faults.count()).toBeGreaterThan(0);
  const healedAfterMs = await scene.accepts();
  const { storedThoughRefused } = await scene.finish();
  scene.report('fsync fails', { healedAfterMs, storedThoughRefused });
});
