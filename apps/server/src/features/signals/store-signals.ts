import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import { firstOf, itemAt } from '../../kernel/lists.ts';
import { advanceCounter } from '../../storage/counter.ts';
import type { Database } from '../../storage/database.ts';
import type { Appended, BulkRow, BulkTable } from '../../storage/engine.ts';
import type { Tx } from '../../storage/tx.ts';
import { normalizedText, sourceOf } from '../signal-sources/index.ts';
import { type Payload, withoutDropped } from './body.ts';
import { requireEndpoint } from './commands.ts';
import { deleteExpiredDeliveries, findDeliveries, saveDeliveries } from './deliveries.ts';
import { maxElementsOf, takesSignals } from './endpoint.ts';
import { type AcceptedSignal, type IncomingSignal, type Signal, testTokenId } from './signal.ts';

const author: Author = { actor: systemActor, cause: {} };
const signals: BulkTable = {
  table: 'signals',
  columns: [
    ['id', 'integer'],
    ['created_at', 'integer'],
    ['endpoint_id', 'integer'],
    ['token_id', 'integer'],
    ['payload', 'long text'],
    ['normalized', 'text'],
  ],
};

/** Stores signals in the given order in one transaction. A repeated delivery returns the signal of the first. */
export function storeSignals(
  database: Database,
  group: readonly IncomingSignal[],
  now: number,
): Promise<AcceptedSignal[]> {
  if (group.some(({ deliveryKey }) => deliveryKey !== undefined)) {
    return database.writeQuietly('signal ingest', author, (tx) => storeDeliveries(tx, group, now));
  }
  return appendSignals(group, (rows) => database.append('signal ingest', 'signal', signals, rows));
}

/**
 * Stores the test signal of a user and records an event. Rejects with 404 when the endpoint does not exist or is
 * disabled. `onStored` is called with the endpoint once the signal is durable.
 */
export async function storeTestSignal(
  tx: Tx,
  endpointId: number,
  payload: Payload,
  onStored: (endpointIds: readonly number[]) => void,
): Promise<Signal> {
  const endpoint = await requireEndpoint(tx.db, endpointId);
  const { id, name } = endpoint;
  if (!takesSignals(endpoint, tx.now)) throw new Problem('NotFoundError', `The signal endpoint ${name} is disabled.`);
  const { text, value } = withoutDropped(payload, endpoint.dropped);
  const normalized = normalizedText(sourceOf(endpoint), value, maxElementsOf(endpoint), () => undefined);
  const incoming = { endpointId, tokenId: testTokenId, payload: text, normalized, deliveryKey: undefined };
  const { signal } = firstOf(await appendSignals([incoming], (rows) => tx.append('signal', signals, rows)));
  tx.record({ type: 'signal-endpoint-tested', data: { id, name, signalId: signal.id } });
  tx.afterCommit(() => onStored([endpointId]));
  return signal;
}

async function storeDeliveries(tx: Tx, group: readonly IncomingSignal[], now: number): Promise<AcceptedSignal[]> {
  // Lock the counter first: until this transaction commits, no other process can store the same delivery.
  await advanceCounter(tx.db, 'signal', 0, now);
  const knownSignals = await findDeliveries(tx, group, now);
  const firsts = new Map<string, IncomingSignal>();
  const fresh = group.filter((incoming) => {
    const id = deliveryId(incoming);
    if (id === undefined) return true;
    if (knownSignals.has(id) || firsts.has(id)) return false;
    firsts.set(id, incoming);
    return true;
  });
  const accepted = await appendSignals(fresh, (rows) => tx.append('signal', signals, rows));
  const signalOf = new Map(fresh.map((incoming, index) => [incoming, itemAt(accepted, index).signal]));
  const named = [...firsts.values()].map((incoming) => ({ incoming, signal: signalOf.get(incoming) as Signal }));
  await deleteExpiredDeliveries(tx, [...firsts.values()], now);
  await saveDeliveries(tx, named);
  return group.map((incoming) => {
    const own = signalOf.get(incoming);
    if (own !== undefined) return { signal: own, duplicate: false };
    const id = deliveryId(incoming) as string;
    return {
      signal: knownSignals.get(id) ?? (signalOf.get(firsts.get(id) as IncomingSignal) as Signal),
      duplicate: true,
    };
  });
}

async function appendSignals(
  group: readonly IncomingSignal[],
  append: (rows: BulkRow[]) => Promise<Appended>,
): Promise<AcceptedSignal[]> {
  if (group.length === 0) return [];
  const { first, at } = await append(
    group.map(({ endpointId, tokenId, payload, normalized }) => [endpointId, tokenId, payload, normalized]),
  );
  return group.map(({ endpointId, tokenId, payload, normalized }, index) => {
    return { signal: { id: first + index, endpointId, tokenId, createdAt: at, payload, normalized }, duplicate: false };
  });
}

function deliveryId(incoming: IncomingSignal): string | undefined {
  return incoming.deliveryKey === undefined ? undefined : `${incoming.endpointId} ${incoming.deliveryKey}`;
}
