import { BoundedMap } from '#kernel/bounded-map.ts';
import { Problem } from '#kernel/errors.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * Limits the lookups of unknown tokens by client address: guessing is slow, and few of a flood of wrong tokens reach
 * the database, those that arrive before the first are counted. Valid tokens do not count. A token that was valid at
 * its last lookup is always looked up again, so that clients behind a shared address are not blocked by each other when
 * tokens change.
 */
export class BadTokenLimit {
  readonly #limit: RateLimit;
  readonly #valid = new BoundedMap<string, true>(maxRemembered);

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Returns the result of `find` for the token. Rejects with 429 when the address has sent too many wrong tokens. */
  async lookUp<T>(address: string, token: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const found = await this.lookUpAll(address, [token], async () => {
      const value = await find();
      return value === undefined ? new Map() : new Map([[token, value]]);
    });
    return found.get(token);
  }

  /**
   * Does the same as {@link lookUp} for several tokens at once. An address that has sent too many wrong tokens gets
   * those that were valid at their last lookup; rejects with 429 when there is none.
   */
  async lookUpAll<T>(
    address: string,
    tokens: readonly string[],
    find: (tokens: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>> {
    const known = tokens.filter((token) => this.#valid.has(token));
    const isLimited = known.length < tokens.length && this.#limit.isReached(address);
    if (isLimited && known.length === 0) this.#limit.check(address);
    const asked = isLimited ? known : tokens;
    const found = await find(asked);
    for (const token of asked) {
      if (found.has(token)) this.#valid.set(token, true);
      else this.#valid.delete(token);
    }
    if (asked.some((token) => !found.has(token))) await this.#spend(address, found.size > 0);
    return found;
  }

  /** Counts a request with wrong tokens. One that also has valid tokens is answered when the limit is exceeded. */
  async #spend(address: string, hasValid: boolean): Promise<void> {
    try {
      await this.#limit.spend(address);
    } catch (error) {
      if (!hasValid || !(error instanceof Problem)) throw error;
    }
  }
}

/** The highest number of tokens that are remembered as valid: as many as the token cache holds. */
const maxRemembered = 10_000;
