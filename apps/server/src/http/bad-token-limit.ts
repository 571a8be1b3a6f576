import type { RateLimit } from './rate-limit.ts';

/**
 * Looks up tokens that are not in memory, but only so often for one address when they are not found: guessing is slow, and
 * a flood of wrong tokens does not reach the database. Valid tokens count nothing, however many come at once. A token that
 * was valid when it was last looked up is looked up whatever its address has spent, so that clients behind one address do
 * not suffer from each other when tokens change.
 */
export class BadTokenLimit {
  readonly #limit: RateLimit;
  readonly #valid = new Set<string>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Returns what `find` finds for the token. Rejects with 429 when the address has sent too many wrong tokens. */
  async lookUp<T>(address: string, token: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await this.lookUpAll(address, [token], async () => {
      const value = await find();
      return value === undefined ? new Map() : new Map([[token, value]]);
    });
    return found.get(token);
  }

  /** Returns what `find` finds for each of the tokens, as {@link lookUp} does for one of them. */
  async lookUpAll<T>(
    address: string,
    tokens: readonly string[],
    find: () => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    if (!tokens.every((token) => this.#valid.has(token))) this.#limit.check(address);
    const found = await find();
    for (const token of tokens) this.#remember(token, found.has(token));
    if (tokens.some((token) => !found.has(token))) await this.#limit.spend(address);
    return found;
  }

  #remember(token: string, valid: boolean): void {
    this.#valid.delete(token);
    if (!valid) return;
    if (this.#valid.size >= maxRemembered) this.#valid.delete(this.#valid.values().next().value as string);
    this.#valid.add(token);
  }
}

/** As many tokens as each of the caches of tokens keeps. */
const maxRemembered = 10_000;
