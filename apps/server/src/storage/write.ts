import type { Author } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ChangeFeed } from './change-feed.ts';
import { isConsequence } from './driver-errors.ts';
import type { Appended, Asked, BulkRow, BulkTable, Engine, Lane, Thing, Transaction } from './engine/engine.ts';
import { insertJobs, jobRows } from './insert-jobs.ts';
import { eventRows, recordEvents, recordInParts } from './record-events.ts';
import type { CounterName, EventRow } from './tables/events.ts';
import { type EventGroup, type NewEvent, openTx, type QuietReason, type Requested, type Tx } from './tx.ts';

export type Change<T> = (tx: Tx) => Promise<T>;

/**
 * Begun with every change, so that what it asks the database then goes there with what the change asks first. Answers the
 * check, which is made before a change that recorded events commits: what it throws undoes the change, what it does is
 * part of it.
 */
export type BeforeCommit = (tx: Tx) => Check;

export type Check = (done: Done) => Promise<void>;

/** What a change has recorded so far, without the changes within it, and what its events belong to. */
export interface Done {
  readonly events: readonly NewEvent[];
  readonly group: EventGroup | null;
}

export interface Writer {
  /**
   * The only way to change data. Rows, events and jobs commit together or not at all; when this resolves, they
   * are durable and this process's caches have seen the events. A change that touches rows and records no
   * event is refused; one that touches nothing records nothing. `change` may run a second time, with nothing of the first
   * stored: what it keeps outside must not mind.
   *
   * A change that is `about` one thing runs beside changes about others, when they come together. It must not read what a
   * change about another thing may write; that it writes only what is its own is seen to.
   */
  write<T>(author: Author, change: Change<T>, about?: Thing): Promise<T>;
  /**
   * {@link write} and then `read`, which answers what came of it. It begins as soon as the change is durable, while this
   * process's caches are still being told.
   */
  writeAndRead<T>(author: Author, change: Change<unknown>, read: () => Promise<T>, about?: Thing): Promise<T>;
  /** Writes data that has no event by its nature. */
  writeQuietly<T>(reason: QuietReason, author: Author, change: Change<T>): Promise<T>;
  /** Has every change from now on checked by `before`; those given earlier check first. */
  beforeCommit(before: BeforeCommit): void;
  /** Calls `wake` whenever this process has committed jobs. */
  onEnqueue(wake: () => void): void;
  /** Like {@link writeQuietly} for rows that are only numbered and added: see `Engine.append`. */
  append(reason: QuietReason, counter: CounterName, into: BulkTable, rows: readonly BulkRow[]): Promise<Appended>;
}

interface How {
  readonly lane: Lane;
  readonly author: Author;
  readonly quiet: boolean;
  readonly about?: Thing | undefined;
}

export function createWriter(engine: Engine, feed: ChangeFeed, clock: Clock): Writer {
  const waitingForJobs: (() => void)[] = [];
  const checks: BeforeCommit[] = [];
  async function commit<T, Told>(
    { lane, author, quiet, about }: How,
    change: Change<T>,
    answer: (value: T) => Promise<Told>,
  ): Promise<Told> {
    const done = await engine.transact(
      lane,
      (transaction) => attempt(transaction, author, clock.now(), change, quiet ? 'quiet' : checks),
      about,
    );
    const told = answer(done.value);
    // Waited for below; until then it is no failure that nobody handles.
    told.catch(() => undefined);
    if (done.events.length > 0) {
      engine.announce();
      await feed.committed(done.events);
    }
    for (const wake of done.wakes) wake();
    if (done.enqueued) for (const wake of waitingForJobs) wake();
    return told;
  }
  const itself = async <T>(value: T) => value;
  return {
    write: (author, change, about) => commit({ lane: 'changes', author, quiet: false, about }, change, itself),
    writeAndRead: (author, change, read, about) =>
      commit({ lane: 'changes', author, quiet: false, about }, change, read),
    beforeCommit: (before) => void checks.push(before),
    onEnqueue: (wake) => void waitingForJobs.push(wake),
    append: (_reason, counter, into, rows) => engine.append(counter, into, rows, clock.now()),
    writeQuietly: (reason, author, change) => commit({ lane: laneOf(reason), author, quiet: true }, change, itself),
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

interface Committing<T> {
  readonly value: T;
  readonly events: readonly EventRow[];
  readonly wakes: readonly (() => void)[];
  readonly enqueued: boolean;
}

type Checks = readonly BeforeCommit[] | 'quiet';

async function attempt<T>(
  transaction: Transaction,
  author: Author,
  now: number,
  change: Change<T>,
  checks: Checks,
): Promise<Asked<Committing<T>>> {
  const { tx, requested } = open(transaction, author, now, checks);
  return settling(requested, async () => {
    const value = await run(transaction, { tx, requested }, change, checks);
    const { recorded, jobs, wakes, unawaited } = requested;
    // What cannot be text throws here, where the change can still be undone alone.
    const [rows, texts] = [await eventRows(recorded), jobRows(jobs, now)];
    const first = await recordInParts(transaction, tx, rows);
    const last = [recordEvents(transaction, tx, first.left), insertJobs(tx, texts), ...unawaited] as const;
    return {
      answered: Promise.all(last).then(([events]) => ({
        value,
        events: first.events.length === 0 ? events : first.events.concat(events),
        wakes,
        enqueued: jobs.length > 0,
      })),
    };
  });
}

type Opened = ReturnType<typeof openTx>;

/** Opens a change. Those within it are parts of its transaction, and nothing of one is under way when it ends. */
function open(transaction: Transaction, author: Author, now: number, checks: Checks): Opened {
  return openTx(transaction, author, now, (by, inner) =>
    transaction.part(() => {
      const opened = open(transaction, by, now, checks);
      return settling(opened.requested, async () => {
        const value = await run(transaction, opened, inner, checks);
        await Promise.all(opened.requested.unawaited);
        return { value, requested: opened.requested };
      });
    }),
  );
}

/** Makes a change and has it checked. */
async function run<T>(
  transaction: Transaction,
  { tx, requested }: Opened,
  change: Change<T>,
  checks: Checks,
): Promise<T> {
  const before = transaction.changedRows();
  const begun = checks === 'quiet' ? [] : checks.map((check) => check(tx));
  const value = await change(tx);
  const { recorded, quiet } = requested;
  if (checks === 'quiet') {
    if (recorded.length > 0) throw new Error('a quiet write must not record events');
    return value;
  }
  if (recorded.length === 0 && !quiet) {
    await Promise.all(requested.unawaited);
    if (transaction.changedRows() > before) throw new Error('a change that records no event cannot commit');
  }
  for (const check of begun) {
    const events = ownEvents(requested);
    if (events.length > 0) await check({ events, group: requested.group });
  }
  return value;
}

/** Those within the change have been checked with it. */
function ownEvents(requested: Requested): NewEvent[] {
  return requested.recorded.flatMap(({ event, of }) => (of === requested ? [event] : []));
}

async function settling<T>({ unawaited }: Requested, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // None of it may reach the database when the change is over, and another one has begun. Of all that failed, what failed by
    // itself is why the rest did.
    const outcomes = await Promise.allSettled(unawaited);
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    throw [...reasons, error].find((reason) => !isConsequence(reason)) ?? error;
  }
}
