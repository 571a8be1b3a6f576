import { type Account, presentAccount } from '#features/people/access/index.ts';
import { isoTime } from '#kernel/clock.ts';

/** A group of users that are given roles together. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** Groups at the identity provider whose members join this group when they log in. */
  readonly mappingsSSO: readonly string[];
  /** A root role that the members have in addition to their own. */
  readonly rootRole: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface GroupMember {
  readonly account: Account;
  readonly joinedAt: number;
  readonly createdBy: string;
}

/** A group with its users and the projects in which it has a role. */
export interface GroupView extends Group {
  readonly members: readonly GroupMember[];
  readonly projects: readonly string[];
}

/** Returns a group as events store it (docs/spec#event-types). */
export function groupEventData(group: Group, userIds: readonly number[]): Record<string, unknown> {
  const { id, name, description, mappingsSSO, rootRole } = group;
  return { id, name, description, mappingsSSO, rootRole, users: userIds };
}

export function presentGroup(group: GroupView) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    mappingsSSO: [...group.mappingsSSO],
    rootRole: group.rootRole,
    createdBy: group.createdBy,
    createdAt: isoTime(group.createdAt),
    users: group.members.map(({ account, joinedAt, createdBy }) => ({
      joinedAt: isoTime(joinedAt),
      createdBy,
      user: presentAccount(account),
    })),
    projects: [...group.projects],
    userCount: group.members.length,
  };
}
