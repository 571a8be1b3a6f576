import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '#kernel/clock.ts';
import { type Limiter, MemoryLimiter } from '#kernel/limiter.ts';

interface Place {
  readonly pool: Pool;
  readonly schema: string;
  readonly clock: Clock;
}

/**
 * Returns a rate limiter of `points` per `seconds` that all processes on the database share. The database stores the
 * end of each window in system time, the only clock that processes share. A wait longer than the window means that the
 * clock was set back: the key is then reset, so no caller is locked out for longer than a window. While the database is
 * unavailable, each process counts alone.
 */
export function sharedLimiter({ pool, schema, clock }: Place, name: string, points: number, seconds: number): Limiter {
  const store = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: schema,
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    points,
    duration: seconds,
  });
  const local = new MemoryLimiter(clock, points, seconds);
  const inDatabase = async (key: string) => {
    const wait = await waitOf(store, key);
    if (wait <= seconds * 1000) return wait;
    await store.delete(key);
    return waitOf(store, key);
  };
  return {
    consume: (key) => inDatabase(key).catch(() => local.consume(key)),
  };
}

async function waitOf(store: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await store.consume(key);
    return 0;
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    return Math.max(1, rejected.msBeforeNext);
  }
}
