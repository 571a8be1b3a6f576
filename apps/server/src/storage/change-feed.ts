import type { Kysely } from 'kysely';
import { yieldToEventLoop } from '../kernel/event-loop.ts';
import type { EventRow } from './tables/events.ts';
import type { Tables } from './tables.ts';

/**
 * Receives events in the order of their ids. The feed waits for the returned promise before it delivers further events.
 * When the promise rejects, the feed delivers the same events again.
 */
export type FeedListener = (events: readonly EventRow[]) => void | Promise<void>;

const pageSize = 500;
/** With more events than this, each listener runs in a separate turn of the event loop. */
const manyEvents = 1000;
/** The delay of a retry after a failure, unless new events come before. */
const retryMs = 1500;

interface Subscriber {
  readonly listener: FeedListener;
  /** The id of the last event that the listener has handled. */
  seen: number;
}

/**
 * The change feed: delivers the committed events of all processes to the caches of this process. Event ids have no
 * gaps, so events that this process committed directly after the last event seen need no query.
 */
export class ChangeFeed {
  readonly #db: Kysely<Tables>;
  readonly #onError: (error: unknown) => void;
  readonly #subscribers: Subscriber[] = [];
  /** Events committed by this process and not yet delivered. */
  #committed: EventRow[] = [];
  #seen = 0;
  /** The last delivery: deliveries run one at a time. */
  #last: Promise<void> = Promise.resolve();
  #pulling = false;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(db: Kysely<Tables>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** The id of the last event that all listeners have handled: the revision of the caches. */
  get seen(): number {
    return this.#seen;
  }

  subscribe(listener: FeedListener): void {
    this.#subscribers.push({ listener, seen: this.#seen });
  }

  /** Starts after the newest event; data that listeners load from now on includes it. */
  async start(): Promise<void> {
    const row = await this.#db
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'event')
      .executeTakeFirstOrThrow();
    this.#seen = row.value;
  }

  /**
   * Delivers events that this process has just committed and resolves when all listeners have handled them. Never
   * rejects, because the change is durable: the error of a listener is reported, and its events are delivered again.
   */
  committed(events: readonly EventRow[]): Promise<void> {
    // A loop, because a large import has more events than a call may have arguments.
    for (const event of events) this.#committed.push(event);
    return this.#exclusively(() => this.#deliverCommitted()).catch((error) => this.#failed(error));
  }

  /** Reads and delivers events of other processes. Calls that arrive while a call is queued are coalesced. */
  wake(): void {
    if (this.#pulling) return;
    this.#pulling = true;
    void this.#exclusively(async () => {
      this.#pulling = false;
      await this.#pull();
    }).catch((error) => this.#failed(error));
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
    await this.#last.catch(() => undefined);
  }

  /** Stops retries and resolves when no delivery is running. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.idle();
  }

  /** Reports an error and retries: on SQLite, nothing else would deliver the events before the next change. */
  #failed(error: unknown): void {
    this.#onError(error);
    if (this.#stopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.wake(), retryMs);
  }

  #exclusively(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** Delivers the events of all changes that shared a commit together. */
  async #deliverCommitted(): Promise<void> {
    const events = this.#committed.filter(({ id }) => id > this.#seen);
    this.#committed = [];
    if (events.length === 0) return;
    if (events.every(({ id }, index) => id === this.#seen + 1 + index)) await this.#deliver(events);
    else await this.#pull();
  }

  async #pull(): Promise<void> {
    for (;;) {
      const events = await this.#db
        .selectFrom('events')
        .selectAll()
        .where('id', '>', this.#seen)
        .orderBy('id')
        .limit(pageSize)
        .execute();
      if (events.length > 0) await this.#deliver(events);
      if (events.length < pageSize) return;
    }
  }

  /** Delivers events to all listeners, even when one fails: another may be an access cache that must be cleared. */
  async #deliver(events: readonly EventRow[]): Promise<void> {
    const failures: unknown[] = [];
    for (const subscriber of this.#subscribers) {
      const unseen = events.filter(({ id }) => id > subscriber.seen);
      if (unseen.length === 0) continue;
      if (unseen.length > manyEvents) await yieldToEventLoop();
      try {
        await subscriber.listener(unseen);
        subscriber.seen = unseen.at(-1)?.id ?? subscriber.seen;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
    this.#seen = events.at(-1)?.id ?? this.#seen;
  }
}
