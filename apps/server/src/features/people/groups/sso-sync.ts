import type { Tx } from '#storage/tx.ts';
import { addMembers, mappingsColumn, removeMembers } from './store.ts';

/**
 * Syncs the groups of a user with the groups at the identity provider, `claimed`: adds the user to the groups that are
 * mapped to one of them, and removes the user from other mapped groups. Groups without a mapping are not changed.
 */
export async function syncMappedGroups(tx: Tx, userId: number, claimed: readonly string[]): Promise<void> {
  const mapped = await tx.db
    .selectFrom('user_groups as g')
    .leftJoin('group_users as m', (join) => join.onRef('m.group_id', '=', 'g.id').on('m.user_id', '=', userId))
    .select(['g.id', 'g.mappings_sso', 'm.user_id'])
    .where('g.mappings_sso', '<>', '[]')
    .orderBy('g.id')
    .execute();
  const claimedGroups = new Set(claimed);
  for (const { id: groupId, mappings_sso, user_id } of mapped) {
    const belongs = mappingsColumn.parse(mappings_sso, groupId).some((name) => claimedGroups.has(name));
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
