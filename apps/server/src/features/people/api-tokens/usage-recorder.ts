import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { setSeen } from './store.ts';
import type { ApiToken } from './token.ts';

/** Records when API tokens were last used (write-behind: stored every 30 seconds). */
export interface TokenUsageRecorder {
  record(token: ApiToken): void;
  /** Writes the pending uses and stops. */
  stop(): Promise<void>;
}

interface Batch {
  readonly ids: Set<number>;
  /** The time of the last use of any token in the batch. It is stored for all of them. */
  at: number;
}

/** The interval of the writes, and so the precision of `seenAt`. */
const delayMs = 30_000;
const author: Author = { actor: systemActor, cause: {} };

export function createTokenUsageRecorder(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): TokenUsageRecorder {
  let pending: Batch = { ids: new Set(), at: 0 };
  const behind = new WriteBehind<Batch>({
    delayMs,
    take: () => {
      const batch = pending;
      pending = { ids: new Set(), at: 0 };
      return batch.ids.size === 0 ? undefined : batch;
    },
    write: ({ ids, at }) => database.writeQuietly('last seen', author, (tx) => setSeen(tx, [...ids], at)),
    giveBack: ({ ids, at }) => {
      pending = { ids: ids.union(pending.ids), at: Math.max(at, pending.at) };
    },
    onError,
  });
  return {
    record: ({ id }) => {
      pending.ids.add(id);
      pending.at = clock.now();
      behind.wake();
    },
    stop: () => behind.stop(),
  };
}
