import type { Clock } from './clock.ts';

/** A fixed-window rate limiter by key. */
export interface Limiter {
  /**
   * Counts a request for `key`. Returns 0 when it is within the limit, otherwise the milliseconds until the next
   * window.
   */
  consume(key: string): Promise<number> | number;
}

interface Window {
  endsAt: number;
  left: number;
}

/**
 * A limiter of `points` in `seconds` that counts in the memory of this process and measures time with the monotonic
 * clock.
 */
export class MemoryLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #points: number;
  readonly #windowMs: number;
  /** Windows by key. Insertion order is the order in which they end, because all windows have the same length. */
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, points: number, seconds: number) {
    this.#clock = clock;
    this.#points = points;
    this.#windowMs = seconds * 1000;
  }

  consume(key: string): number {
    const now = this.#clock.elapsed();
    this.#forgetEnded(now);
    let window = this.#windows.get(key);
    if (window === undefined) {
      window = { endsAt: now + this.#windowMs, left: this.#points };
      this.#windows.set(key, window);
    }
    if (window.left === 0) return window.endsAt - now;
    window.left -= 1;
    return 0;
  }

  #forgetEnded(now: number): void {
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now) return;
      this.#windows.delete(key);
    }
  }
}

/** Combines two limiters: requests beyond `steady` count against `extra`. */
export function withBurst(steady: Limiter, extra: Limiter): Limiter {
  return {
    consume: async (key) => {
      const wait = await steady.consume(key);
      return wait === 0 ? 0 : Math.min(wait, await extra.consume(key));
    },
  };
}
