import { BoundedMap } from '#kernel/bounded-map.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { EventRow } from './tables/events.ts';

/**
 * A read-through cache that is cleared by events. Missing values are not cached, so a row that another process has just
 * created is found at once. It is no DataLoader: that one caches promises, missing values and errors, has no greatest
 * size, no `peek` for the 304s before the framework, and takes 603 instead of 131 ns for a cached read.
 */
export class ReadThroughCache<Value> {
  readonly #load: (key: string) => Promise<Value | undefined>;
  readonly #values: BoundedMap<string, Value>;
  #generation = 0;

  /** `invalidates` returns whether an event clears the cache; `max` is the greatest number of cached values. */
  constructor(
    feed: ChangeFeed,
    invalidates: (event: EventRow) => boolean,
    load: (key: string) => Promise<Value | undefined>,
    max: number,
  ) {
    this.#load = load;
    this.#values = new BoundedMap(max);
    feed.subscribe({
      events: (events) => {
        if (events.some(invalidates)) this.clear();
      },
      reset: () => this.clear(),
    });
  }

  /** Returns the cached value without loading it. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  async get(key: string): Promise<Value | undefined> {
    const cached = this.#values.get(key);
    if (cached !== undefined) return cached;
    const generation = this.#generation;
    const value = await this.#load(key);
    // A value that was read before an invalidation must not be cached after it.
    if (value !== undefined && generation === this.#generation) this.#values.set(key, value);
    return value;
  }

  clear(): void {
    this.#generation++;
    this.#values.clear();
  }
}
