import { requireEpoch, requireReached } from '#features/log/event-feed/index.ts';
import { timeText } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { limitReached } from '#kernel/limits.ts';
import { type LogPosition, newestPosition } from '#storage/log-position.ts';
import type { Tx } from '#storage/tx.ts';
import {
  type Consumer,
  type ConsumerFilters,
  currentLease,
  eventData,
  inLog,
  isHiddenFrom,
  noFilters,
} from './consumer.ts';
import * as store from './store.ts';

/** Changes of a consumer; undefined fields stay. */
export type ConsumerChanges = {
  readonly [Key in keyof ConsumerFilters]?: ConsumerFilters[Key] | undefined;
} & {
  readonly description?: string | undefined;
  /** The new position. */
  readonly acknowledged?: number | 'newest' | undefined;
};

/** The maximum number of consumers: each is read by requests and shown on the metrics. */
const maxConsumers = 100;

/**
 * Creates the consumer `name`, or changes its given fields. Returns whether it is new. Rejects with 409 when there is
 * one that is hidden from the author.
 */
export async function putConsumer(
  tx: Tx,
  name: string,
  { description, acknowledged, ...filters }: ConsumerChanges,
): Promise<{ readonly consumer: Consumer; readonly isNew: boolean }> {
  const log = await newestPosition(tx.db);
  const position = acknowledged === 'newest' ? log.id : acknowledged;
  if (position !== undefined) requireReached('acknowledged', position, log.id);
  const stored = await store.findConsumer(tx.db, name);
  const before = stored && inLog(stored, log);
  if (before !== undefined && isHiddenFrom(before, hiddenFrom(tx))) {
    const message = `The event consumer ${name} is of projects that you cannot see. Choose another name.`;
    throw new Problem('ConflictError', message);
  }
  if (before === undefined) {
    const existing = await store.listConsumers(tx.db);
    if (existing.length >= maxConsumers)
      throw limitReached(maxConsumers, 'event consumers', 'Delete one that is no longer used.');
    const consumer: Consumer = {
      name,
      description: description ?? '',
      filters: withFilters(noFilters, filters),
      acknowledged: position ?? log.id,
      acknowledgedAt: null,
      epoch: log.epoch,
      lease: null,
      createdAt: tx.now,
    };
    await store.insertConsumer(tx, consumer);
    tx.record({
      type: 'event-consumer-created',
      data: { ...eventData(consumer), acknowledged: consumer.acknowledged },
    });
    return { consumer, isNew: true };
  }
  const consumer: Consumer = {
    ...before,
    description: description ?? before.description,
    filters: withFilters(before.filters, filters),
    ...(position === undefined ? {} : { acknowledged: position, acknowledgedAt: tx.now, lease: null }),
  };
  const isMoved = consumer.acknowledged !== before.acknowledged;
  const [preData, data] = [before, consumer].map((state) => ({
    ...eventData(state),
    ...(isMoved ? { acknowledged: state.acknowledged } : {}),
  }));
  if (JSON.stringify(preData) === JSON.stringify(data)) {
    tx.allowNoEvents('event consumers');
  } else {
    tx.record({ type: 'event-consumer-updated', preData, data });
  }
  await store.updateConsumer(tx, consumer);
  return { consumer, isNew: false };
}

/** Deletes a consumer. Rejects with 404 when there is none, or it is hidden from the author. */
export async function deleteConsumer(tx: Tx, name: string): Promise<void> {
  const consumer = await requireConsumer(tx, name, await newestPosition(tx.db));
  await store.deleteConsumer(tx, name);
  tx.record({ type: 'event-consumer-deleted', preData: eventData(consumer) });
}

/**
 * Leases the consumer to `worker` for `seconds`. Rejects with 404 when there is no such consumer, or it is hidden from
 * the author, and with 409 while another worker holds the lease.
 */
export async function leaseConsumer(tx: Tx, name: string, worker: string, seconds: number): Promise<Consumer> {
  const consumer = await requireConsumer(tx, name, await newestPosition(tx.db));
  const lease = currentLease(consumer, tx.now);
  if (lease !== null && lease.worker !== worker) throw heldBy(consumer, tx.now);
  const leased = { ...consumer, lease: { worker, until: tx.now + seconds * 1000 } };
  await store.updateConsumer(tx, leased);
  return leased;
}

/**
 * Moves the position of a consumer to `id`. Rejects with 404 as {@link leaseConsumer} does, with 409 unless `worker`
 * holds the lease, and with 400 when the log has not reached `id`, or `epoch` is given and is another one.
 */
export async function acknowledge(
  tx: Tx,
  name: string,
  worker: string,
  { id, epoch }: { readonly id: number; readonly epoch?: string | undefined },
): Promise<Consumer> {
  const log = await newestPosition(tx.db);
  const consumer = await requireConsumer(tx, name, log);
  requireEpoch('epoch', epoch, { epoch: log.epoch, newest: log.id });
  if (currentLease(consumer, tx.now)?.worker !== worker) throw heldBy(consumer, tx.now);
  requireReached('id', id, log.id);
  if (id <= consumer.acknowledged) return consumer;
  const moved = { ...consumer, acknowledged: id, acknowledgedAt: tx.now };
  await store.updateConsumer(tx, moved);
  return moved;
}

async function requireConsumer(tx: Tx, name: string, log: LogPosition): Promise<Consumer> {
  const consumer = await store.findConsumer(tx.db, name);
  if (consumer === undefined || isHiddenFrom(consumer, hiddenFrom(tx)))
    throw new Problem('NotFoundError', `There is no event consumer ${name}.`);
  return inLog(consumer, log);
}

const hiddenFrom = ({ by }: Tx): ReadonlySet<string> => by.hidden ?? new Set();

function heldBy(consumer: Consumer, now: number): Problem {
  const lease = currentLease(consumer, now);
  if (lease === null)
    return new Problem('ConflictError', `The lease of ${consumer.name} has ended. Poll again, then acknowledge.`);
  const seconds = Math.max(1, Math.ceil((lease.until - now) / 1000));
  const message = `The worker ${lease.worker} reads ${consumer.name} until ${timeText(lease.until, 'seconds')}.`;
  return new Problem('ConflictError', message, { headers: { 'retry-after': String(seconds) } });
}

function withFilters(before: ConsumerFilters, changes: Omit<ConsumerChanges, 'description' | 'acknowledged'>) {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}
