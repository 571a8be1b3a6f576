import type { Clock } from '../../kernel/clock.ts';
import { Batcher, type Outcome } from '../../storage/commit/batcher.ts';
import type { Database } from '../../storage/database.ts';
import type { AcceptedSignal, IncomingSignal } from './signal.ts';
import { storeSignals } from './store-signals.ts';

export interface Ingest {
  /**
   * Stores a signal and resolves once it is durable (docs/spec#send-a-signal). Signals that arrive during a commit
   * share the next one (group commit). Rejects with 503 and stores nothing when the database is unavailable.
   */
  accept(incoming: IncomingSignal): Promise<AcceptedSignal>;
  /** Resolves when every accepted request has been answered. */
  idle(): Promise<void>;
}

const maxGroup = 512;

/** `onStored` is called with the endpoints that received new signals, once the signals are durable. */
export function createIngest(
  database: Database,
  clock: Clock,
  onStored: (endpointIds: readonly number[]) => void,
): Ingest {
  const groups = new Batcher<IncomingSignal, AcceptedSignal>(async (incoming) => {
    const accepted = await storeSignals(database, incoming, clock.now());
    onStored([...new Set(accepted.flatMap(({ signal, duplicate }) => (duplicate ? [] : [signal.endpointId])))]);
    return accepted.map((value): Outcome<AcceptedSignal> => ({ ok: true, value }));
  }, maxGroup);
  return { accept: (incoming) => groups.add(incoming), idle: () => groups.idle() };
}
