import { normalizedText, sourceOf } from '#features/signals/signal-sources/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { itemAt } from '#kernel/lists.ts';
import { advanceCounter } from '#storage/counter.ts';
import type { Database } from '#storage/database.ts';
import type { BulkRow } from '#storage/engine.ts';
import type { Tx } from '#storage/tx.ts';
import { redactionOf, requireEndpoint, takesSignals } from '../endpoints/index.ts';
import {
  type AcceptedSignal,
  appendSignal,
  appendSignals,
  deleteExpiredDeliveries,
  findDeliveries,
  type IncomingSignal,
  recogniseRepetitions,
  type Signal,
  saveDeliveries,
  signalTable,
  testTokenId,
} from '../log/index.ts';
import type { OnStored } from '../silence/index.ts';
import { type Payload, redacted } from './body.ts';

const author: Author = { actor: systemActor, cause: {} };

/**
 * The result for a signal. `reused key`: nothing was stored, because its sender has used its key for another payload.
 */
export type StoredResult = AcceptedSignal | 'reused key';

/**
 * Stores signals in the given order in one transaction. Returns the first signal for a repeated delivery. An empty
 * group, which only a probe makes, commits too: it updates the time of the counter and stores no row.
 *
 * A signal is answered once it is durable, so the round trips to the database are most of its time. Without delivery
 * keys there is one (`append`), instead of begin and counter, insert, commit. Keyed signals need a transaction, which
 * looks for earlier deliveries: 0.65 of the rate on PostgreSQL and 0.58 on SQLite
 * (`bench/results/2026-11-25-1405-e46dcd0da5.json`). A statement that does both would be another path to read.
 */
export async function storeSignals(
  database: Database,
  group: readonly IncomingSignal[],
  now: number,
): Promise<StoredResult[]> {
  if (group.some(({ delivery }) => delivery !== undefined)) {
    return database.writeQuietly('signal ingest', author, (tx) => storeDeliveries(tx, group, now));
  }
  const append = (rows: BulkRow[]) => database.append('signal ingest', 'signal', signalTable, rows);
  if (group.length === 0) await append([]);
  const stored = await appendSignals(group, append);
  return stored.map((signal) => ({ signal, duplicate: false }));
}

/**
 * Stores the test signal of a user and records an event. Rejects with 404 when the endpoint does not exist or is
 * disabled. `onStored` is called with the endpoint once the signal is durable.
 */
export async function storeTestSignal(
  tx: Tx,
  endpointId: number,
  payload: Payload,
  onStored: OnStored,
): Promise<Signal> {
  const endpoint = await requireEndpoint(tx.db, endpointId);
  const { id, name } = endpoint;
  if (!takesSignals(endpoint, tx.now)) throw new Problem('NotFoundError', `The signal endpoint ${name} is disabled.`);
  const { text, value } = redacted(payload, await redactionOf(tx.db, endpoint));
  const normalized = normalizedText(sourceOf(endpoint), value, () => undefined, null);
  const sent = { endpointId, tokenId: testTokenId, payload: text, normalized };
  const signal = await appendSignal(sent, (rows) => tx.append('signal', signalTable, rows));
  tx.record({ type: 'signal-endpoint-tested', data: { id, name, signalId: signal.id } });
  tx.afterCommit(() => onStored([endpointId]));
  return signal;
}

async function storeDeliveries(tx: Tx, group: readonly IncomingSignal[], now: number): Promise<StoredResult[]> {
  // The counter is locked first: until this transaction commits, no other process can store the same delivery.
  // Statements run in the order in which they are sent. Those that do not need the results of each other share a round
  // trip, which is most of the time on PostgreSQL.
  const [{ last }, known] = await Promise.all([
    advanceCounter(tx.db, 'signal', 0, now),
    findDeliveries(tx, group, now),
  ]);
  if (known.hasExpired) await deleteExpiredDeliveries(tx, group, now);
  const recognised = recogniseRepetitions(group, known);
  const fresh = group.filter((_, index) => itemAt(recognised, index).kind === 'new');
  // The counter is locked, so the ids are known before the signals are stored.
  const named = fresh.map((incoming, index) => ({ incoming, signalId: last + 1 + index }));
  const [stored] = await Promise.all([
    appendSignals(fresh, (rows) => tx.append('signal', signalTable, rows)),
    saveDeliveries(tx, named, now),
  ]);
  const signalOf = new Map(fresh.map((incoming, index) => [incoming, itemAt(stored, index)]));
  return group.map((incoming, index) => {
    const result = itemAt(recognised, index);
    if (result.kind === 'reused key') return result.kind;
    if (result.kind === 'new') return { signal: signalOf.get(incoming) as Signal, duplicate: false };
    const { of } = result;
    return { signal: 'id' in of ? of : (signalOf.get(of) as Signal), duplicate: true };
  });
}
