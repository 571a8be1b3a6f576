import { type EventLimits, eventJsonWithOrigin } from '#features/log/events/index.ts';
import type { ChangeFeed } from '#storage/change-feed.ts';
import type { LogPosition } from '#storage/log-position.ts';
import type { EventRow } from '#storage/tables/events.ts';

/** An event with its JSON text on one line, which is made once for all readers, when a reader needs it. */
export class FeedEvent {
  readonly row: EventRow;
  #full: string | undefined;
  #withoutOrigin: string | undefined;

  constructor(row: EventRow) {
    this.row = row;
  }

  /** Returns the JSON text, with the origin of the event for administrators only. */
  jsonFor({ onlyInProjects }: EventLimits): string {
    if (onlyInProjects) this.#withoutOrigin ??= onOneLine(eventJsonWithOrigin(this.row, false));
    else this.#full ??= onOneLine(eventJsonWithOrigin(this.row, true));
    return (onlyInProjects ? this.#withoutOrigin : this.#full) as string;
  }
}

/**
 * Returns JSON text on one line. Line ends in JSON are only between tokens, where a space can replace them; they would
 * end a line of NDJSON or a field of a server-sent event.
 */
function onOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ');
}

/** The limits of the events in memory: their number, and the characters of their data. */
const maxEvents = 1000;
const maxCharacters = 1024 * 1024;

/**
 * The newest events, in memory: readers that are up to date get a new event without a query. Its end is the newest
 * event that this process knows.
 */
export class RecentEvents {
  readonly #waiting = new Set<() => void>();
  #events: FeedEvent[] = [];
  #newest: number;
  #epoch: string;

  /** `feed` must have been started. */
  constructor(feed: Pick<ChangeFeed, 'seen' | 'epoch' | 'subscribe'>) {
    this.#newest = feed.seen;
    this.#epoch = feed.epoch;
    feed.subscribe({ events: (rows) => this.#add(rows), reset: (newest) => this.#reset(newest) });
  }

  /** The id of the newest event. */
  get newest(): number {
    return this.#newest;
  }

  /** The epoch of the log. Ids of another epoch are no positions in this log. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Returns the events after the id `after`, oldest first; undefined when some of them are not in memory. */
  since(after: number): readonly FeedEvent[] | undefined {
    const first = this.#newest - this.#events.length + 1;
    return after + 1 < first ? undefined : this.#events.slice(after + 1 - first);
  }

  /** Calls `listener` after each addition and when the log went back. Returns a function that removes the listener. */
  onAdded(listener: () => void): () => void {
    this.#waiting.add(listener);
    return () => this.#waiting.delete(listener);
  }

  #add(rows: readonly EventRow[]): void {
    this.#newest = rows.at(-1)?.id ?? this.#newest;
    this.#events.push(...rows.slice(-maxEvents).map((row) => new FeedEvent(row)));
    let kept = 0;
    for (let characters = 0; kept < Math.min(maxEvents, this.#events.length); kept++) {
      const { data, pre_data } = this.#events[this.#events.length - 1 - kept]?.row ?? noData;
      characters += (data?.length ?? 0) + (pre_data?.length ?? 0);
      if (characters > maxCharacters) break;
    }
    this.#events = this.#events.slice(this.#events.length - kept);
    for (const listener of this.#waiting) listener();
  }

  #reset({ epoch, id }: LogPosition): void {
    this.#events = [];
    this.#newest = id;
    this.#epoch = epoch;
    for (const listener of this.#waiting) listener();
  }
}

const noData = { data: null, pre_data: null };
