import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../kernel/errors.ts';

/** At most `points` in `seconds` for each key. */
export interface RateLimit {
  /** Counts one for `key`; a 429 that says when to come back when it was one too many. */
  spend(key: string): Promise<void>;
  /** Counts nothing; the 429 again while `key` is known here to have none left. */
  check(key: string): void;
}

/** What counts: a store of `rate-limiter-flexible`. */
export type Limiter = Pick<RateLimiterAbstract, 'consume' | 'delete'>;

const lifted: RateLimit = { spend: async () => undefined, check: () => undefined };
/** Keys that are remembered to have none left. */
const maxSpent = 10_000;

/**
 * Makes a {@link RateLimit}; `points` 0 lifts it. Stores count by the system's time. A wait that is longer than the window
 * shows that this was set back, and then the key is counted anew: nobody is locked out for longer than the window.
 */
export function rateLimit(
  limiter: (points: number) => Limiter,
  what: string,
  points: number,
  seconds: number,
): RateLimit {
  if (points === 0) return lifted;
  const store = limiter(points);
  const spentUntil = new Map<string, number>();
  return {
    spend: async (key) => {
      const rejected = await consumed(store, key, seconds * 1000);
      if (rejected !== undefined) {
        if (spentUntil.size >= maxSpent) spentUntil.delete(spentUntil.keys().next().value as string);
        spentUntil.set(key, Date.now() + rejected.msBeforeNext);
        throw tooMany(what, points, seconds, rejected.msBeforeNext);
      }
    },
    check: (key) => {
      const until = spentUntil.get(key);
      if (until === undefined) return;
      const left = until - Date.now();
      if (left > 0 && left <= seconds * 1000) throw tooMany(what, points, seconds, left);
      spentUntil.delete(key);
    },
  };
}

/** Counts one for `key`; answers why it was one too many. */
async function consumed(store: Limiter, key: string, windowMs: number): Promise<RateLimiterRes | undefined> {
  const rejected = await rejection(store, key);
  if (rejected === undefined || rejected.msBeforeNext <= windowMs) return rejected;
  await store.delete(key);
  return rejection(store, key);
}

async function rejection(store: Limiter, key: string): Promise<RateLimiterRes | undefined> {
  try {
    await store.consume(key);
    return undefined;
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    return rejected;
  }
}

/** A {@link rateLimit} that this process counts for itself: for what is too frequent to be counted in the database. */
export function localRateLimit(what: string, points: number, seconds: number): RateLimit {
  return rateLimit((most) => new RateLimiterMemory({ points: most, duration: seconds }), what, points, seconds);
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
