import type { Tx } from '#storage/tx.ts';
import { ownerRoleId } from './role.ts';

/**
 * Makes the creator of a project its Owner (docs/spec#project-access). Does nothing for a creator without an account,
 * such as an admin token, which is an administrator anyway.
 */
export async function makeOwner(tx: Tx, project: string): Promise<void> {
  const { userId } = tx.by.actor;
  const account = await tx.db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst();
  if (account === undefined) return;
  await tx.db
    .insertInto('project_user_roles')
    .values({ project, user_id: userId, role_id: ownerRoleId, added_at: tx.now })
    .execute();
}
