import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Delivery, DeliveryState, Receiver } from './delivery.ts';

/** A message to queue. */
export type NewDelivery = Pick<Delivery, 'messageId'> & {
  readonly integrationId?: number;
  readonly callId?: number;
  readonly eventId?: number;
};

/** Queues messages, to be sent after the transaction has committed. */
export async function queueDeliveries(tx: Tx, lifetimeMs: number, messages: readonly NewDelivery[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ messageId, integrationId = null, callId = null, eventId = null }) => ({
    message_id: messageId,
    integration_id: integrationId,
    call_id: callId,
    event_id: eventId,
    state: 'waiting',
    attempts: 0,
    failures: 0,
    status: null,
    details: null,
    next_attempt_at: tx.now,
    created_at: tx.now,
    expires_at: tx.now + lifetimeMs,
    settled_at: null,
  }));
  await tx.db.insertInto('deliveries').values(rows).execute();
}

/** Returns action calls that are due, oldest due time first, that come after the call `after`. */
export async function dueCalls(
  db: Db,
  { now, limit, after }: { readonly now: number; readonly limit: number; readonly after: Delivery | undefined },
): Promise<Delivery[]> {
  let query = db
    .selectFrom('deliveries')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('call_id', 'is not', null)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit);
  const at = after?.nextAttemptAt ?? 0;
  if (after !== undefined)
    query = query.where((eb) =>
      eb.or([eb('next_attempt_at', '>', at), eb.and([eb('next_attempt_at', '=', at), eb('id', '>', after.id)])]),
    );
  return (await query.execute()).map(deliveryOf);
}

/** Returns the oldest waiting message of each receiver, where the message is due. */
export async function dueHeads(db: Db, now: number, receivers: readonly Receiver[]): Promise<Delivery[]> {
  if (receivers.length === 0) return [];
  const ids = receivers.map(({ id }) => id);
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries as d')
        .select((oldest) => oldest.fn.min('d.id').as('id'))
        .where('d.state', '=', 'waiting')
        .where('d.integration_id', 'in', ids)
        .groupBy('d.integration_id'),
    )
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .execute();
  return rows.map(deliveryOf);
}

/** Returns the oldest due messages of a receiver that takes several at once. */
export async function dueMessages(db: Db, now: number, integrationId: number, limit: number): Promise<Delivery[]> {
  const rows = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('integration_id', '=', integrationId)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', now)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(deliveryOf);
}

/** Returns whether any message waits to be sent. */
export async function isAnyWaiting(db: Db): Promise<boolean> {
  const row = await db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Returns the first due time after now; undefined when no message waits for a later time. */
export async function nextDue(db: Db, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '>', now)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/**
 * Claims a message for an attempt. Returns false when another process has claimed it. If this process crashes, the
 * message is due again at `until`.
 */
export async function claim(tx: Tx, { id, attempts }: Delivery, until: number): Promise<boolean> {
  const claimed = await tx.db
    .updateTable('deliveries')
    .set({ attempts: attempts + 1, next_attempt_at: until })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .where('next_attempt_at', '<=', tx.now)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly state: DeliveryState;
  readonly failures: number;
  readonly status: number | null;
  readonly details: string;
  /** In milliseconds UTC; null when there is no further attempt. */
  readonly nextAttemptAt: number | null;
}

/** Saves the result of an attempt. Returns false when a later attempt has started or the message was deleted. */
export async function saveResult(tx: Tx, { id, attempts }: Delivery, result: AttemptResult): Promise<boolean> {
  const saved = await tx.db
    .updateTable('deliveries')
    .set({
      state: result.state,
      failures: result.failures,
      status: result.status,
      details: result.details,
      next_attempt_at: result.nextAttemptAt,
      settled_at: result.state === 'waiting' ? null : tx.now,
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts + 1)
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Makes a waiting message a dead letter without sending it. Returns whether it was waiting. */
export async function bury(tx: Tx, id: number, details: string): Promise<boolean> {
  const buried = await tx.db
    .updateTable('deliveries')
    .set({ state: 'dead', details, next_attempt_at: null, settled_at: tx.now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return buried !== undefined;
}

/** Makes all waiting messages due now. Only safe when no other process sends messages. */
export async function makeAllDue(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('deliveries')
    .set({ next_attempt_at: tx.now })
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '>', tx.now)
    .execute();
  await tx.db.updateTable('delivery_health').set({ blocked_until: 0 }).where('blocked_until', '>', 0).execute();
}

export function deliveryOf(row: Row<'deliveries'>): Delivery {
  return {
    id: row.id,
    messageId: row.message_id,
    integrationId: row.integration_id,
    callId: row.call_id,
    eventId: row.event_id,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    failures: row.failures,
    status: row.status,
    details: row.details,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    settledAt: row.settled_at,
  };
}
