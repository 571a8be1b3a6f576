import type { edgeRoutes } from '@yardarm/contract';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { findTokensByHashes } from './store.ts';
import { type ApiToken, tokenKinds } from './token.ts';

/**
 * Serves the token validation of Unleash Edge. `badTokens` limits how many invalid tokens a client address may send.
 */
export function edgeHandlers({ db }: Database, clock: Clock, badTokens: BadTokenLimit): Handlers<typeof edgeRoutes> {
  return {
    'POST /edge/validate': async ({ body, request }) => {
      const secrets = [...new Set(body.tokens.filter((token) => typeof token === 'string'))];
      const find = (asked: readonly string[]) => findValid(db, asked, clock.now());
      const valid = await badTokens.lookUpAll(request.clientAddress, secrets, find);
      const tokens = [...valid].flatMap(([token, { type, environment, projects }]) => {
        const { edge } = tokenKinds[type];
        return edge === null ? [] : [{ token, type: edge, environment, projects: [...projects] }];
      });
      return { status: 200, body: { tokens } };
    },
  };
}

/** Returns the tokens of these secrets that Edge can use and that have not expired, by secret. */
async function findValid(db: Db, secrets: readonly string[], now: number): Promise<Map<string, ApiToken>> {
  const found = await findTokensByHashes(db, secrets.map(secretHash));
  const valid = new Map<string, ApiToken>();
  for (const secret of secrets) {
    const token = found.get(secretHash(secret));
    if (token === undefined || tokenKinds[token.type].edge === null) continue;
    if (token.expiresAt === null || token.expiresAt > now) valid.set(secret, token);
  }
  return valid;
}
