import { WriteBehind } from '../../jobs/write-behind.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { setSeen } from './store.ts';
import type { ApiToken } from './token.ts';

/** Remembers when tokens were last used and writes it down now and then. */
export interface SeenTokens {
  note(token: ApiToken): void;
  /** Writes what is not written yet. */
  stop(): Promise<void>;
}

interface Batch {
  readonly ids: Set<number>;
  /** When the last of them was used, which is what all of them get. */
  at: number;
}

/** How exact `seenAt` is, and how long it may be behind. */
const delayMs = 30_000;
const author: Author = { actor: systemActor, cause: {} };

export function createSeenTokens(database: Database, clock: Clock, onError: (error: unknown) => void): SeenTokens {
  let waiting: Batch = { ids: new Set(), at: 0 };
  const behind = new WriteBehind<Batch>({
    delayMs,
    take: () => {
      const batch = waiting;
      waiting = { ids: new Set(), at: 0 };
      return batch.ids.size === 0 ? undefined : batch;
    },
    write: ({ ids, at }) => database.writeQuietly('last seen', author, (tx) => setSeen(tx, [...ids], at)),
    giveBack: ({ ids, at }) => {
      waiting = { ids: ids.union(waiting.ids), at: Math.max(at, waiting.at) };
    },
    onError,
  });
  return {
    note: ({ id }) => {
      waiting.ids.add(id);
      waiting.at = clock.now();
      behind.wake();
    },
    stop: () => behind.stop(),
  };
}
