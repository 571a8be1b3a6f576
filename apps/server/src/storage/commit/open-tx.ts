import type { Author } from '#kernel/actor.ts';
import type { Transaction } from '../engine.ts';
import type { Change, EventGroup, NewEvent, NewJob, Tx, TxMembers } from '../tx.ts';

/** An event with the change that recorded it, which may be a nested change. */
export interface RecordedEvent {
  readonly event: NewEvent;
  readonly change: PendingWrites;
}

/** Events, jobs and wake-ups that a change has requested and that are written or called when it ends. */
export interface PendingWrites {
  readonly by: Author;
  readonly recorded: RecordedEvent[];
  group: EventGroup | null;
  /** True when the change may commit rows without an event. */
  eventless: boolean;
  readonly jobs: NewJob[];
  /** The jobs that replace those queued, by unique key; undefined where a job is only deleted. */
  readonly replacements: Map<string, NewJob | undefined>;
  readonly wakes: (() => void)[];
}

type RunNested = <T>(by: Author, change: Change<T>) => Promise<{ value: T; pending: PendingWrites }>;

/** Opens the handle of a change. `runNested` runs nested changes; their pending writes are added when they succeed. */
export function openTx(
  transaction: Transaction,
  by: Author,
  now: number,
  runNested: RunNested,
): { tx: Tx; pending: PendingWrites } {
  const pending: PendingWrites = {
    by,
    recorded: [],
    group: null,
    eventless: false,
    jobs: [],
    replacements: new Map(),
    wakes: [],
  };
  const tx: TxMembers = {
    db: transaction.db,
    by,
    now,
    record: (event) => void pending.recorded.push({ event, change: pending }),
    joinGroup: (group) => {
      pending.group = group;
    },
    enqueue: (job) => void pending.jobs.push(job),
    replaceJob: (uniqueKey, job) => void pending.replacements.set(uniqueKey, job && { ...job, uniqueKey }),
    afterCommit: (wake) => void pending.wakes.push(wake),
    nested: async (author, change) => {
      const { value, pending: nested } = await runNested(author, change);
      pending.recorded.push(...nested.recorded);
      pending.jobs.push(...nested.jobs);
      for (const [uniqueKey, job] of nested.replacements) pending.replacements.set(uniqueKey, job);
      pending.wakes.push(...nested.wakes);
      return value;
    },
    recorded: () => pending.recorded.map(({ event }) => event),
    allowNoEvents: () => {
      pending.eventless = true;
    },
    insertMany: (into, rows) => transaction.insertMany(into, rows),
    goOn: (send) => transaction.goOn(send),
    append: (counter, into, rows) => transaction.append(counter, into, rows, now),
  };
  return { tx: tx as Tx, pending };
}
