import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../../kernel/ids.ts';
import type { Database } from '../../storage/database.ts';
import { ReadThrough } from '../../storage/read-through.ts';
import type { PersonalTokenLookup } from '../access/index.ts';
import { findBearer } from './store.ts';

/** What makes doubtful who bears a token: the token is gone, or its account, or that has another role. */
const concerns = /^(pat|user|service-account|service-account-token)-(updated|deleted)$/;

/** Finds who bears a personal token. What was found stays in memory until such an event, here or in another process. */
export function createPersonalTokenLookup(database: Database, clock: Clock): PersonalTokenLookup {
  const bearers = new ReadThrough(
    database.feed,
    (event) => concerns.test(event.type),
    (hash) => findBearer(database.db, hash),
    10_000,
  );
  const current = <T extends { expiresAt: number }>(bearer: T | undefined) =>
    bearer === undefined || bearer.expiresAt <= clock.now() ? undefined : bearer;
  return {
    peek: (secret) => current(bearers.peek(secretHash(secret))),
    find: async (secret) => current(await bearers.get(secretHash(secret))),
  };
}
