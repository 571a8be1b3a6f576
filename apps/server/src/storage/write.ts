import type { Author } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Appended, BulkRow, BulkTable, Engine, Lane, Transaction } from './engine/engine.ts';
import { insertJobs } from './insert-jobs.ts';
import { recordEvents } from './record-events.ts';
import type { CounterName, EventRow } from './tables/events.ts';
import { openTx, type Requested, type Tx } from './tx.ts';

export type Change<T> = (tx: Tx) => Promise<T>;

/** Asked of every change that recorded events, before it commits: what it throws undoes the change, what it does is part of it. */
export type BeforeCommit = (tx: Tx, done: Readonly<Pick<Requested, 'events' | 'group'>>) => Promise<void>;

/** Why a write records no event. Each is data that comes in by itself, not something somebody changed. */
export type QuietReason =
  | 'signal ingest'
  | 'usage metrics'
  | 'sessions'
  | 'password links'
  | 'last seen'
  | 'lifecycle'
  | 'interface state'
  | 'deliveries'
  | 'jobs'
  | 'retention';

export interface Writer {
  /**
   * The only way to change data. Rows, events and jobs commit together or not at all; when this resolves, they
   * are durable and this process's caches have seen the events. A change that touches rows and records no
   * event is refused; one that touches nothing records nothing.
   */
  write<T>(author: Author, change: Change<T>): Promise<T>;
  /** Writes data that has no event by its nature. */
  writeQuietly<T>(reason: QuietReason, author: Author, change: Change<T>): Promise<T>;
  /** Has `check` asked of every change from now on, in the order in which they were given. */
  beforeCommit(check: BeforeCommit): void;
  /** Calls `wake` whenever this process has committed jobs. */
  onEnqueue(wake: () => void): void;
  /** Like {@link writeQuietly} for rows that are only numbered and added: see `Engine.append`. */
  append(reason: QuietReason, counter: CounterName, into: BulkTable, rows: readonly BulkRow[]): Promise<Appended>;
}

export function createWriter(engine: Engine, feed: ChangeFeed, clock: Clock): Writer {
  const waitingForJobs: (() => void)[] = [];
  const checks: BeforeCommit[] = [];
  async function run<T>(lane: Lane, author: Author, change: Change<T>, quiet: boolean): Promise<T> {
    const done = await engine.transact(lane, (transaction) =>
      attempt(transaction, author, clock.now(), change, quiet ? 'quiet' : checks),
    );
    if (done.events.length > 0) {
      engine.announce();
      await feed.committed(done.events);
    }
    for (const wake of done.wakes) wake();
    if (done.enqueued) for (const wake of waitingForJobs) wake();
    return done.value;
  }
  return {
    write: (author, change) => run('changes', author, change, false),
    beforeCommit: (check) => void checks.push(check),
    onEnqueue: (wake) => void waitingForJobs.push(wake),
    append: (_reason, counter, into, rows) => engine.append(counter, into, rows, clock.now()),
    writeQuietly: (reason, author, change) => run(laneOf(reason), author, change, true),
  };
}

/**
 * Notes of when something was last seen touch many of the rows that changes touch, in an order of their own: they
 * take their turn among the changes, or the two could deadlock. So do sessions, of which a user may have only so many,
 * and which a change of the password ends.
 */
const amongChanges: ReadonlySet<QuietReason> = new Set([
  'last seen',
  'lifecycle',
  'interface state',
  'sessions',
  'password links',
]);

function laneOf(reason: QuietReason): Lane {
  return amongChanges.has(reason) ? 'changes' : 'ingest';
}

interface Done<T> {
  readonly value: T;
  readonly events: readonly EventRow[];
  readonly wakes: readonly (() => void)[];
  readonly enqueued: boolean;
}

async function attempt<T>(
  transaction: Transaction,
  author: Author,
  now: number,
  change: Change<T>,
  checks: readonly BeforeCommit[] | 'quiet',
): Promise<Done<T>> {
  const { tx, requested } = openTx(transaction, author, now);
  const before = transaction.changedRows();
  try {
    const value = await change(tx);
    if (requested.events.length > 0) await check(tx, requested, checks);
    else if (checks !== 'quiet') {
      await Promise.all(requested.unawaited);
      if (transaction.changedRows() > before) throw new Error('a change that records no event cannot commit');
    }
    await insertJobs(tx, requested.jobs);
    const events = requested.events.length > 0 ? await recordEvents(transaction, tx, requested) : [];
    await Promise.all(requested.unawaited);
    return { value, events, wakes: requested.wakes, enqueued: requested.jobs.length > 0 };
  } catch (error) {
    // None of it may reach the database when the change is over, and another one has begun. What failed there is why what
    // was asked after it failed too.
    const failed = (await Promise.allSettled(requested.unawaited)).find(({ status }) => status === 'rejected');
    throw failed?.status === 'rejected' ? failed.reason : error;
  }
}

async function check(tx: Tx, requested: Requested, checks: readonly BeforeCommit[] | 'quiet'): Promise<void> {
  if (checks === 'quiet') throw new Error('a quiet write must not record events');
  for (const one of checks) await one(tx, requested);
}
