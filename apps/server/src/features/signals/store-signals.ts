import { type Author, systemActor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import { advanceCounter } from '../../storage/counter.ts';
import type { Database } from '../../storage/database.ts';
import type { Appended, BulkRow, BulkTable } from '../../storage/engine.ts';
import type { Tx } from '../../storage/tx.ts';
import { requireEndpoint } from './commands.ts';
import { findDeliveries, forgetDeliveries, saveDeliveries } from './deliveries.ts';
import { type Accepted, type Incoming, type Signal, testTokenId } from './signal.ts';

const author: Author = { actor: systemActor, cause: {} };
const signals: BulkTable = {
  table: 'signals',
  columns: [
    ['id', 'integer'],
    ['created_at', 'integer'],
    ['endpoint_id', 'integer'],
    ['token_id', 'integer'],
    ['payload', 'long text'],
  ],
};

/** Stores a group of signals, in its order, in one transaction. Repeated deliveries answer with the first signal. */
export function storeSignals(database: Database, group: readonly Incoming[], now: number): Promise<Accepted[]> {
  if (group.some(({ deliveryKey }) => deliveryKey !== undefined)) {
    return database.writeQuietly('signal ingest', author, (tx) => storeDeliveries(tx, group, now));
  }
  return add(group, (rows) => database.append('signal ingest', 'signal', signals, rows));
}

/**
 * Stores what a person sends to try an endpoint, which the log tells of. Refuses as the endpoint would: 404 when there is
 * none or it is disabled. `stored` is told of the endpoint once the signal is durable.
 */
export async function storeTest(
  tx: Tx,
  endpointId: number,
  payload: string,
  stored: (endpointIds: readonly number[]) => void,
): Promise<Signal> {
  const { id, name, enabled } = await requireEndpoint(tx.db, endpointId);
  if (!enabled) throw new Problem('NotFoundError', `The signal endpoint ${name} is disabled.`);
  const incoming = { endpointId, tokenId: testTokenId, payload, deliveryKey: undefined };
  const [accepted] = await add([incoming], (rows) => tx.append('signal', signals, rows));
  const { signal } = accepted as Accepted;
  tx.record({ type: 'signal-endpoint-tested', data: { id, name, signalId: signal.id } });
  tx.afterCommit(() => stored([endpointId]));
  return signal;
}

async function storeDeliveries(tx: Tx, group: readonly Incoming[], now: number): Promise<Accepted[]> {
  // The counter's lock comes first: until this commits no other process can store the same delivery.
  await advanceCounter(tx.db, 'signal', 0, now);
  const known = await findDeliveries(tx, group, now);
  const firsts = new Map<string, Incoming>();
  const fresh = group.filter((incoming) => {
    const name = deliveryName(incoming);
    if (name === undefined) return true;
    if (known.has(name) || firsts.has(name)) return false;
    firsts.set(name, incoming);
    return true;
  });
  const accepted = await add(fresh, (rows) => tx.append('signal', signals, rows));
  const signalOf = new Map(fresh.map((incoming, index) => [incoming, (accepted[index] as Accepted).signal]));
  const named = [...firsts.values()].map((incoming) => ({ incoming, signal: signalOf.get(incoming) as Signal }));
  await forgetDeliveries(tx, [...firsts.values()], now);
  await saveDeliveries(tx, named);
  return group.map((incoming) => {
    const own = signalOf.get(incoming);
    if (own !== undefined) return { signal: own, duplicate: false };
    const name = deliveryName(incoming) as string;
    return { signal: known.get(name) ?? (signalOf.get(firsts.get(name) as Incoming) as Signal), duplicate: true };
  });
}

async function add(group: readonly Incoming[], append: (rows: BulkRow[]) => Promise<Appended>): Promise<Accepted[]> {
  if (group.length === 0) return [];
  const { first, at } = await append(group.map(({ endpointId, tokenId, payload }) => [endpointId, tokenId, payload]));
  return group.map(({ endpointId, tokenId, payload }, index) => {
    return { signal: { id: first + index, endpointId, tokenId, createdAt: at, payload }, duplicate: false };
  });
}

function deliveryName(incoming: Incoming): string | undefined {
  return incoming.deliveryKey === undefined ? undefined : `${incoming.endpointId} ${incoming.deliveryKey}`;
}
