import { BoundedMap } from '#kernel/bounded-map.ts';
import type { ChangeFeed } from '#storage/change-feed.ts';

/**
 * The keys of rows that are stored: at most `max`, with the time they were added. When the event log went back with the
 * rows, all keys are dropped.
 */
export class KnownKeys {
  readonly #keys: BoundedMap<string, number>;

  constructor(feed: Pick<ChangeFeed, 'subscribe'>, max: number) {
    this.#keys = new BoundedMap(max);
    feed.subscribe({ events: () => undefined, reset: () => this.#keys.clear() });
  }

  /** Returns whether the key was added at `since` or later. */
  has(key: string, since = 0): boolean {
    return (this.#keys.get(key) ?? -1) >= since;
  }

  add(key: string, at = 0): void {
    this.#keys.set(key, at);
  }
}
