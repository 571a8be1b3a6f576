import type { Kysely } from 'kysely';
import { yieldToEventLoop } from '../kernel/event-loop.ts';
import type { EventRow } from './tables/events.ts';
import type { Tables } from './tables.ts';

/** Told of events in the order of their ids, each once. Awaited before the next are handed out. */
export type FeedListener = (events: readonly EventRow[]) => void | Promise<void>;

const pageSize = 500;
/** Of more events each listener begins in a turn of the event loop of its own. */
const manyEvents = 1000;
/** How long after a failure it is tried again, when nothing happens before; on PostgreSQL the poll comes first. */
const retryMs = 1500;

interface Follower {
  readonly listen: FeedListener;
  /** The id of the last event it has been told of. */
  seen: number;
}

/**
 * Follows the event log, so that whatever this process keeps in memory is renewed by what was committed,
 * wherever it was. Because ids are gapless, events committed here that follow the last one seen need no query.
 */
export class ChangeFeed {
  readonly #db: Kysely<Tables>;
  readonly #onError: (error: unknown) => void;
  readonly #followers: Follower[] = [];
  /** Committed here and waiting to be told of. */
  #fresh: EventRow[] = [];
  #seen = 0;
  #turn: Promise<void> = Promise.resolve();
  #pulling = false;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(db: Kysely<Tables>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** The id of the last event that every listener has been told of: the revision of what is in memory. */
  get seen(): number {
    return this.#seen;
  }

  subscribe(listener: FeedListener): void {
    this.#followers.push({ listen: listener, seen: this.#seen });
  }

  /** Begins after the newest event there is; what listeners load from now on holds it. */
  async start(): Promise<void> {
    const row = await this.#db
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'event')
      .executeTakeFirstOrThrow();
    this.#seen = row.value;
  }

  /**
   * Resolves when the listeners have been told of `events`, which this process has just committed. Never
   * rejects: the change is durable; a listener that failed is reported, and told again with the next events or soon.
   */
  committed(events: readonly EventRow[]): Promise<void> {
    // Not spread: a large import has more events than a call may have arguments.
    for (const event of events) this.#fresh.push(event);
    return this.#inTurn(() => this.#tellFresh()).catch((error) => this.#failed(error));
  }

  /** Looks for events of other processes. Calls that come while one is waiting are one. */
  wake(): void {
    if (this.#pulling) return;
    this.#pulling = true;
    void this.#inTurn(async () => {
      this.#pulling = false;
      await this.#pull();
    }).catch((error) => this.#failed(error));
  }

  /** Resolves when nothing is in hand. */
  async idle(): Promise<void> {
    await this.#turn.catch(() => undefined);
  }

  /** Resolves when nothing is in hand, and begins nothing by itself any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.idle();
  }

  /** What is in memory is out of date, and on SQLite nobody else would wake this before the next change. */
  #failed(error: unknown): void {
    this.#onError(error);
    if (this.#stopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.wake(), retryMs);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  /** Changes that share a commit are told of together, so that what follows them looks once for all of them. */
  async #tellFresh(): Promise<void> {
    // Those of changes made beside each other need not come in their order.
    const events = this.#fresh.filter(({ id }) => id > this.#seen).toSorted((one, other) => one.id - other.id);
    this.#fresh = [];
    if (events.length === 0) return;
    if (events.every(({ id }, index) => id === this.#seen + 1 + index)) await this.#tell(events);
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
      if (events.length > 0) await this.#tell(events);
      if (events.length < pageSize) return;
    }
  }

  /** When a listener fails the others are told all the same: what one of them forgets may be who may come in. */
  async #tell(events: readonly EventRow[]): Promise<void> {
    const failures: unknown[] = [];
    for (const follower of this.#followers) {
      const fresh = events.filter(({ id }) => id > follower.seen);
      if (fresh.length === 0) continue;
      if (fresh.length > manyEvents) await yieldToEventLoop();
      try {
        await follower.listen(fresh);
        follower.seen = fresh.at(-1)?.id ?? follower.seen;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
    this.#seen = events.at(-1)?.id ?? this.#seen;
  }
}
