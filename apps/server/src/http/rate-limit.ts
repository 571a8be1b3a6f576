import type { Clock } from '../kernel/clock.ts';
import { Problem } from '../kernel/errors.ts';
import { type Limiter, MemoryLimiter } from '../kernel/limiter.ts';

/** At most `points` in `seconds` for each key. */
export interface RateLimit {
  /** Counts one for `key`; a 429 that says when to come back when it was one too many. */
  spend(key: string): Promise<void>;
  /** Counts nothing; the 429 again while `key` is known here to have none left. */
  check(key: string): void;
}

/** A limit that this process counts for itself: `spend` throws at once. */
export interface LocalRateLimit {
  spend(key: string): void;
}

const lifted = { spend: async () => undefined, check: () => undefined };
/** Keys that are remembered to have none left. */
const maxSpent = 10_000;

/**
 * Makes a {@link RateLimit}; `points` 0 lifts it. Keys that have none left are turned away from memory until then, by the clock
 * that is never set.
 */
export function rateLimit(
  clock: Clock,
  limiter: (points: number) => Limiter,
  what: string,
  points: number,
  seconds: number,
): RateLimit {
  if (points === 0) return lifted;
  const store = limiter(points);
  const spentUntil = new Map<string, number>();
  const check = (key: string) => {
    const until = spentUntil.get(key);
    if (until === undefined) return;
    const left = until - clock.elapsed();
    if (left > 0) throw tooMany(what, points, seconds, left);
    spentUntil.delete(key);
  };
  return {
    spend: async (key) => {
      check(key);
      const wait = await store.consume(key);
      if (wait === 0) return;
      if (spentUntil.size >= maxSpent) spentUntil.delete(spentUntil.keys().next().value as string);
      spentUntil.set(key, clock.elapsed() + wait);
      throw tooMany(what, points, seconds, wait);
    },
    check,
  };
}

/** A {@link LocalRateLimit}: for what is too frequent to be counted in the database. `points` 0 lifts it. */
export function localRateLimit(clock: Clock, what: string, points: number, seconds: number): LocalRateLimit {
  const counts = new MemoryLimiter(clock, points, seconds);
  return {
    spend: (key) => {
      const wait = points === 0 ? 0 : counts.consume(key);
      if (wait > 0) throw tooMany(what, points, seconds, wait);
    },
  };
}

/** Retry-After is RFC 9110; RateLimit and RateLimit-Policy follow the IETF draft of those fields. */
function tooMany(what: string, points: number, seconds: number, msBeforeNext: number): Problem {
  const wait = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Problem(
    'RateLimitError',
    `Too many requests: ${what} may be ${points} in ${seconds} s. Try again in ${wait} s.`,
    {
      headers: {
        'retry-after': String(wait),
        ratelimit: `"default";r=0;t=${wait}`,
        'ratelimit-policy': `"default";q=${points};w=${seconds}`,
      },
    },
  );
}
