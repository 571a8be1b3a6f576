import { isoTime } from '#kernel/clock.ts';
import type { LogPosition } from '#storage/log-position.ts';

/** The events that a consumer receives; null means all. */
export interface ConsumerFilters {
  readonly types: readonly string[] | null;
  readonly projects: readonly string[] | null;
  readonly environments: readonly string[] | null;
  readonly features: readonly string[] | null;
}

export const noFilters: ConsumerFilters = { types: null, projects: null, environments: null, features: null };

/** A named reader of the event log whose position the server keeps. Times are milliseconds UTC. */
export interface Consumer {
  readonly name: string;
  readonly description: string;
  readonly filters: ConsumerFilters;
  /** All events up to this id have been processed. */
  readonly acknowledged: number;
  readonly acknowledgedAt: number | null;
  /** The epoch of the log in which `acknowledged` is a position; null when an earlier version stored it. */
  readonly epoch: string | null;
  readonly lease: Lease | null;
  readonly createdAt: number;
}

/** The right of a worker to read and acknowledge the events of a consumer. */
export interface Lease {
  readonly worker: string;
  readonly until: number;
}

/** Returns whether all projects of a consumer are `hidden`, so that the consumer is hidden too. */
export function isHiddenFrom({ filters: { projects } }: Consumer, hidden: ReadonlySet<string>): boolean {
  return projects?.every((project) => hidden.has(project)) ?? false;
}

/**
 * Returns a consumer as answers show it, without projects that are `hidden` from the caller; `newest` is the
 * position of the newest event.
 */
export function presentConsumer(
  consumer: Consumer,
  newest: Pick<LogPosition, 'epoch' | 'id'>,
  now: number,
  hidden: ReadonlySet<string>,
) {
  const current = inLog(consumer, newest);
  const { name, description, filters, acknowledged, acknowledgedAt, createdAt } = current;
  const lease = currentLease(current, now);
  return {
    name,
    description,
    types: filters.types as never,
    projects: filters.projects?.filter((project) => !hidden.has(project)) ?? null,
    environments: filters.environments && [...filters.environments],
    features: filters.features && [...filters.features],
    acknowledged,
    epoch: newest.epoch,
    lag: Math.max(0, newest.id - acknowledged),
    worker: lease?.worker ?? null,
    leasedUntil: lease === null ? null : isoTime(lease.until),
    acknowledgedAt: acknowledgedAt === null ? null : isoTime(acknowledgedAt),
    createdAt: isoTime(createdAt),
  };
}

/**
 * Returns a consumer as it is in the log whose newest event is at `newest`. When the log went back, no worker has a
 * lease: what a worker has read may be other events than those that have the ids now.
 */
export function inLog(consumer: Consumer, newest: Pick<LogPosition, 'epoch' | 'id'>): Consumer {
  const { epoch } = newest;
  if (consumer.epoch === epoch || consumer.epoch === null) return { ...consumer, epoch };
  return { ...consumer, acknowledged: Math.min(consumer.acknowledged, newest.id), epoch, lease: null };
}

/** Returns the fields of a consumer that events record: not its position, which moves with each event. */
export function eventData({ name, description, filters }: Consumer) {
  return { name, description, ...filters };
}

/** Returns the lease that has not ended. */
export function currentLease({ lease }: Consumer, now: number): Lease | null {
  return lease !== null && lease.until > now ? lease : null;
}
