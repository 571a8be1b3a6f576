import { join } from 'node:path';
import {
  type ReplicaMemory,
  readSnapshot,
  SnapshotUnusable,
  sourceOf,
  type Upstream,
  writeSnapshot,
} from '#features/sdks/replication/index.ts';
import type { Streams } from '#http/streams.ts';
import { WriteBehind } from '#jobs/write-behind.ts';
import { lockDirectory } from '#storage/sqlite/directory-lock.ts';
import { privateDirectory } from '#storage/sqlite/private-files.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { version } from './version.ts';

/** The delay of a write after a change: a snapshot that is some seconds old is brought up to date by the upstream. */
const writeAfterMs = 5000;

/**
 * Serves the flags that an earlier start has kept, if the settings name a directory, and keeps them from now on.
 * Rejects when another replica uses the directory. A snapshot that cannot be used is logged, and the upstream is waited
 * for. Resolves with a function that writes what has changed now.
 */
export async function keepSnapshot(
  {
    config,
    clock,
    log,
    lifetime,
    metrics,
  }: Pick<ServiceDependencies, 'config' | 'clock' | 'log' | 'lifetime' | 'metrics'>,
  memory: ReplicaMemory,
  streams: Streams,
  upstream: Upstream,
): Promise<() => Promise<void>> {
  const directory = config.snapshotDir;
  if (directory === undefined) return async () => undefined;
  privateDirectory(directory);
  const holder = `the replica of process ${process.pid}`;
  const lock = lockDirectory(directory, holder, 'give each replica a directory of its own');
  lifetime.onStop('lock of the snapshot', () => lock.release());
  const file = join(directory, 'replica.snapshot');
  const source = sourceOf(config.upstreamUrl, config.replicaToken ?? '');
  let writtenAt = 0;
  await readSnapshot(file, source).then(
    async (snapshot) => {
      if (snapshot === undefined) return;
      await memory.load(snapshot.state, streams);
      upstream.wasInSyncAt(snapshot.inSyncAt);
    },
    (error: unknown) => {
      if (!(error instanceof SnapshotUnusable)) throw error;
      log.error({ err: error }, 'the snapshot is not used');
    },
  );
  let isChanged = false;
  const writes = new WriteBehind<true>({
    delayMs: writeAfterMs,
    take: () => isChanged || undefined,
    write: async () => {
      isChanged = false;
      const state = await memory.toJson(version);
      if (state !== undefined) await writeSnapshot(file, { source, state, inSyncAt: clock.now() - upstream.behindMs });
      writtenAt = clock.now();
    },
    giveBack: () => undefined,
    onError: (error) => log.error({ err: error }, 'keeping the snapshot failed; the next change is kept'),
  });
  lifetime.onStop('snapshot', () => writes.stop());
  memory.onChanged(() => {
    isChanged = true;
    writes.wake();
  });
  metrics.watch(
    'gauge',
    'replica_snapshot_written_seconds',
    'Time at which the snapshot of the replica was written last, in seconds since 1970; 0 before the first',
    () => writtenAt / 1000,
  );
  return () => writes.flush();
}
