import type { Db, Tx } from '#storage/tx.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import { deliveryOf } from './store.ts';

/** One attempt to send a message. */
export interface Attempt {
  readonly attemptedAt: number;
  readonly durationMs: number;
  /** Method and host of the request. */
  readonly request: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** The start of the answer, without secrets; null when there was no answer, and for action calls. */
  readonly answer: string | null;
  readonly error: string | null;
}

/** The number of messages that one request redelivers at most. */
export const maxRedelivered = 1000;

export async function insertAttempt(tx: Tx, { id, integrationId }: Delivery, attempt: Attempt): Promise<void> {
  await tx.db
    .insertInto('delivery_attempts')
    .values({
      delivery_id: id,
      integration_id: integrationId,
      attempted_at: attempt.attemptedAt,
      duration_ms: attempt.durationMs,
      request: attempt.request,
      status: attempt.status,
      answer: attempt.answer,
      error: attempt.error,
    })
    .execute();
}

/** Lists the attempts of a delivery, newest first, up to a hundred. */
export function attemptsOf(db: Db, deliveryId: number): Promise<Attempt[]> {
  return attemptsOfAll(db, [deliveryId]);
}

/** Lists the attempts of deliveries, newest first, up to a hundred. */
export async function attemptsOfAll(
  db: Db,
  deliveryIds: readonly number[],
): Promise<(Attempt & { readonly deliveryId: number })[]> {
  if (deliveryIds.length === 0) return [];
  return db
    .selectFrom('delivery_attempts')
    .select(['delivery_id as deliveryId', 'attempted_at as attemptedAt', 'duration_ms as durationMs'])
    .select(['request', 'status', 'answer', 'error'])
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

/** Lists the deliveries of an integration, newest first, before the delivery with the id `before` (keyset paging). */
export async function listDeliveries(
  db: Db,
  integrationId: number,
  page: { readonly state?: DeliveryState | undefined; readonly before?: number | undefined; readonly limit: number },
): Promise<Delivery[]> {
  let query = db.selectFrom('deliveries').selectAll().where('integration_id', '=', integrationId);
  if (page.state !== undefined) query = query.where('state', '=', page.state);
  if (page.before !== undefined) query = query.where('id', '<', page.before);
  return (await query.orderBy('id', 'desc').limit(page.limit).execute()).map(deliveryOf);
}

export async function findDelivery(db: Db, integrationId: number, id: number): Promise<Delivery | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('integration_id', '=', integrationId)
    .executeTakeFirst();
  return row && deliveryOf(row);
}

/** Counts the waiting and the dead messages of integrations, by integration. */
export async function countUnsent(db: Db): Promise<Map<number, { readonly waiting: number; readonly dead: number }>> {
  const rows = await db
    .selectFrom('deliveries')
    .select((eb) => ['integration_id', 'state', eb.fn.countAll<number>().as('count')])
    .where('integration_id', 'is not', null)
    .where('state', 'in', ['waiting', 'dead'])
    .groupBy(['integration_id', 'state'])
    .execute();
  const counts = new Map<number, { waiting: number; dead: number }>();
  for (const { integration_id, state, count } of rows) {
    const of = counts.get(Number(integration_id)) ?? { waiting: 0, dead: 0 };
    of[state === 'dead' ? 'dead' : 'waiting'] = Number(count);
    counts.set(Number(integration_id), of);
  }
  return counts;
}

/** The messages to redeliver: one, all dead letters, or all delivered and dead messages since an event or a time. */
export type Selection =
  | { readonly id: number }
  | { readonly failed: true }
  | { readonly sinceEventId: number }
  | { readonly since: number };

/**
 * Queues settled messages again, oldest first: {@link maxRedelivered} at most. Returns their number, and the last event
 * among them.
 */
export async function redeliver(
  tx: Tx,
  integrationId: number,
  selection: Selection,
  lifetimeMs: number,
): Promise<{ readonly redelivered: number; readonly lastEventId: number | null }> {
  let query = tx.db
    .selectFrom('deliveries')
    .select(['id', 'event_id'])
    .where('integration_id', '=', integrationId)
    .where('event_id', 'is not', null);
  if ('id' in selection) query = query.where('id', '=', selection.id).where('state', '<>', 'waiting');
  else if ('failed' in selection) query = query.where('state', '=', 'dead');
  else {
    query = query.where('state', '<>', 'waiting');
    query =
      'since' in selection
        ? query.where('created_at', '>=', selection.since)
        : query.where('event_id', '>=', selection.sinceEventId);
  }
  const found = await query.orderBy('id').limit(maxRedelivered).execute();
  const ids = found.map(({ id }) => id);
  return { redelivered: await queueAgain(tx, ids, lifetimeMs), lastEventId: found.at(-1)?.event_id ?? null };
}

/** Queues settled messages again, with the same message ids. Returns their number. */
export async function queueAgain(tx: Tx, ids: readonly number[], lifetimeMs: number): Promise<number> {
  if (ids.length === 0) return 0;
  const queued = await tx.db
    .updateTable('deliveries')
    .set({
      state: 'waiting',
      failures: 0,
      next_attempt_at: tx.now,
      expires_at: tx.now + lifetimeMs,
      settled_at: null,
    })
    .where('id', 'in', ids)
    .where('state', '<>', 'waiting')
    .returning('id')
    .execute();
  return queued.length;
}
