import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../kernel/clock.ts';
import { type Limiter, MemoryLimiter } from '../../kernel/limiter.ts';

interface Place {
  readonly pool: Pool;
  readonly schema: string;
  readonly clock: Clock;
}

/**
 * A limiter of `points` in `seconds` that all processes on the database share. What the database keeps is the end of a window by the
 * system's time, the one clock that processes have in common. A wait that is longer than the window shows that this was set back, and
 * then the key is counted anew: nobody is locked out for longer than the window. While the database is away each process counts alone.
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
  const alone = new MemoryLimiter(clock, points, seconds);
  const inDatabase = async (key: string) => {
    const wait = await waitOf(store, key);
    if (wait <= seconds * 1000) return wait;
    await store.delete(key);
    return waitOf(store, key);
  };
  return {
    // Whatever the reason, a limit that cannot be kept with the others is kept here.
    consume: (key) => inDatabase(key).catch(() => alone.consume(key)),
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
