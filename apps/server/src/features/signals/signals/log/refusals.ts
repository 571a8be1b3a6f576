import type { RefusalReason } from '@yardarm/contract';
import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import type { RefusedRequest } from './refused-signals.ts';

/** Requests that an endpoint refused for one reason. */
export interface Refusal {
  /** Null for requests without a token of the endpoint. */
  readonly tokenId: number | null;
  readonly reason: RefusalReason;
  readonly count: number;
  readonly lastAt: number;
}

interface Pending {
  readonly endpointId: number;
  readonly tokenId: number;
  readonly reason: RefusalReason;
  count: number;
  lastAt: number;
}

const author: Author = { actor: systemActor, cause: {} };
/** The time between a refusal and its write: a killed process loses the counts of this time. */
const delayMs = 2000;
/** The token id that the table has for requests without a token of the endpoint. */
const noToken = 0;

/** Counts the refused requests of endpoints, so that administrators see what their senders lose. */
export class Refusals {
  readonly #clock: Clock;
  readonly #onCount: (refused: RefusedRequest) => void;
  readonly #writes: WriteBehind<Map<string, Pending>>;
  #pending = new Map<string, Pending>();

  /** `onCount` is called with each refused request. */
  constructor(
    database: Database,
    clock: Clock,
    onError: (error: unknown) => void,
    onCount: (refused: RefusedRequest) => void,
  ) {
    this.#clock = clock;
    this.#onCount = onCount;
    this.#writes = new WriteBehind({
      delayMs,
      take: () => {
        if (this.#pending.size === 0) return undefined;
        const batch = this.#pending;
        this.#pending = new Map();
        return batch;
      },
      write: (batch) => write(database, [...batch.values()]),
      giveBack: (batch) => {
        for (const refusal of batch.values()) this.#add(refusal);
      },
      onError,
    });
  }

  /** Counts a refused request. */
  count(refused: RefusedRequest): void {
    const { endpointId, tokenId, reason } = refused;
    this.#add({ endpointId, tokenId: tokenId ?? noToken, reason, count: 1, lastAt: this.#clock.now() });
    this.#writes.wake();
    this.#onCount(refused);
  }

  /** Counts a request that was refused for its body. Other errors are not counted. */
  countError(request: Omit<RefusedRequest, 'reason'>, error: unknown): void {
    const reason = error instanceof Problem ? reasonOf[error.status] : undefined;
    if (reason !== undefined) this.count({ ...request, reason });
  }

  /** Writes the pending counts now. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  /** Writes the pending counts and stops. */
  stop(): Promise<void> {
    return this.#writes.stop();
  }

  #add(more: Pending): void {
    const key = `${more.endpointId} ${more.tokenId} ${more.reason}`;
    const known = this.#pending.get(key);
    if (known === undefined) {
      this.#pending.set(key, { ...more });
      return;
    }
    known.count += more.count;
    known.lastAt = Math.max(known.lastAt, more.lastAt);
  }
}

const reasonOf: Readonly<Record<number, RefusalReason>> = {
  400: 'invalid body',
  413: 'too large',
  415: 'wrong media type',
  422: 'reused key',
};

function write(database: Database, batch: readonly Pending[]): Promise<void> {
  return database.writeQuietly('signal refusals', author, async (tx) => {
    // An endpoint may have been deleted since.
    const there = await tx.db
      .selectFrom('signal_endpoints')
      .select('id')
      .where('id', 'in', [...new Set(batch.map(({ endpointId }) => endpointId))])
      .execute();
    const ids = new Set(there.map(({ id }) => id));
    for (const { endpointId, tokenId, reason, count, lastAt } of batch.filter((refusal) =>
      ids.has(refusal.endpointId),
    )) {
      await tx.db
        .insertInto('signal_refusals')
        .values({ endpoint_id: endpointId, token_id: tokenId, reason, count, last_at: lastAt })
        .onConflict((conflict) =>
          conflict.columns(['endpoint_id', 'token_id', 'reason']).doUpdateSet((eb) => ({
            count: eb('signal_refusals.count', '+', count),
            last_at: lastAt,
          })),
        )
        .execute();
    }
  });
}

/** Returns the counts of an endpoint, the latest first. */
export async function listRefusals(db: Db, endpointId: number): Promise<Refusal[]> {
  const rows = await db
    .selectFrom('signal_refusals')
    .select(['token_id', 'reason', 'count', 'last_at'])
    .where('endpoint_id', '=', endpointId)
    .orderBy('last_at', 'desc')
    .orderBy('reason')
    .execute();
  return rows.map((row) => ({
    tokenId: row.token_id === noToken ? null : row.token_id,
    reason: row.reason as RefusalReason,
    count: row.count,
    lastAt: row.last_at,
  }));
}
