import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { verifyPassword } from './password-hash.ts';

/** How many passwords of a user are remembered, the present one among them (docs/spec#password-rules). */
const remembered = 5;

/** A 400 when the password is one of the last that the user had. Takes some 30 ms for each of them, off the event loop. */
export async function requireUnusedPassword(db: Db, userId: number, password: string): Promise<void> {
  const hashes = await hashesOf(db, userId);
  for (const hash of hashes) {
    if (!(await verifyPassword(password, hash))) continue;
    const message = `This is one of your last ${remembered} passwords. Choose another one.`;
    throw new Problem('PasswordPreviouslyUsedError', message, { details: [{ message, path: 'password' }] });
  }
}

/** Notes a password that a user has from now on, and forgets the oldest. */
export async function rememberPassword(tx: Tx, userId: number, passwordHash: string): Promise<void> {
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
