import { type Account, accountColumns, toAccount } from '#features/people/access/index.ts';
import { actingAccount } from '#features/people/account-control/index.ts';
import { Problem } from '#kernel/errors.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** The lifetime of a password link (docs/spec#password-links). */
const lifeMs = 24 * 60 * 60 * 1000;

/** A single-use link with which a user sets a password. */
export interface PasswordLink {
  readonly id: number;
  readonly account: Account;
  readonly createdBy: string;
  /** The account that created the link; null when it is not known. */
  readonly createdByUserId: number | null;
}

/**
 * Creates a password link for a user, ends the user's earlier links, and returns the secret. Only its hash is stored.
 */
export async function createPasswordLink(tx: Tx, userId: number): Promise<string> {
  await endPasswordLinks(tx, userId);
  await tx.db.deleteFrom('password_links').where('expires_at', '<=', tx.now).execute();
  const secret = newSecret('');
  await tx.db
    .insertInto('password_links')
    .values({
      user_id: userId,
      secret_hash: secretHash(secret),
      created_by: tx.by.actor.name,
      created_by_user_id: actingAccount(tx),
      expires_at: tx.now + lifeMs,
      used_at: null,
    })
    .execute();
  return secret;
}

/**
 * Returns the link with a secret. Rejects with 401 when it is unknown or has expired, and with 403 when it was used.
 */
export async function requirePasswordLink(db: Db, secret: string, now: number): Promise<PasswordLink> {
  const row = await db
    .selectFrom('password_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['l.id as link_id', 'l.used_at', 'l.created_by', 'l.created_by_user_id', ...accountColumns])
    .where('l.secret_hash', '=', secretHash(secret))
    .where('l.expires_at', '>', now)
    .executeTakeFirst();
  if (row === undefined)
    throw new Problem('InvalidTokenError', 'This link is invalid or has expired. Ask for a new one.');
  if (row.used_at !== null) throw new Problem('UsedTokenError', 'This link has been used already. Ask for a new one.');
  return {
    id: row.link_id,
    account: toAccount(row),
    createdBy: row.created_by,
    createdByUserId: row.created_by_user_id,
  };
}

/** Marks a link as used, so that it cannot be used again. */
export async function usePasswordLink(tx: Tx, link: PasswordLink): Promise<void> {
  await tx.db.updateTable('password_links').set({ used_at: tx.now }).where('id', '=', link.id).execute();
}

/** Deletes the unused links of a user. */
export async function endPasswordLinks(tx: Tx, userId: number): Promise<void> {
  await tx.db.deleteFrom('password_links').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}
