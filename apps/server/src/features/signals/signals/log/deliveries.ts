import { sql, type Tx } from '#storage/tx.ts';
import type { IncomingSignal, Signal } from './signal.ts';

/** The number of days that a repeated delivery is recognised (docs/spec#repeated-deliveries). */
export const deliveryRetentionDays = 1;
const deliveryRetentionMs = deliveryRetentionDays * 24 * 60 * 60 * 1000;

/** The signals of earlier deliveries with the same keys. */
export interface StoredDeliveries {
  /** The signals that were stored within 24 hours, by {@link placeOf} of their keys. */
  readonly signals: ReadonlyMap<string, Signal>;
  /** Whether there are keys whose 24 hours are over, or whose signals are deleted. */
  readonly hasExpired: boolean;
}

/** Returns a key with its endpoint, as one text. */
export function placeOf(endpointId: number, key: string): string {
  return `${endpointId} ${key}`;
}

/** Returns the stored deliveries with the keys of these. */
export async function findDeliveries(
  tx: Tx,
  incoming: readonly IncomingSignal[],
  now: number,
): Promise<StoredDeliveries> {
  const rows = await tx.db
    .selectFrom('signal_deliveries as d')
    .leftJoin('signals as s', (join) => join.onRef('s.id', '=', 'd.signal_id').on('d.created_at', '>', oldest(now)))
    .select(['d.endpoint_id', 'd.delivery_key', 's.id', 's.token_id', 's.created_at', 's.payload', 's.normalized'])
    .where(isAmong(incoming))
    .execute();
  const signals = new Map<string, Signal>();
  for (const { endpoint_id: endpointId, delivery_key: key, ...row } of rows) {
    const { id, token_id: tokenId, created_at: createdAt, payload, normalized } = row;
    if (id === null || tokenId === null || createdAt === null || payload === null) continue;
    signals.set(placeOf(endpointId, key), { id, endpointId, tokenId, createdAt, payload, normalized });
  }
  return { signals, hasExpired: signals.size < rows.length };
}

/** Deletes keys whose 24 hours are over, or whose signals are deleted, so that they can be stored again. */
export async function deleteExpiredDeliveries(tx: Tx, incoming: readonly IncomingSignal[], now: number): Promise<void> {
  await tx.db
    .deleteFrom('signal_deliveries as d')
    .where(isAmong(incoming))
    .where(({ or, not, exists, eb, selectFrom }) =>
      or([
        eb('d.created_at', '<=', oldest(now)),
        not(exists(selectFrom('signals as s').select('s.id').whereRef('s.id', '=', 'd.signal_id'))),
      ]),
    )
    .execute();
}

/** Stores the keys of deliveries with the ids of their signals. */
export async function saveDeliveries(
  tx: Tx,
  stored: readonly { readonly incoming: IncomingSignal; readonly signalId: number }[],
  now: number,
): Promise<void> {
  const rows = stored.flatMap(({ incoming: { endpointId, delivery }, signalId }) =>
    (delivery?.keys ?? []).map((key) => [endpointId, key, signalId, now]),
  );
  if (rows.length === 0) return;
  await tx.insertMany(
    {
      table: 'signal_deliveries',
      columns: [
        ['endpoint_id', 'integer'],
        ['delivery_key', 'text'],
        ['signal_id', 'integer'],
        ['created_at', 'integer'],
      ],
    },
    rows,
  );
}

/** Returns the time at or before which stored keys have expired. */
function oldest(now: number): number {
  return now - deliveryRetentionMs;
}

/**
 * Returns the condition that a stored delivery `d` is one of these. The condition compares pairs of endpoint and key,
 * because PostgreSQL with two lists reads all keys of an endpoint while its statistics are out of date. The pairs are
 * padded to a power of two, so that few different statements are planned.
 */
function isAmong(incoming: readonly IncomingSignal[]) {
  const pairs = incoming.flatMap(({ endpointId, delivery }) =>
    [...(delivery?.keys ?? []), ...(delivery?.former ?? [])].map((key) => sql`(cast(${endpointId} as bigint), ${key})`),
  );
  const length = 2 ** Math.ceil(Math.log2(pairs.length));
  const padded = [...pairs, ...Array(length - pairs.length).fill(pairs[0])];
  return sql<boolean>`(d.endpoint_id, d.delivery_key) in (values ${sql.join(padded)})`;
}
