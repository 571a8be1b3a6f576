import { type RateLimit, rateLimit } from '#http/rate-limit.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Limiter, withBurst } from '#kernel/limiter.ts';
import type { Database } from '#storage/database.ts';
import type { EndpointLimits } from '../endpoints/index.ts';

/** Counts signals by token. Endpoints with the same rate and burst share a limiter. */
export class EndpointRates {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #byLimits = new Map<string, RateLimit>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Counts a signal of a token. Rejects with 429 when the rate of `limits` and its burst are exceeded. */
  spend({ ratePerSecond, burst }: EndpointLimits, tokenId: number): Promise<void> {
    const key = `${ratePerSecond} ${burst}`;
    const known = this.#byLimits.get(key);
    const limit = known ?? this.#create(ratePerSecond, burst);
    if (known === undefined) this.#byLimits.set(key, limit);
    return limit.spend(String(tokenId));
  }

  #create(ratePerSecond: number, burst: number): RateLimit {
    return rateLimit(this.#clock, (points) => this.#limiter(points, burst), 'signals from one token', ratePerSecond, 1);
  }

  #limiter(points: number, burst: number): Limiter {
    const steady = this.#database.limiter('signal', points, 1);
    return burst === 0 ? steady : withBurst(steady, this.#database.limiter('signal-burst', burst, 10));
  }
}
