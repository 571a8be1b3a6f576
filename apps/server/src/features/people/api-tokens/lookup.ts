import { touches } from '#features/platform/event-effects/index.ts';
import type { Clock } from '#kernel/clock.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import { findTokenAndHash, findTokenByHash } from './store.ts';
import type { ApiToken } from './token.ts';
import type { TokensInMemory, TokenWithHash } from './tokens-in-memory.ts';

/**
 * Finds API tokens by secret or id. Cached until an API token changes, in this process or another. Expired tokens are
 * not found.
 */
export interface TokenLookup {
  /** Returns the token when it is cached; undefined otherwise. */
  peek(secret: string): ApiToken | undefined;
  find(secret: string): Promise<ApiToken | undefined>;
  findById(id: number): Promise<TokenWithHash | undefined>;
}

/** The size of the cache. */
const maxCached = 10_000;

/** Creates the lookup over the tokens in memory, or else the database. Calls `seen` for each token that is found. */
export function createTokenLookup(
  database: Database,
  all: Pick<TokensInMemory, 'byHash' | 'byId'>,
  clock: Clock,
  seen: (token: ApiToken) => void,
): TokenLookup {
  const isTokenEvent = (event: { readonly type: string }) => touches(event, 'api-tokens');
  const byId = new ReadThroughCache(
    database.feed,
    isTokenEvent,
    async (id) => all.byId(Number(id)) ?? (await findTokenAndHash(database.db, Number(id))),
    maxCached,
  );
  const tokens = new ReadThroughCache(
    database.feed,
    isTokenEvent,
    // The cache key is the secret itself: hashing it for each request would cost more than the lookup.
    async (secret) => {
      const hash = secretHash(secret);
      return all.byHash(hash)?.token ?? (await findTokenByHash(database.db, hash));
    },
    maxCached,
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
