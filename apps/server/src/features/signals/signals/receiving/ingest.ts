import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { Batcher, type Outcome } from '#storage/commit/batcher.ts';
import type { Database } from '#storage/database.ts';
import type { AcceptedSignal, IncomingSignal } from '../log/index.ts';
import { storeSignals } from './store-signals.ts';

export interface Ingest {
  /**
   * Stores the signals of a request in one transaction, and resolves once they are durable (docs/spec#send-a-signal).
   * Requests that arrive during a commit share the next one (group commit). Rejects with 422 for a request whose
   * idempotency key its sender has used for another payload; with 503 when the database is unavailable. Stores nothing
   * then.
   */
  accept(incoming: readonly IncomingSignal[]): Promise<readonly AcceptedSignal[]>;
  /** Queues a request without signals, and resolves when its commit is durable. Stores nothing. */
  probe(): Promise<void>;
  /** Resolves when every accepted request has been answered. */
  idle(): Promise<void>;
}

/** The maximum number of signals in a commit. A request has fewer, so its signals are never split. */
const maxSignals = 512;

/**
 * Creates the ingest. `onStored` is called with the endpoints that received new signals, once the signals are durable.
 */
export function createIngest(
  database: Database,
  clock: Clock,
  onStored: (endpointIds: readonly number[]) => void,
): Ingest {
  const groups = new Batcher<readonly IncomingSignal[], readonly AcceptedSignal[]>(
    async (requests) => {
      const results = await storeSignals(database, requests.flat(), clock.now());
      const fresh = results.flatMap((result) => (result === 'reused key' || result.duplicate ? [] : [result.signal]));
      onStored([...new Set(fresh.map(({ endpointId }) => endpointId))]);
      let start = 0;
      return requests.map(({ length }): Outcome<readonly AcceptedSignal[]> => {
        start += length;
        const own = results.slice(start - length, start);
        const accepted = own.filter((result) => result !== 'reused key');
        return accepted.length < own.length ? { ok: false, error: reusedKey() } : { ok: true, value: accepted };
      });
    },
    maxSignals,
    ({ length }) => length,
  );
  return {
    accept: (incoming) => groups.add(incoming),
    probe: async () => {
      await groups.add([]);
    },
    idle: () => groups.idle(),
  };
}

/** A request with several signals has no key: headers do not count for it. */
function reusedKey(): Problem {
  return new Problem(
    'IdempotencyKeyError',
    'This idempotency key or delivery id came with another payload within 24 hours. Send another payload with a new key.',
  );
}
