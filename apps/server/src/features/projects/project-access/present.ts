import { type Account, presentAccount } from '#features/people/access/index.ts';
import { type GroupView, presentGroup } from '#features/people/groups/index.ts';
import { isoTime } from '#kernel/clock.ts';
import { firstOf } from '#kernel/lists.ts';
import { type DatedRoleAssignment, isAssignedTo } from './role-assignment.ts';

/** Presents users and groups with their roles in a project, without the `hidden` projects of the groups. */
export function presentMembers(
  assignments: readonly DatedRoleAssignment[],
  accounts: readonly Account[],
  groups: readonly GroupView[],
  hidden: ReadonlySet<string>,
) {
  return {
    users: accounts.map((account) => ({
      ...presentAccount(account),
      ...presentRoles(assignments.filter(isAssignedTo({ kind: 'user', assigneeId: account.id }))),
    })),
    groups: groups.map((group) => ({
      ...presentGroup({ ...group, projects: group.projects.filter((project) => !hidden.has(project)) }),
      ...presentRoles(assignments.filter(isAssignedTo({ kind: 'group', assigneeId: group.id }))),
    })),
  };
}

/** Presents the roles of one user or group. `assigned` must not be empty. */
function presentRoles(assigned: readonly DatedRoleAssignment[]) {
  const roles = assigned.map(({ roleId }) => roleId);
  return {
    addedAt: isoTime(Math.min(...assigned.map(({ addedAt }) => addedAt))),
    roleId: firstOf(roles),
    roles,
  };
}
