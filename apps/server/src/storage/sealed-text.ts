import { Problem } from '#kernel/errors.ts';
import { backingOf } from './kysely-connection.ts';
import type { Db } from './tx.ts';

/** Returns a text as it is stored in a sealed column of the database. */
export function sealedIn(db: Db, text: string): string {
  return backingOf(db).seal.seal(text);
}

/**
 * Returns the text of a sealed column; undefined for an empty one, whose secret was removed. Throws a 503 that names
 * `label` when the password is unknown.
 */
export function openedIn(db: Db, sealed: string, label: string): string | undefined {
  if (sealed === '') return undefined;
  const text = backingOf(db).seal.open(sealed);
  if (text !== undefined) return text;
  throw new Problem(
    'ServiceUnavailableError',
    `${label} cannot be read: it was encrypted with another UNLEASH_SECRET. Set UNLEASH_SECRET_PREVIOUS to that secret and restart.`,
  );
}
