import { feedLimit } from '@yardarm/contract';
import { newestNumbers } from '#features/log/events/index.ts';
import type { RequestInfo } from '#http/request.ts';
import type { Database } from '#storage/database.ts';
import type { FeedFilter } from './filter.ts';
import { type FeedPage, readPage } from './pages.ts';
import { readForward } from './read-forward.ts';
import { FeedEvent, RecentEvents } from './recent-events.ts';
import { Waits } from './waits.ts';

/** Reads the event log forward: from memory, or else from the database. */
export class FeedReader {
  readonly recent: RecentEvents;
  readonly #database: Database;
  readonly #waits: Waits;

  /** `maxWaiting` is the maximum number of requests that wait for an event. */
  constructor(database: Database, maxWaiting: number) {
    this.#database = database;
    this.recent = new RecentEvents(database.feed);
    this.#waits = new Waits(this.recent, maxWaiting);
  }

  /** The id of the newest event that this process knows. */
  get newest(): number {
    return this.recent.newest;
  }

  /** The epoch of the log that this process knows. */
  get epoch(): string {
    return this.recent.epoch;
  }

  /**
   * Resolves when this process knows the event `id` of the epoch `epoch`, which another process may have committed.
   * Returns the id of the newest event: it is smaller than `id` when there is no such event yet.
   */
  async reach(id: number, epoch = this.epoch): Promise<number> {
    if (epoch !== this.epoch) {
      this.#database.feed.wake();
      await this.#database.feed.idle();
    }
    if (id <= this.newest) return this.newest;
    const { db, feed } = this.#database;
    const { eventId } = await newestNumbers(db);
    if (eventId < id) return eventId;
    feed.wake();
    await feed.idle();
    return this.newest;
  }

  /** Reads a page of events after the id `after`. When there is none, waits for it up to `seconds`. */
  async read(
    filter: FeedFilter,
    after: number,
    limit: number,
    seconds: number,
    request: Pick<RequestInfo, 'gone' | 'stopping'>,
  ): Promise<FeedPage> {
    const read = (from: number) =>
      readPage(this.#database.db, this.recent, filter, from, Math.min(limit, feedLimit.max));
    const page = await read(after);
    return seconds === 0 ? page : this.#waits.untilFilled(page, filter, read, seconds, request);
  }

  /** Reads all events after the id `after` up to now, or the first `limit` of them, in parts that fit into memory. */
  async *readAll(filter: FeedFilter, after: number, limit: number): AsyncGenerator<readonly FeedEvent[]> {
    let left = limit;
    for await (const { rows } of readForward(this.#database.beginSearch().db, filter, after, this.newest)) {
      if (rows.length > 0) yield rows.slice(0, left).map((row) => new FeedEvent(row));
      left -= rows.length;
      if (left <= 0) return;
    }
  }
}
