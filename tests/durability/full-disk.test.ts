import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useFixtures } from './fixtures.ts';
import { PostgresCluster } from './postgres-cluster.ts';
import type { Scene } from './scene.ts';
import { SmallDisk } from './small-disk.ts';
import { postgresStorage, sqliteStorage } from './storage.ts';
import { until } from './until.ts';

const { begin, onCleanUp } = useFixtures();

/** Starts a PostgreSQL server. Returns also a small disk and a directory on it, which PostgreSQL may write to. */
async function clusterWithSmallDisk(megabytes: number) {
  const cluster = await PostgresCluster.start();
  onCleanUp(() => cluster.stop());
  const disk = SmallDisk.mount(megabytes, cluster.directory);
  onCleanUp(() => disk.unmount());
  const directory = join(disk.path, 'files');
  mkdirSync(directory, { mode: 0o700 });
  // PostgreSQL runs as the owner of its directory, so that user must own this one too.
  const { uid, gid } = statSync(cluster.directory);
  chownSync(directory, uid, gid);
  return { cluster, disk, directory };
}

/** Fills the disk under load until signals and changes are refused, and expects reads to go on. */
async function fillUnderLoad(scene: Scene, disk: SmallDisk): Promise<void> {
  scene.startLoad();
  await scene.accepts(200, 20);
  disk.fill();
  await scene.refuses(100, 20);
  await scene.expectReads();
}

it('SQLite on a full disk answers 503, goes on reading, and recovers when there is room', async () => {
  const disk = SmallDisk.mount(48);
  onCleanUp(() => disk.unmount());
  const scene = await begin(sqliteStorage(disk.path));
  await fillUnderLoad(scene, disk);
  disk.free();
  const healedAfterMs = await scene.accepts();
  expect((await scene.finish()).storedThoughRefused).toBe(0);
  scene.report('full disk', { healedAfterMs });
});

it('SQLite that is killed on a full disk opens cleanly with all acknowledged changes', async () => {
  const disk = SmallDisk.mount(48);
  onCleanUp(() => disk.unmount());
  const scene = await begin(sqliteStorage(disk.path));
  await fillUnderLoad(scene, disk);
  await scene.kill();
  await scene.audit();
  disk.free();
  await scene.restart();
  expect((await scene.finish()).storedThoughRefused).toBe(0);
  scene.report('killed on a full disk');
});

it('a server answers 503 while a PostgreSQL tablespace is full, and recovers when there is room', async () => {
  const { cluster, disk, directory } = await clusterWithSmallDisk(64);
  await cluster.sql(`create tablespace small location '${directory}'`);
  await cluster.sql('create database small owner yardarm tablespace small');
  const url = cluster.url.replace(/\/yardarm$/, '/small');
  const scene = await begin(postgresStorage(url, 'public'));
  await fillUnderLoad(scene, disk);
  disk.free();
  const healedAfterMs = await scene.accepts();
  expect((await scene.finish()).storedThoughRefused).toBe(0);
  scene.report('full tablespace', { healedAfterMs });
});

it('a server answers 503 while PostgreSQL is stopped because its log has no room', async () => {
  const { cluster, disk, directory } = await clusterWithSmallDisk(96);
  const log = join(cluster.directory, 'data', 'pg_wal');
  await cluster.halt();
  execFileSync('sh', ['-c', 'cp -a "$1"/. "$2" && rm -r "$1" && ln -s "$2" "$1"', 'sh', log, directory]);
  await cluster.resume();
  const scene = await begin(postgresStorage(cluster.url, 'public'));
  scene.startLoad({ bytes: 90_000 });
  await scene.accepts(50, 5);
  disk.fill();
  await scene.refuses(20, 5, 60_000);
  disk.free();
  let gaveUp = false;
  const before = scene.ledger.acknowledged;
  await until('signals and changes to be accepted again', 30_000, async () => {
    // PostgreSQL may have stopped itself. A person would then start it again.
    if (!cluster.isRunning) {
      gaveUp = true;
      await cluster.resume();
    }
    const now = scene.ledger.acknowledged;
    return now.signals > before.signals && now.changes > before.changes;
  });
  await scene.finish();
  scene.report('full log', { gaveUp });
});
