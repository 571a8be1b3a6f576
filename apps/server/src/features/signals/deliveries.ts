import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import type { ReadHeader, SignalSource } from '../signal-sources/index.ts';
import type { IncomingSignal, Signal } from './signal.ts';

const maxKeyLength = 255;

/**
 * Returns the idempotency key of a request: that of its headers, or the delivery id of the source. Throws a 400 when
 * the key is too long.
 */
export function deliveryKeyOf(header: ReadHeader, source: SignalSource, payload: unknown): string | undefined {
  // An empty key counts as no key: otherwise all deliveries with an empty key would be duplicates of each other.
  const key = header('idempotency-key') || header('webhook-id') || source.deliveryId?.(header, payload) || undefined;
  if (key === undefined || key.length <= maxKeyLength) return key;
  throw new Problem('BadDataError', `The idempotency key or delivery id may have at most ${maxKeyLength} characters.`);
}

/** The number of days that a repeated delivery is recognised (docs/spec#repeated-deliveries). */
export const deliveryRetentionDays = 1;
const deliveryRetentionMs = deliveryRetentionDays * 24 * 60 * 60 * 1000;

/** Returns the signals that deliveries with these keys stored within 24 hours, by `<endpoint id> <key>`. */
export async function findDeliveries(
  tx: Tx,
  incoming: readonly IncomingSignal[],
  now: number,
): Promise<Map<string, Signal>> {
  const rows = await tx.db
    .selectFrom('signal_deliveries as d')
    .innerJoin('signals as s', 's.id', 'd.signal_id')
    .select(['d.endpoint_id', 'd.delivery_key', 's.id', 's.token_id', 's.created_at', 's.payload', 's.normalized'])
    .where('d.delivery_key', 'in', keysOf(incoming))
    .where('d.endpoint_id', 'in', [...new Set(incoming.map(({ endpointId }) => endpointId))])
    .where('d.created_at', '>', now - deliveryRetentionMs)
    .execute();
  return new Map(
    rows.map((row) => [
      `${row.endpoint_id} ${row.delivery_key}`,
      {
        id: row.id,
        endpointId: row.endpoint_id,
        tokenId: row.token_id,
        createdAt: row.created_at,
        payload: row.payload,
        normalized: row.normalized,
      },
    ]),
  );
}

/** Deletes keys whose 24 hours are over, so that they can be stored again. */
export async function deleteExpiredDeliveries(tx: Tx, incoming: readonly IncomingSignal[], now: number): Promise<void> {
  if (incoming.length === 0) return;
  await tx.db
    .deleteFrom('signal_deliveries')
    .where('delivery_key', 'in', keysOf(incoming))
    .where('endpoint_id', 'in', [...new Set(incoming.map(({ endpointId }) => endpointId))])
    .where('created_at', '<=', now - deliveryRetentionMs)
    .execute();
}

export async function saveDeliveries(
  tx: Tx,
  stored: readonly { incoming: IncomingSignal; signal: Signal }[],
): Promise<void> {
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
    stored.map(({ incoming, signal }) => [
      incoming.endpointId,
      incoming.deliveryKey as string,
      signal.id,
      signal.createdAt,
    ]),
  );
}

function keysOf(incoming: readonly IncomingSignal[]): string[] {
  return [...new Set(incoming.flatMap(({ deliveryKey }) => deliveryKey ?? []))];
}
