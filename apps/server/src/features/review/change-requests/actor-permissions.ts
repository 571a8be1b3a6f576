import { findAccounts, readAccessRights } from '#features/people/access/index.ts';
import { hasAdminTokenNamed } from '#features/people/api-tokens/index.ts';
import { type Actor, type Author, adminTokenUserId, anonymousActor } from '#kernel/actor.ts';
import type { Tx } from '#storage/tx.ts';

/**
 * Returns the permission check of an account or token from the stored roles, for work that runs outside an HTTP
 * request. Undefined when the account or token was deleted, or when the token has expired.
 */
export async function permissionCheckOf(
  { db, now }: Pick<Tx, 'db' | 'now'>,
  { userId, name }: Actor,
): Promise<Author['can'] | undefined> {
  if (userId === anonymousActor.userId) return () => true;
  if (userId === adminTokenUserId) return (await hasAdminTokenNamed(db, name, now)) ? () => true : undefined;
  const [account] = await findAccounts(db, [userId]);
  if (account === undefined) return undefined;
  const accessRights = await readAccessRights(db, account.id);
  return (permission, scope) => accessRights.can(permission, scope);
}
