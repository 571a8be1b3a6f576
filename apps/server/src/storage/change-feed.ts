import type { Kysely } from 'kysely';
import { yieldToEventLoop } from '#kernel/event-loop.ts';
import { Loop } from '#kernel/loop.ts';
import { createMutex } from '#kernel/mutex.ts';
import {
  isSamePosition,
  type LogPosition,
  leadsThrough,
  lookAfter,
  newestPosition,
  positionOf,
} from './log-position.ts';
import type { EventRow } from './tables/events.ts';
import type { Tables } from './tables.ts';

/** A part of this process that follows the event log. When a returned promise rejects, the feed calls again. */
export interface FeedListener {
  /** Receives events in the order of their ids. The feed waits for the promise before it delivers further events. */
  events(events: readonly EventRow[]): void | Promise<void>;
  /**
   * Drops all that was derived from the database before, because the log went back: the state is another one now, and
   * the same ids may be written again. What is loaded from now on includes the event at `newest`.
   */
  reset(newest: LogPosition): void | Promise<void>;
}

/** The events that one change has recorded, and the newest event before them, read in the same transaction. */
export interface Recorded {
  readonly before: LogPosition;
  readonly events: readonly EventRow[];
}

/** A log that went back: the last position that was known, and the epoch that the look found. */
export interface StepBack {
  readonly known: LogPosition;
  readonly epoch: string;
}

/**
 * Begins a new epoch and records that the log went back, in one transaction, unless another process has begun one
 * meanwhile.
 */
export type BeginEpoch = (step: StepBack) => Promise<void>;

const pageSize = 500;
/** With more events than this, each listener runs in a separate turn of the event loop. */
const manyEvents = 1000;
/** The delay of a retry after a failure, unless new events come before. */
const retryMs = 1500;

interface Subscriber {
  readonly listener: FeedListener;
  /** The id of the last event that the listener has handled, and the epoch of that id. */
  seen: number;
  epoch: string;
}

/**
 * The change feed: delivers the committed events of all processes to the caches of this process. Event ids have no
 * gaps, so events that this process committed directly after the last event seen need no query. Each look at the log
 * checks that it still leads through the last event seen; when it went back, all listeners are reset (docs/adr, 95).
 */
export class ChangeFeed {
  readonly #db: Kysely<Tables>;
  readonly #beginEpoch: BeginEpoch;
  readonly #onError: (error: unknown) => void;
  readonly #subscribers: Subscriber[] = [];
  /** Events committed by this process and not yet delivered. */
  #committed: Recorded[] = [];
  /** The newest event that was read. */
  #position: LogPosition = { epoch: '', id: 0, at: null, digest: null };
  #seen = 0;
  /** The position that all listeners are being reset to. */
  #resettingTo: LogPosition | undefined;
  #resets = 0;
  #probe = 0;
  /** Deliveries run one at a time. */
  readonly #exclusively = createMutex();
  /** Reads and delivers events of other processes, and again what could not be delivered. */
  readonly #pulls: Loop;

  constructor(db: Kysely<Tables>, beginEpoch: BeginEpoch, onError: (error: unknown) => void) {
    this.#db = db;
    this.#beginEpoch = beginEpoch;
    this.#onError = onError;
    this.#pulls = new Loop({ round: () => this.catchUp(), onError, retryMs });
    this.#pulls.start();
  }

  /** The id of the last event that all listeners have handled: the revision of the caches. */
  get seen(): number {
    return this.#seen;
  }

  /** The epoch of the log that all listeners follow. */
  get epoch(): string {
    return this.#position.epoch;
  }

  /** How many times the log went back since the start of the process. */
  get resets(): number {
    return this.#resets;
  }

  /** The value of the counter of the loop probe at the last look whose events all listeners have handled. */
  get probe(): number {
    return this.#probe;
  }

  subscribe(listener: FeedListener): void {
    this.#subscribers.push({ listener, seen: this.#seen, epoch: this.#position.epoch });
  }

  /** Starts after the newest event; data that listeners load from now on includes it. */
  async start(): Promise<void> {
    this.#position = await newestPosition(this.#db);
    this.#seen = this.#position.id;
  }

