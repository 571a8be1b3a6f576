import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThrough } from '../../storage/read-through.ts';
import { findTokenByHash } from './store.ts';
import type { ApiToken } from './token.ts';

/**
 * Finds the token behind a secret; what was found stays in memory until a token changes, here or in another
 * process. One whose time is over is not found.
 */
export interface TokenLookup {
  /** The token if it is in memory. */
  peek(secret: string): ApiToken | undefined;
  find(secret: string): Promise<ApiToken | undefined>;
}

/** `seen` is told of each token that was found. */
export function createTokenLookup(database: Database, clock: Clock, seen: (token: ApiToken) => void): TokenLookup {
  const tokens = new ReadThrough(
    database.feed,
    (event) => event.type.startsWith('api-token-'),
    // Kept by the secret itself, which is in memory with every request that bears it: hashing it each time costs more.
    (secret) => findTokenByHash(database.db, secretHash(secret)),
    10_000,
  );
  const current = (token: ApiToken | undefined) => {
    if (token === undefined || (token.expiresAt !== null && token.expiresAt <= clock.now())) return undefined;
    seen(token);
    return token;
  };
  return {
    peek: (secret) => current(tokens.peek(secret)),
    find: async (secret) => current(await tokens.get(secret)),
  };
}
