import type { Db } from '#storage/tx.ts';
import type { Delivery, Receiver } from './delivery.ts';
import { healthOfAll } from './health.ts';
import { dueHeads, dueMessages } from './store.ts';

/** The maximum number of messages that are sent to one receiver at the same time, when their order does not matter. */
const maxPerReceiver = 4;

/**
 * Returns the messages that may be sent now. For an ordered or paused integration, this is the oldest message, once its
 * back-off has passed; for any other integration, a few messages.
 */
export async function dueOfReceivers(db: Db, now: number, receivers: readonly Receiver[]): Promise<Delivery[]> {
  if (receivers.length === 0) return [];
  const heads = await dueHeads(db, now, receivers);
  // Read after the messages: a failure that is stored in between makes the next message the oldest, and blocks it.
  const health = await healthOfAll(db);
  const isOneAtATime = ({ id, ordered }: Receiver) => ordered || health.get(id)?.pausedAt != null;
  const isReady = (receiver: Receiver) => isOneAtATime(receiver) && (health.get(receiver.id)?.blockedUntil ?? 0) <= now;
  const ready = new Set(receivers.filter(isReady).map(({ id }) => id));
  const due = heads.filter(({ integrationId }) => integrationId !== null && ready.has(integrationId));
  for (const receiver of receivers)
    if (!isOneAtATime(receiver)) due.push(...(await dueMessages(db, now, receiver.id, maxPerReceiver)));
  return due;
}
