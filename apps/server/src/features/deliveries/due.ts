import type { Db } from '../../storage/tx.ts';
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
  const health = await healthOfAll(db);
  const oneAtATime = receivers.filter(({ id, ordered }) => ordered || health.get(id)?.pausedAt != null);
  const ready = oneAtATime.filter(({ id }) => (health.get(id)?.blockedUntil ?? 0) <= now);
  const due = await dueHeads(db, now, ready);
  for (const receiver of receivers)
    if (!oneAtATime.includes(receiver)) due.push(...(await dueMessages(db, now, receiver.id, maxPerReceiver)));
  return due;
}
