import type { BadTokenLimit } from '../../http/bad-token-limit.ts';
import { bearerToken } from '../../http/bearer.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import type { Guards } from '../../http/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import { secretHash } from '../../kernel/ids.ts';
import { type Limiter, withBurst } from '../../kernel/limiter.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import { touches } from '../event-effects/index.ts';
import { findTokenAccess } from './store.ts';

export interface SignalRate {
  /** Signals a second from one token; 0 lifts the limit. */
  readonly perSecond: number;
  /** Signals that a token may send above the rate within ten seconds. */
  readonly burst: number;
}

/**
 * Admits requests that bear a token of the endpoint they call (docs/spec#signal-tokens). Rejects with 401 for any other
 * token and for an unknown endpoint, with 404 when the endpoint is disabled, and with 429 over the token's rate.
 */
export function createSignalGuard(
  database: Database,
  clock: Clock,
  rate: SignalRate,
  badTokens: BadTokenLimit,
): Guards['signal'] {
  const tokenCache = new ReadThroughCache(
    database.feed,
    (event) => touches(event, 'signal-endpoints'),
    (hash) => findTokenAccess(database.db, hash),
    10_000,
  );
  const limit = rateLimit(
    clock,
    (points) => limiterOf(database, points, rate.burst),
    'signals from one token',
    rate.perSecond,
    1,
  );
  return async (request, endpointName) => {
    const token = bearerToken(request.header('authorization'));
    if (token === undefined) throw unauthorized();
    const hash = secretHash(token);
    const access =
      tokenCache.peek(hash) ?? (await badTokens.lookUp(request.clientAddress, hash, () => tokenCache.get(hash)));
    if (access === undefined || access.endpointName !== endpointName) throw unauthorized();
    await limit.spend(String(access.tokenId));
    if (!access.enabled) throw new Problem('NotFoundError', `The signal endpoint ${endpointName} is disabled.`);
    return { endpointId: access.endpointId, tokenId: access.tokenId };
  };
}

function limiterOf(database: Database, points: number, burst: number): Limiter {
  const steady = database.limiter('signal', points, 1);
  if (burst === 0) return steady;
  return withBurst(steady, database.limiter('signal-burst', burst, 10));
}

/** The same 401 for every cause, so that it does not reveal which endpoints exist. */
function unauthorized(): Problem {
  return new Problem(
    'UnauthorizedError',
    'Send a token of this signal endpoint in the Authorization header: Bearer signal_…',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}