  /**
   * Delivers events that this process has just committed and resolves when all listeners have handled them. Never
   * rejects, because the change is durable: the error of a listener is reported, and its events are delivered again.
   */
  committed(recorded: Recorded): Promise<void> {
    this.#committed.push(recorded);
    return this.#exclusively(() => this.#deliverCommitted()).catch((error) => {
      this.#onError(error);
      // On SQLite, nothing else would deliver the events before the next change.
      this.#pulls.wake(retryMs);
    });
  }

  /**
   * Reads and delivers events of other processes. Calls that arrive while a call is queued are coalesced. Does nothing
   * after {@link stop}: the database may be closed when an announcement arrives.
   */
  wake(): void {
    this.#pulls.wake();
  }

  /**
   * Reads and delivers the events that are not delivered yet, after the deliveries that run or wait. Rejects when
   * reading fails or a listener fails. A listener that failed in an earlier delivery gets its events again here.
   */
  catchUp(): Promise<void> {
    return this.#exclusively(() => this.#pull());
  }

  /** Resolves when no delivery is running. */
  async idle(): Promise<void> {
    await this.#pulls.settle();
    await this.#exclusively(async () => undefined);
  }

  /** Ignores other processes from now on, retries nothing, and resolves when no delivery is running. */
  async stop(): Promise<void> {
    await this.#pulls.stop();
    await this.idle();
  }

  /**
   * Delivers the events of all changes that shared a commit together. Looks at the log when they do not follow the last
   * event seen: also when its id would fit, but another event has it now.
   */
  async #deliverCommitted(): Promise<void> {
    const recorded = this.#committed;
    this.#committed = [];
    const events: EventRow[] = [];
    let reached = this.#position;
    if (this.#seen !== reached.id) return this.#pull();
    for (const { before, events: more } of recorded) {
      const last = more.at(-1);
      if (last === undefined) continue;
      if (!isSamePosition(before, reached)) return this.#pull();
      // A loop, because a large import has more events than a call may have arguments.
      for (const event of more) events.push(event);
      reached = positionOf(last, before.epoch);
    }
    if (events.length > 0) await this.#deliver(events);
  }

  async #pull(): Promise<void> {
    for (;;) {
      await this.#finishReset();
      const look = await lookAfter(this.#db, this.#position, this.#seen, pageSize);
      if (!leadsThrough(look, this.#position)) {
        await this.#startReset(look.epoch);
        continue;
      }
      if (look.events.length > 0) await this.#deliver(look.events);
      if (look.events.length < pageSize) {
        this.#probe = look.probe;
        return;
      }
    }
  }

  /**
   * Decides which position the listeners are reset to. Begins a new epoch unless another process has: an epoch that is
   * not later than the known one belongs to the log of before.
   */
  async #startReset(epoch: string): Promise<void> {
    const known = this.#position;
    if (epoch <= known.epoch) await this.#beginEpoch({ known, epoch });
    const newest = await newestPosition(this.#db);
    if (newest.epoch <= known.epoch)
      throw new Error('The event log went back, and reads of the database lack the new epoch that was written.');
    this.#resettingTo = newest;
  }

  /** Resets the listeners that are not reset yet, also when one fails: another may be an access cache. */
  async #finishReset(): Promise<void> {
    const to = this.#resettingTo;
    if (to === undefined) return;
    const failures: unknown[] = [];
    for (const subscriber of this.#subscribers) {
      if (subscriber.epoch === to.epoch) continue;
      try {
        await subscriber.listener.reset(to);
        subscriber.epoch = to.epoch;
        subscriber.seen = to.id;
      } catch (error) {
        failures.push(error);
      }
    }
    throwAny(failures);
    this.#position = to;
    this.#seen = to.id;
    this.#resettingTo = undefined;
    this.#resets++;
  }

  /** Delivers events to all listeners, even when one fails: another may be an access cache that must be cleared. */
  async #deliver(events: readonly EventRow[]): Promise<void> {
    const failures: unknown[] = [];
    for (const subscriber of this.#subscribers) {
      const unseen = events.filter(({ id }) => id > subscriber.seen);
      if (unseen.length === 0) continue;
      if (unseen.length > manyEvents) await yieldToEventLoop();
      try {
        await subscriber.listener.events(unseen);
        subscriber.seen = unseen.at(-1)?.id ?? subscriber.seen;
      } catch (error) {
        failures.push(error);
      }
    }
    const last = events.at(-1);
    if (last !== undefined && last.id > this.#position.id) this.#position = positionOf(last, this.#position.epoch);
    throwAny(failures);
    this.#seen = last?.id ?? this.#seen;
  }
}

/** Throws the failures, if there are any. */
function throwAny(failures: readonly unknown[]): void {
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
}
