import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { Grouper, type Outcome } from '../../storage/grouper.ts';
import type { Accepted, Incoming } from './signal.ts';
import { storeSignals } from './store-signals.ts';

export interface Ingest {
  /**
   * Stores a signal and resolves once it is durable (docs/spec#send-a-signal). Those that arrive while one commit is
   * being made share the next. Rejects with 503 when the database cannot take it; nothing is stored then.
   */
  accept(incoming: Incoming): Promise<Accepted>;
  /** Resolves when every signal in hand has been answered. */
  idle(): Promise<void>;
}

const maxGroup = 512;

/** `stored` is told which endpoints have got signals, once those are durable. */
export function createIngest(
  database: Database,
  clock: Clock,
  stored: (endpointIds: readonly number[]) => void,
): Ingest {
  const groups = new Grouper<Incoming, Accepted>(async (incoming) => {
    const accepted = await storeSignals(database, incoming, clock.now());
    stored([...new Set(accepted.flatMap(({ signal, duplicate }) => (duplicate ? [] : [signal.endpointId])))]);
    return accepted.map((value): Outcome<Accepted> => ({ ok: true, value }));
  }, maxGroup);
  return { accept: (incoming) => groups.add(incoming), idle: () => groups.idle() };
}
