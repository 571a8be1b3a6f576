import type { Clock } from './clock.ts';

/** Counts by key in fixed windows of time, and has room for so many in each. */
export interface Limiter {
  /** Counts one for `key`; answers 0, or the milliseconds until there is room again when it was one too many. */
  consume(key: string): Promise<number> | number;
}

interface Window {
  endsAt: number;
  left: number;
}

/** A limiter of `points` in `seconds` that this process counts alone, on the clock that is never set. */
export class MemoryLimiter implements Limiter {
  readonly #clock: Clock;
  readonly #points: number;
  readonly #windowMs: number;
  /** In the order in which they end, as all are equally long. */
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

/** A limiter that counts for `extra` what `steady` has no room for. */
export function withBurst(steady: Limiter, extra: Limiter): Limiter {
  return {
    consume: async (key) => {
      const wait = await steady.consume(key);
      return wait === 0 ? 0 : Math.min(wait, await extra.consume(key));
    },
  };
}
