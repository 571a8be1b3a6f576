import type { Clock } from '../../kernel/clock.ts';
import { Batcher, type Outcome } from '../../storage/commit/batcher.ts';
import type { Database } from '../../storage/database.ts';
import type { AcceptedSignal, IncomingSignal } from './signal.ts';
import { storeSignals } from './store-signals.ts';

export interface Ingest {
  /**
   * Stores the signals of a request in one transaction, and resolves once they are durable (docs/spec#send-a-signal).
   * Requests that arrive during a commit share the next one (group commit). Rejects with 503 and stores nothing when
   * the database is unavailable.
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
      const accepted = await storeSignals(database, requests.flat(), clock.now());
      onStored([...new Set(accepted.flatMap(({ signal, duplicate }) => (duplicate ? [] : [signal.endpointId])))]);
      let start = 0;
      return requests.map(({ length }): Outcome<readonly AcceptedSignal[]> => {
        start += length;
        return { ok: true, value: accepted.slice(start - length, start) };
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
