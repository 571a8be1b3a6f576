import type { Config } from '#config/settings.ts';
import { BadTokenLimit } from '#http/bad-token-limit.ts';
import { rateLimit } from '#http/rate-limit.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Limiter } from '#kernel/limiter.ts';

/** Returns the limit of wrong tokens of the settings. `limiter` counts so many points in a minute. */
export function limitBadTokens(config: Config, clock: Clock, limiter: (points: number) => Limiter): BadTokenLimit {
  return new BadTokenLimit(
    rateLimit(clock, limiter, 'requests with a wrong token from one address', config.badTokenRatePerMinute, 60),
  );
}
