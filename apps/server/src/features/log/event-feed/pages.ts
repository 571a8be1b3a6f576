import type { EventLimits } from '#features/log/events/index.ts';
import type { Db } from '#storage/tx.ts';
import { type FeedFilter, matches } from './filter.ts';
import { readForward } from './read-forward.ts';
import { FeedEvent, type RecentEvents } from './recent-events.ts';

/** A page of the feed. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** All events up to this id have been examined. */
  readonly next: number;
  /** The epoch of the log in which `next` is a position. */
  readonly epoch: string;
  /** Whether there are events after `next` that have not been examined. */
  readonly hasMore: boolean;
}

/** Returns the JSON text of a page, with the fields of `more`. */
export function pageJson({ events, next, epoch, hasMore }: FeedPage, limits: EventLimits, more: object = {}): string {
  const rest = JSON.stringify({ next, hasMore, epoch, ...more });
  return `{"events":[${events.map((event) => event.jsonFor(limits)).join(',')}],${rest.slice(1)}`;
}

/** A page ends early beyond this size or this time; `next` continues where it ended. */
const maxCharacters = 1024 * 1024;
const maxMs = 50;

/** Reads up to `limit` events after the id `after`, oldest first: from memory, or else from the database. */
export async function readPage(
  db: Db,
  recent: RecentEvents,
  filter: FeedFilter,
  after: number,
  limit: number,
): Promise<FeedPage> {
  const end = recent.newest;
  const page = new PageBuilder(limit, filter, recent.epoch);
  const inMemory = recent.since(after);
  if (inMemory !== undefined) {
    for (const event of inMemory) if (matches(filter, event.row) && !page.add(event)) return page.until(page.last, end);
    return page.until(end, end);
  }
  const began = performance.now();
  let reached = after;
  for await (const part of readForward(db, filter, after, end)) {
    for (const row of part.rows) if (!page.add(new FeedEvent(row))) return page.until(page.last, end);
    reached = part.reached;
    if (performance.now() - began > maxMs) break;
  }
  return page.until(reached, end);
}

class PageBuilder {
  readonly #limit: number;
  readonly #limits: EventLimits;
  readonly #epoch: string;
  readonly #events: FeedEvent[] = [];
  #characters = 0;

  constructor(limit: number, limits: EventLimits, epoch: string) {
    this.#limit = limit;
    this.#limits = limits;
    this.#epoch = epoch;
  }

  /** The id of the last event of the page. */
  get last(): number {
    return this.#events.at(-1)?.row.id ?? 0;
  }

  /** Adds an event. Returns false, without adding it, when the page is full. */
  add(event: FeedEvent): boolean {
    if (this.#events.length === this.#limit || this.#characters > maxCharacters) return false;
    this.#events.push(event);
    this.#characters += event.jsonFor(this.#limits).length;
    return true;
  }

  /** Returns the page, which continues after the id `next`; `end` is the newest event. */
  until(next: number, end: number): FeedPage {
    return { events: this.#events, next, epoch: this.#epoch, hasMore: next < end };
  }
}
