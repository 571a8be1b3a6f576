/** A set of at most `max` keys with the time they were added. When it is full, all keys are dropped. */
export class KnownKeys {
  readonly #max: number;
  readonly #keys = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
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
