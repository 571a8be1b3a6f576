import { accountEventData } from '#features/people/access/index.ts';
import { endSessions } from '#features/people/sessions/index.ts';
import type { Tx } from '#storage/tx.ts';
import { deleteTokens, requireUser } from './commands.ts';
import { endPasswordLinks } from './password-link.ts';

/**
 * Removes the password, password links, sessions and personal tokens of an account that was created by an invite link,
 * when the owner of its e-mail address logs in through single sign-on for the first time. Sign-up by invite link does
 * not verify the address, so another person may have created the account in advance to share it with the owner (account
 * pre-hijacking).
 */
export async function revokeUnverifiedAccess(tx: Tx, userId: number): Promise<void> {
  const suspect = await tx.db
    .selectFrom('users as u')
    .innerJoin('invite_link_users as i', 'i.user_id', 'u.id')
    .select('u.id')
    .where('u.id', '=', userId)
    .where('u.sso_since', 'is', null)
    .where('u.password_hash', 'is not', null)
    .executeTakeFirst();
  if (suspect === undefined) return;
  await tx.db.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute();
  await endPasswordLinks(tx, userId);
  await endSessions(tx, userId, null, 'account claimed by single sign-on');
  const data = accountEventData(await requireUser(tx.db, userId));
  tx.record({ type: 'user-updated', preData: data, data: { ...data, passwordChanged: true } });
  await deleteTokens(tx, userId);
}

/** Stores that the provider has authenticated the user, which verifies the e-mail address. */
export async function markEmailVerified(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ sso_since: tx.now })
    .where('id', '=', userId)
    .where('sso_since', 'is', null)
    .execute();
}
