import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import { findTokenAndHash, findTokenByHash } from './store.ts';
import type { ApiToken } from './token.ts';

/**
 * Finds the token behind a secret; what was found stays in memory until a token changes, here or in another
 * process. One whose time is over is not found.
 */
export interface TokenLookup {
  /** The token if it is in memory. */
  peek(secret: string): ApiToken | undefined;
  find(secret: string): Promise<ApiToken | undefined>;
  findById(id: number): Promise<KnownToken | undefined>;
}

/** A token with what is stored of its secret, which must not leave the server. */
export interface KnownToken {
  readonly token: ApiToken;
  readonly secretHash: string;
}

/** Tokens are kept in memory up to so many. */
const maxKept = 10_000;

/** `seen` is told of each token that was found. */
export function createTokenLookup(database: Database, clock: Clock, seen: (token: ApiToken) => void): TokenLookup {
  const concerns = (event: { readonly type: string }) => event.type.startsWith('api-token-');
  const byId = new ReadThroughCache(database.feed, concerns, (id) => findTokenAndHash(database.db, Number(id)), maxKept);
  const tokens = new ReadThroughCache(
    database.feed,
    concerns,
    // Kept by the secret itself, which is in memory with every request that bears it: hashing it each time costs more.
    (secret) => findTokenByHash(database.db, secretHash(secret)),
    maxKept,
  );
  const current = (token: ApiToken | undefined) => {
    if (token === undefined || (token.expiresAt !== null && token.expiresAt <= clock.now())) return undefined;
    seen(token);
    return token;
  };
  return {
    peek: (secret) => current(tokens.peek(secret)),
    find: async (secret) => current(await tokens.get(secret)),
    findById: async (id) => {
      const known = await byId.get(String(id));
      return current(known?.token) && known;
    },
  };
}
