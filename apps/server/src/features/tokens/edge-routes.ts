import type { edgeRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { findTokensByHashes } from './store.ts';

/** `badTokens` limits how often an address may name a token that is not valid. */
export function edgeHandlers({ db }: Database, clock: Clock, badTokens: RateLimit): Handlers<typeof edgeRoutes> {
  return {
    'POST /edge/validate': async ({ body, request }) => {
      badTokens.check(request.clientAddress);
      const secrets = [...new Set(body.tokens)];
      const found = await findTokensByHashes(db, secrets.map(secretHash));
      const tokens = secrets.flatMap((token) => {
        const known = found.get(secretHash(token));
        if (known === undefined || (known.expiresAt !== null && known.expiresAt <= clock.now())) return [];
        const { type, environment, projects } = known;
        return [{ token, type, environment, projects: [...projects] }];
      });
      if (tokens.length < secrets.length) await badTokens.spend(request.clientAddress);
      return { status: 200, body: { tokens } };
    },
  };
}
