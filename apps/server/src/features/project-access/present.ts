import { isoTime } from '../../kernel/clock.ts';
import { type Account, presentAccount } from '../access/index.ts';
import { type GroupView, presentGroup } from '../groups/index.ts';
import { type DatedHolding, isHeldBy } from './holding.ts';

/** Users and groups with the roles they have in a project. */
export function presentMembers(
  holdings: readonly DatedHolding[],
  accounts: readonly Account[],
  groups: readonly GroupView[],
) {
  return {
    users: accounts.map((account) => ({
      ...presentAccount(account),
      ...presentHeld(holdings.filter(isHeldBy({ kind: 'user', holderId: account.id }))),
    })),
    groups: groups.map((group) => ({
      ...presentGroup(group),
      ...presentHeld(holdings.filter(isHeldBy({ kind: 'group', holderId: group.id }))),
    })),
  };
}

/** Of at least one. */
function presentHeld(held: readonly DatedHolding[]) {
  const roles = held.map(({ roleId }) => roleId);
  return {
    addedAt: isoTime(Math.min(...held.map(({ addedAt }) => addedAt))),
    roleId: roles[0] as number,
    roles,
  };
}
