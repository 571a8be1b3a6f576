import { BoundedMap } from '#kernel/bounded-map.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { type Limiter, MemoryLimiter } from '#kernel/limiter.ts';

/** A rate limit by key. */
export interface RateLimit {
  /** Counts a request for `key`. Rejects with 429 and Retry-After when the limit is exceeded. */
  spend(key: string): Promise<void>;
  /** Throws the 429 while this process knows that the limit of `key` is exceeded. Does not count a request. */
  check(key: string): void;
  /** Returns whether {@link check} would throw. */
  isReached(key: string): boolean;
}

/**
 * A rate limit that is counted in the memory of this process. `spend` counts a request for `key` and throws the 429
 * when the limit is exceeded.
 */
export interface LocalRateLimit {
  spend(key: string): void;
}

const unlimited = { spend: async () => undefined, check: () => undefined, isReached: () => false };
/** The highest number of keys whose exceeded limit is kept in memory. */
const maxSpent = 10_000;

/**
 * Creates a {@link RateLimit}; `points` 0 turns it off. A key that exceeded its limit is refused without asking
 * `limiter` until its window ends, which is measured with the monotonic clock.
 */
export function rateLimit(
  clock: Clock,
  limiter: (points: number) => Limiter,
  counted: string,
  points: number,
  seconds: number,
): RateLimit {
  if (points === 0) return unlimited;
  const store = limiter(points);
  const spentUntil = new BoundedMap<string, number>(maxSpent);
  const leftOf = (key: string): number => {
    const left = (spentUntil.get(key) ?? 0) - clock.elapsed();
    if (left <= 0) spentUntil.delete(key);
    return left;
  };
  const check = (key: string) => {
    const left = leftOf(key);
    if (left > 0) throw tooMany(counted, points, seconds, left);
  };
  return {
    spend: async (key) => {
      check(key);
      const wait = await store.consume(key);
      if (wait === 0) return;
      spentUntil.set(key, clock.elapsed() + wait);
      throw tooMany(counted, points, seconds, wait);
    },
    check,
    isReached: (key) => leftOf(key) > 0,
  };
}

/**
 * Creates a {@link LocalRateLimit}, for requests that are too frequent to count in the database. `points` 0 turns it
 * off.
 */
export function localRateLimit(clock: Clock, counted: string, points: number, seconds: number): LocalRateLimit {
  const counts = new MemoryLimiter(clock, points, seconds);
  return {
    spend: (key) => {
      const wait = points === 0 ? 0 : counts.consume(key);
      if (wait > 0) throw tooMany(counted, points, seconds, wait);
    },
  };
}

/** Returns the 429. Retry-After is RFC 9110; RateLimit and RateLimit-Policy follow the IETF draft. */
function tooMany(counted: string, points: number, seconds: number, msBeforeNext: number): Problem {
  const wait = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem(
    'RateLimitError',
    `Too many requests: at most ${points} ${counted} in ${seconds} s are allowed. Try again in ${wait} s.`,
    {
      headers: {
        'retry-after': String(wait),
        ratelimit: `"default";r=0;t=${wait}`,
        'ratelimit-policy': `"default";q=${points};w=${seconds}`,
      },
    },
  );
}
