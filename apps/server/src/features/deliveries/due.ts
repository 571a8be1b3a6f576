import type { Db } from '../../storage/tx.ts';
import type { Delivery, Receiver } from './delivery.ts';
import { healthOfAll } from './health.ts';
import { dueCalls, dueHeads, dueMessages } from './store.ts';

/** The number of due calls that are read to find one whose host has capacity. */
const maxCallsRead = 200;
/** The maximum number of messages that are sent to one receiver at the same time, when their order does not matter. */
const maxPerReceiver = 4;

export interface Due {
  readonly integrations: readonly Delivery[];
  readonly calls: readonly Delivery[];
}

/**
 * Returns the messages that may be sent now. For an ordered or paused integration, this is the oldest message, once its
 * back-off has passed; for any other integration, a few messages. Action calls are included unless calls are `halted`.
 */
export async function dueDeliveries(
  db: Db,
  now: number,
  receivers: readonly Receiver[],
  halted: (db: Db) => Promise<boolean>,
): Promise<Due> {
  const calls = await dueCalls(db, now, maxCallsRead);
  return {
    calls: calls.length > 0 && (await halted(db)) ? [] : calls,
    integrations: receivers.length === 0 ? [] : await dueOfReceivers(db, now, receivers),
  };
}

async function dueOfReceivers(db: Db, now: number, receivers: readonly Receiver[]): Promise<Delivery[]> {
  const health = await healthOfAll(db);
  const oneAtATime = receivers.filter(({ id, ordered }) => ordered || health.get(id)?.pausedAt != null);
  const ready = oneAtATime.filter(({ id }) => (health.get(id)?.blockedUntil ?? 0) <= now);
  const due = await dueHeads(db, now, ready);
  for (const receiver of receivers)
    if (!oneAtATime.includes(receiver)) due.push(...(await dueMessages(db, now, receiver.id, maxPerReceiver)));
  return due;
}
