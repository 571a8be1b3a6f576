import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThroughCache } from '../../storage/read-through-cache.ts';
import type { PersonalTokenLookup } from '../access/index.ts';
import { findTokenOwner } from './store.ts';

/** Event types that invalidate the token cache: a token or an account was changed or deleted. */
const invalidating = /^(pat|user|service-account|service-account-token)-(updated|deleted)$/;

/** Creates a cached lookup of personal tokens. Events of this process or another invalidate the cache. */
export function createPersonalTokenLookup(database: Database, clock: Clock): PersonalTokenLookup {
  const tokens = new ReadThroughCache(
    database.feed,
    (event) => invalidating.test(event.type),
    (hash) => findTokenOwner(database.db, hash),
    10_000,
  );
  const current = <T extends { expiresAt: number }>(token: T | undefined) =>
    token === undefined || token.expiresAt <= clock.now() ? undefined : token;
  return {
    peek: (secret) => current(tokens.peek(secretHash(secret))),
    find: async (secret) => current(await tokens.get(secretHash(secret))),
  };
}
