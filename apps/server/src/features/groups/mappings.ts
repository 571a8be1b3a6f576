import type { Tx } from '../../storage/tx.ts';
import { addMembers, removeMembers } from './store.ts';

/**
 * Puts a user into the groups that are mapped to one of `claimed`, which are groups at an identity provider, and takes
 * them out of those that are mapped to others. Groups that are mapped to none stay as they are.
 */
export async function followMappings(tx: Tx, userId: number, claimed: readonly string[]): Promise<void> {
  const mapped = await tx.db
    .selectFrom('user_groups as g')
    .leftJoin('group_users as m', (join) => join.onRef('m.group_id', '=', 'g.id').on('m.user_id', '=', userId))
    .select(['g.id', 'g.mappings_sso', 'm.user_id'])
    .where('g.mappings_sso', '<>', '[]')
    .orderBy('g.id')
    .execute();
  const theirs = new Set(claimed);
  for (const { id: groupId, mappings_sso, user_id } of mapped) {
    const belongs = (JSON.parse(mappings_sso) as string[]).some((name) => theirs.has(name));
    if (belongs === (user_id !== null)) continue;
    if (belongs) {
      await addMembers(tx, groupId, [userId]);
      tx.record({ type: 'group-user-added', data: { groupId, userId } });
    } else {
      await removeMembers(tx, groupId, [userId]);
      tx.record({ type: 'group-user-removed', preData: { groupId, userId } });
    }
  }
}
