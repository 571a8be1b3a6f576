import { type Actor, type Author, adminTokenUserId, anonymousActor } from '../../kernel/actor.ts';
import type { Db } from '../../storage/tx.ts';
import { findAccounts, readAccessRights } from '../access/index.ts';
import { hasAdminTokenNamed } from '../api-tokens/index.ts';

/**
 * What somebody may do by what is stored now, without a request of theirs: undefined when their account, or the token
 * they came with, is gone.
 */
export async function canOfActor(db: Db, { userId, name }: Actor): Promise<Author['can'] | undefined> {
  if (userId === anonymousActor.userId) return () => true;
  if (userId === adminTokenUserId) return (await hasAdminTokenNamed(db, name)) ? () => true : undefined;
  const [account] = await findAccounts(db, [userId]);
  if (account === undefined) return undefined;
  const rights = await readAccessRights(db, account.id);
  return (permission, scope) => rights.can(permission, scope);
}
