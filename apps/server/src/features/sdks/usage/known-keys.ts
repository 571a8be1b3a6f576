import type { ChangeFeed } from '#storage/change-feed.ts';

/**
 * The keys of rows that are stored: at most `max`, with the time they were added. When there are more, and when the
 * event log went back with the rows, all keys are dropped.
 */
export class KnownKeys {
  readonly #max: number;
  readonly #keys = new Map<string, number>();

  constructor(feed: Pick<ChangeFeed, 'subscribe'>, max: number) {
    this.#max = max;
    feed.subscribe({ events: () => undefined, reset: () => this.#keys.clear() });
  }

  /** Returns whether the key was added at `since` or later. */
  has(key: string, since = 0): boolean {
    return (this.#keys.get(key) ?? -1) >= since;
  }

  add(key: string, at = 0): void {
    if (this.#keys.size >= this.#max && !this.#keys.has(key)) this.#keys.clear();
    this.#keys.set(key, at);
  }
}
