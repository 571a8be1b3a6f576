import type { Author } from '#kernel/actor.ts';
import { noteChange } from '#kernel/begun-changes.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ChangeFeed, Recorded } from '../change-feed.ts';
import type { Appended, BulkRow, BulkTable, Engine, Lane, Transaction } from '../engine.ts';
import type { CounterName } from '../tables/events.ts';
import type { Change, Db, EventGroup, NewEvent, QuietReason, Tx } from '../tx.ts';
import { insertJobs, jobRows } from './insert-jobs.ts';
import { openTx, type PendingWrites } from './open-tx.ts';
import { eventRows, recordEvents } from './record-events.ts';

/**
 * A hook for changes that record events. It runs in the transaction of the change, before the commit, and decides from
 * what it reads. It returns what remains to be done, if anything. All hooks read at the same time, so that a change
 * waits for the database once; then they act one after the other. When a hook throws, the change is rolled back. Rows
 * and events that a hook writes are part of the change, and the hooks after it read again.
 */
export type BeforeCommit = (change: ReadOnlyTx, recorded: RecordedEvents) => Promise<Act | undefined>;

/** A change as far as a hook may use it before it acts. */
export type ReadOnlyTx = Pick<Tx, 'by' | 'now'> & { readonly db: Db };

type Act = (tx: Tx) => Promise<void>;

/** The events that a change has recorded so far, without those of nested changes, and their group. */
export interface RecordedEvents {
  readonly events: readonly NewEvent[];
  readonly group: EventGroup | null;
}

export interface Writer {
  /**
   * Changes data. All changes that have events go through this function. Rows, events and jobs commit together or not
   * at all. When the promise resolves they are durable, and the caches of this process have handled the events.
   * Rejects, having stored nothing, when `change` throws, or when it changed rows without recording an event.
   *
   * @example
   * const link = await write(author, (tx) => addLink(tx, ref, body));
   */
  write<T>(author: Author, change: Change<T>): Promise<T>;
  /**
   * Writes data that has no events, such as sessions and usage counts.
   *
   * @example
   * await writeQuietly('log epoch', author, (tx) => storeTimeline(tx.db, now));
   */
  writeQuietly<T>(reason: QuietReason, author: Author, change: Change<T>): Promise<T>;
  /** Adds a hook that acts in each later change with events, also nested ones, after the hooks added earlier. */
  beforeCommit(hook: BeforeCommit): void;
  /** Calls `listener` whenever this process has committed jobs. */
  onEnqueue(listener: () => void): void;
  /** Appends numbered rows without events; see `Engine.append`. */
  append(reason: QuietReason, counter: CounterName, into: BulkTable, rows: readonly BulkRow[]): Promise<Appended>;
}

export function createWriter(engine: Engine, feed: ChangeFeed, clock: Clock): Writer {
  const jobListeners: (() => void)[] = [];
  const hooks: BeforeCommit[] = [];
  async function commit<T>(lane: Lane, author: Author, change: Change<T>, checks: Checks): Promise<T> {
    noteChange();
    const { value, recorded, wakes, enqueued } = await engine.transact(lane, (transaction) =>
      runChange(transaction, author, clock.now(), change, checks),
    );
    if (recorded !== undefined) {
      engine.announce('events');
      await feed.committed(recorded);
    }
    for (const wake of wakes) wake();
    if (enqueued) for (const listener of jobListeners) listener();
    return value;
  }
  return {
    write: (author, change) => commit('changes', author, change, hooks),
    writeQuietly: (reason, author, change) => commit(laneOf(reason), author, change, 'quiet'),
    beforeCommit: (hook) => void hooks.push(hook),
    onEnqueue: (listener) => void jobListeners.push(listener),
    append: (_reason, counter, into, rows) => engine.append(counter, into, rows, clock.now()),
  };
}

/**
 * Quiet writes that run in the lane of changes, one at a time. Last-seen times update many of the rows that changes
 * update, in another order, and would otherwise deadlock with them. Sessions are limited per user and end when the
 * password changes, one worker at a time leases an event consumer, and an epoch of the log begins once: two writes at
 * the same time could break these rules.
 */
const amongChanges: ReadonlySet<QuietReason> = new Set([
  'last seen',
  'lifecycle',
  'interface state',
  'sessions',
  'password links',
  'event consumers',
  'log epoch',
]);

function laneOf(reason: QuietReason): Lane {
  return amongChanges.has(reason) ? 'changes' : 'ingest';
}

interface Committed<T> {
  readonly value: T;
  /** Undefined when the change has recorded no event. */
  readonly recorded: Recorded | undefined;
  readonly wakes: readonly (() => void)[];
  readonly enqueued: boolean;
}

/** Hooks of a change, or `quiet` for a write that has no events. */
type Checks = readonly BeforeCommit[] | 'quiet';

/** Runs a change, then inserts its events and jobs: last, so that the counter of events is locked for a short time. */
export async function runChange<T>(
  transaction: Transaction,
  author: Author,
  now: number,
  change: Change<T>,
  checks: Checks,
): Promise<Committed<T>> {
  const { value, tx, pending } = await runChecked(transaction, author, now, change, checks);
  const rows = await eventRows(pending.recorded);
  const { replacements } = pending;
  const jobs = jobRows([...pending.jobs, ...[...replacements.values()].filter((job) => job !== undefined)], now);
  const [recorded] = await Promise.all([
    rows.length === 0 ? undefined : recordEvents(transaction, rows, now),
    insertJobs(tx, jobs, [...replacements.keys()]),
  ]);
  return { value, recorded, wakes: pending.wakes, enqueued: jobs.kinds.length > 0 };
}

/** Runs a change and its checks. Each nested change is checked like a change of its own. */
async function runChecked<T>(
  transaction: Transaction,
  author: Author,
  now: number,
  change: Change<T>,
  checks: Checks,
): Promise<{ readonly value: T; readonly tx: Tx; readonly pending: PendingWrites }> {
  const { tx, pending } = openTx(transaction, author, now, (by, nested) =>
    transaction.nested((part) => runChecked(part, by, now, nested, checks)),
  );
  const value = await change(tx);
  if (checks === 'quiet') {
    if (pending.recorded.length > 0) throw new Error('a quiet write must not record events');
    if (pending.replacements.size > 0) throw new Error('a quiet write must not replace jobs');
    return { value, tx, pending };
  }
  if (pending.recorded.length === 0 && !pending.eventless && (await transaction.changedRows()) > 0) {
    throw new Error('a change that records no event cannot commit');
  }
  await runHooks(checks, tx, () => ({
    events: pending.recorded.flatMap(({ event, change: by }) => (by === pending ? [event] : [])),
    group: pending.group,
  }));
  return { value, tx, pending };
}

async function runHooks(hooks: readonly BeforeCommit[], tx: Tx, recorded: () => RecordedEvents): Promise<void> {
  const first = recorded();
  if (first.events.length === 0) return;
  const started = hooks.map((hook) => hook(tx, first));
  // Avoids an unhandledRejection of a hook that is not awaited because one before it threw.
  for (const act of started) act.catch(() => undefined);
  let hasActed = false;
  for (const [index, hook] of hooks.entries()) {
    const act: Act | undefined = await (hasActed ? hook(tx, recorded()) : started[index]);
    hasActed ||= act !== undefined;
    await act?.(tx);
  }
}
