import { Problem } from '../kernel/errors.ts';
import { backingOf } from './kysely-connection.ts';
import type { Db } from './tx.ts';

/** Returns a text as it is stored in a sealed column of the database. */
export function sealedIn(db: Db, text: string): string {
  return backingOf(db).seal.seal(text);
}

/** Returns the text of a sealed column. Throws a 503 that names `what` when it was sealed under an unknown password. */
export function openedIn(db: Db, sealed: string, what: string): string {
  const text = backingOf(db).seal.open(sealed);
  if (text !== undefined) return text;
  throw new Problem(
    'ServiceUnavailableError',
    `${what} cannot be read: it was encrypted under another UNLEASH_SECRET. Start this process with that one in UNLEASH_SECRET_PREVIOUS.`,
  );
}
