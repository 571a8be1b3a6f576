import type { ChangeFeed } from './change-feed.ts';
import type { EventRow } from './tables/events.ts';

/**
 * Keeps what was looked up until an event says that it may have changed. Nothing is kept of what was not
 * found, so what another process has just created is found at once.
 */
export class ReadThrough<Value> {
  readonly #load: (key: string) => Promise<Value | undefined>;
  readonly #max: number;
  readonly #values = new Map<string, Value>();
  #generation = 0;

  /** `concerns` tells which events make what is kept doubtful; `max` bounds how much is kept. */
  constructor(
    feed: ChangeFeed,
    concerns: (event: EventRow) => boolean,
    load: (key: string) => Promise<Value | undefined>,
    max: number,
  ) {
    this.#load = load;
    this.#max = max;
    feed.subscribe((events) => {
      if (events.some(concerns)) this.forget();
    });
  }

  /** What is kept for `key`, without looking further. */
  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  async get(key: string): Promise<Value | undefined> {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const generation = this.#generation;
    const value = await this.#load(key);
    // What was read before a change must not be kept after it.
    if (value !== undefined && generation === this.#generation) this.#keep(key, value);
    return value;
  }

  forget(): void {
    this.#generation++;
    this.#values.clear();
  }

  #keep(key: string, value: Value): void {
    if (this.#values.size >= this.#max) this.#values.delete(this.#values.keys().next().value as string);
    this.#values.set(key, value);
  }
}
