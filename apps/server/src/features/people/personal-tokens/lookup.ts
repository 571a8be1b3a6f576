import type { PersonalTokenLookup } from '#features/people/access/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import type { Clock } from '#kernel/clock.ts';
import { secretHash } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import { findTokenOwner } from './store.ts';

/** Creates a cached lookup of personal tokens. Events of this process or another invalidate the cache. */
export function createPersonalTokenLookup(database: Database, clock: Clock): PersonalTokenLookup {
  const tokens = new ReadThroughCache(
    database.feed,
    (event) => touches(event, 'personal-tokens'),
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
