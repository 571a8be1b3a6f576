import type { BadTokenLimit } from '../../http/bad-token-limit.ts';
import { bearerToken } from '../../http/bearer.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import type { Guards } from '../../http/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import { secretHash } from '../../kernel/ids.ts';
import { type Limiter, withBurst } from '../../kernel/limiter.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThrough } from '../../storage/read-through.ts';
import { findOpenedBy } from './store.ts';

export interface SignalRate {
  /** Signals a second from one token; 0 lifts the limit. */
  readonly perSecond: number;
  /** How many more a token may send within ten seconds. */
  readonly burst: number;
}

/**
 * Lets in whoever bears a token of the very endpoint it calls (docs/spec#signal-tokens): 401 otherwise, also
 * when there is no such endpoint; 404 when it is disabled; 429 over the token's rate.
 */
export function createSignalDoor(
  database: Database,
  clock: Clock,
  rate: SignalRate,
  badTokens: BadTokenLimit,
): Guards['signal'] {
  const opened = new ReadThrough(
    database.feed,
    (event) => event.type.startsWith('signal-endpoint'),
    (hash) => findOpenedBy(database.db, hash),
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
    const opens = opened.peek(hash) ?? (await badTokens.lookUp(request.clientAddress, hash, () => opened.get(hash)));
    if (opens === undefined || opens.endpointName !== endpointName) throw unauthorized();
    await limit.spend(String(opens.tokenId));
    if (!opens.enabled) throw new Problem('NotFoundError', `The signal endpoint ${endpointName} is disabled.`);
    return { endpointId: opens.endpointId, tokenId: opens.tokenId };
  };
}

function limiterOf(database: Database, points: number, burst: number): Limiter {
  const steady = database.limiter('signal', points, 1);
  if (burst === 0) return steady;
  return withBurst(steady, database.limiter('signal-burst', burst, 10));
}

/** Of the same words whatever is wrong: they must not tell which endpoints there are. */
function unauthorized(): Problem {
  return new Problem(
    'UnauthorizedError',
    'Send a token of this signal endpoint in the Authorization header: Bearer signal_…',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}
