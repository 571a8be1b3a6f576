import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { KnownKeys } from './known-keys.ts';
import { saveUsedFlags, type UsedFlag } from './used-flag-store.ts';

const author: Author = { actor: systemActor, cause: {} };
const writeEveryMs = 5000;
/** The precision of the stored times: a flag that is evaluated all the time is written at this interval. */
const rewriteMs = 10 * 60 * 1000;
const maxPending = 20_000;
const maxKnown = 100_000;

/** Buffers which application evaluates which flags in which environment, and writes new entries within seconds. */
export function writeUsedFlags(
  database: Database,
  onError: (error: unknown) => void,
  beforeWrite: () => Promise<void>,
) {
  const known = new KnownKeys(database.feed, maxKnown);
  let pending = new Map<string, UsedFlag>();
  let dropped = 0;
  const enqueue = (key: string, used: UsedFlag) => {
    if (pending.size < maxPending) pending.set(key, used);
    else dropped++;
  };
  const writer = new WriteBehind<ReadonlyMap<string, UsedFlag>>({
    delayMs: writeEveryMs,
    take: () => {
      if (dropped > 0) onError(new Error(`the buffer of used flags is full: dropped ${dropped} entries`));
      dropped = 0;
      const batch = pending;
      pending = new Map();
      return batch.size === 0 ? undefined : batch;
    },
    write: async (batch) => {
      await beforeWrite();
      const saved = await database.writeQuietly('usage metrics', author, (tx) =>
        saveUsedFlags(tx, [...batch.values()]),
      );
      for (const used of saved) known.add(keyOf(used), used.seenAt);
    },
    giveBack: (batch) => {
      for (const [key, used] of batch) if (!pending.has(key)) enqueue(key, used);
    },
    onError,
  });
  return {
    writer,
    add: (reporter: Pick<UsedFlag, 'appName' | 'environment' | 'scope'>, names: readonly string[], seenAt: number) => {
      const { appName, environment, scope } = reporter;
      for (const featureName of names) {
        const used = { appName, environment, scope, featureName, seenAt };
        const key = keyOf(used);
        if (!known.has(key, seenAt - rewriteMs + 1)) enqueue(key, used);
      }
      if (pending.size > 0) writer.wake();
    },
  };
}

function keyOf({ appName, environment, featureName, scope }: UsedFlag): string {
  // Names cannot contain U+0000.
  return `${appName}\0${environment}\0${featureName}\0${scope.id}`;
}
