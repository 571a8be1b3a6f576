import { WriteBehind } from '../../jobs/write-behind.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { KnownKeys } from './known-keys.ts';
import { saveUsedFlags, type UsedFlag } from './used-flag-store.ts';

const author: Author = { actor: systemActor, cause: {} };
const writeEveryMs = 5000;
/** How exact the times are: what an application evaluates all the time is written so often. */
const againMs = 10 * 60 * 1000;
const maxWaiting = 20_000;
const maxKnown = 100_000;

/** Notes which application evaluates which flags where, and writes what is new of it within seconds. */
export function writeUsedFlags(database: Database, onError: (error: unknown) => void, first: () => Promise<void>) {
  const known = new KnownKeys(maxKnown);
  let waiting = new Map<string, UsedFlag>();
  let leftOut = 0;
  const add = (key: string, used: UsedFlag) => {
    if (waiting.size < maxWaiting) waiting.set(key, used);
    else leftOut++;
  };
  const behind = new WriteBehind<ReadonlyMap<string, UsedFlag>>({
    delayMs: writeEveryMs,
    take: () => {
      if (leftOut > 0) onError(new Error(`there was no room to note ${leftOut} flags of applications`));
      leftOut = 0;
      const batch = waiting;
      waiting = new Map();
      return batch.size === 0 ? undefined : batch;
    },
    write: async (batch) => {
      await first();
      const saved = await database.writeQuietly('usage metrics', author, (tx) =>
        saveUsedFlags(tx, [...batch.values()]),
      );
      for (const used of saved) known.add(keyOf(used), used.seenAt);
    },
    giveBack: (batch) => {
      for (const [key, used] of batch) if (!waiting.has(key)) add(key, used);
    },
    onError,
  });
  return {
    behind,
    note: (appName: string, environment: string, featureNames: readonly string[], seenAt: number) => {
      for (const featureName of featureNames) {
        const used = { appName, environment, featureName, seenAt };
        const key = keyOf(used);
        if (!known.has(key, seenAt - againMs + 1)) add(key, used);
      }
      if (waiting.size > 0) behind.wake();
    },
  };
}

function keyOf({ appName, environment, featureName }: UsedFlag): string {
  // No name holds U+0000.
  return `${appName}\0${environment}\0${featureName}`;
}
