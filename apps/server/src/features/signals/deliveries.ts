import type { RequestInfo } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Tx } from '../../storage/tx.ts';
import type { Incoming, Signal } from './signal.ts';

const maxKeyLength = 255;

/** What the sender calls a delivery; undefined when it gives it no name. A 400 when the name is too long. */
export function deliveryKeyOf(request: Pick<RequestInfo, 'header'>): string | undefined {
  // An empty name is none: taken for one, it would make all deliveries with it the same.
  const key = request.header('idempotency-key') || request.header('webhook-id') || undefined;
  if (key === undefined || key.length <= maxKeyLength) return key;
  throw new Problem('BadDataError', `The key of a delivery may have at most ${maxKeyLength} characters.`);
}

/** How long a repeated delivery is recognised (docs/spec#repeated-deliveries). */
export const rememberedDays = 1;
const rememberedMs = rememberedDays * 24 * 60 * 60 * 1000;

/** Signals that deliveries of these names have stored within 24 hours, by `<endpoint id> <key>`. */
export async function findDeliveries(tx: Tx, incoming: readonly Incoming[], now: number): Promise<Map<string, Signal>> {
  const rows = await tx.db
    .selectFrom('signal_deliveries as d')
    .innerJoin('signals as s', 's.id', 'd.signal_id')
    .select(['d.endpoint_id', 'd.delivery_key', 's.id', 's.token_id', 's.created_at', 's.payload'])
    .where('d.delivery_key', 'in', keysOf(incoming))
    .where('d.endpoint_id', 'in', [...new Set(incoming.map((one) => one.endpointId))])
    .where('d.created_at', '>', now - rememberedMs)
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
      },
    ]),
  );
}

/** Makes room for names whose 24 hours are over. */
export async function forgetDeliveries(tx: Tx, incoming: readonly Incoming[], now: number): Promise<void> {
  if (incoming.length === 0) return;
  await tx.db
    .deleteFrom('signal_deliveries')
    .where('delivery_key', 'in', keysOf(incoming))
    .where('endpoint_id', 'in', [...new Set(incoming.map((one) => one.endpointId))])
    .where('created_at', '<=', now - rememberedMs)
    .execute();
}

export async function saveDeliveries(tx: Tx, stored: readonly { incoming: Incoming; signal: Signal }[]): Promise<void> {
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

function keysOf(incoming: readonly Incoming[]): string[] {
  return [...new Set(incoming.flatMap(({ deliveryKey }) => deliveryKey ?? []))];
}
