import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { verifyPassword } from './password-hash.ts';

/** The number of passwords that are kept for each user, including the current one (docs/spec#password-rules). */
const remembered = 5;

/**
 * Rejects with 400 when the password is one of the user's last passwords. Takes about 30 ms for each, off the event
 * loop.
 */
export async function requireUnusedPassword(db: Db, userId: number, password: string): Promise<void> {
  const hashes = await hashesOf(db, userId);
  for (const hash of hashes) {
    if (!(await verifyPassword(password, hash))) continue;
    const message = `This is one of your last ${remembered} passwords. Choose another.`;
    throw new Problem('PasswordPreviouslyUsedError', message, { details: [{ message, path: 'password' }] });
  }
}

/** Adds a password to the history of a user, and deletes the oldest beyond the limit. */
export async function addToPasswordHistory(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  await tx.db.insertInto('used_passwords').values({ user_id: userId, password_hash: passwordHash }).execute();
  const oldest = await tx.db
    .selectFrom('used_passwords')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(remembered)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await tx.db.deleteFrom('used_passwords').where('user_id', '=', userId).where('id', '<=', oldest.id).execute();
}

async function hashesOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('used_passwords')
    .select('password_hash')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => row.password_hash);
}
