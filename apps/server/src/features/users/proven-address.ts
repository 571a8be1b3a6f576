import type { Tx } from '../../storage/tx.ts';
import { accountEventData } from '../access/index.ts';
import { endSessions } from '../sessions/index.ts';
import { requireUser } from './commands.ts';
import { endPasswordLinks } from './password-link.ts';

/**
 * Takes away what a guest came in by, whose e-mail address nobody had verified, when the owner of the address comes in through
 * a provider for the first time: password, links, sessions, tokens. Somebody else may have signed up with it, to wait for the
 * owner inside their account.
 */
export async function dropUnprovenAccess(tx: Tx, userId: number): Promise<void> {
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
  await tx.db.deleteFrom('personal_tokens').where('user_id', '=', userId).execute();
  await endPasswordLinks(tx, userId);
  await endSessions(tx, userId, null);
  const data = accountEventData(await requireUser(tx.db, userId));
  tx.record({ type: 'user-updated', preData: data, data: { ...data, passwordChanged: true } });
}

/** Notes that a provider has let a user in, and so proven that the e-mail address is theirs. */
export async function noteProvenAddress(tx: Tx, userId: number): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ sso_since: tx.now })
    .where('id', '=', userId)
    .where('sso_since', 'is', null)
    .execute();
}
