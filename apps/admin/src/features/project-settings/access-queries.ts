import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ProjectAccess = Answer<'GET /api/admin/projects/:projectId/access'>;

/** A user or a group with roles in a project. */
export interface Member {
  readonly kind: 'user' | 'group';
  readonly id: number;
  readonly name: string;
  readonly detail: string;
  readonly roles: readonly number[];
  readonly addedAt: string;
}

/** The members of a project and the available roles. */
export const projectAccessQuery = (projectId: string) =>
  apiQuery('GET /api/admin/projects/:projectId/access', { params: { projectId } });

/** Returns the name of a user. */
export function nameOf(user: {
  readonly id: number;
  readonly name?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly email?: string | null | undefined;
}): string {
  return user.name || user.username || user.email || `#${user.id}`;
}

/** Returns the members: groups first, each kind by name. */
export function membersOf({ users, groups }: ProjectAccess): readonly Member[] {
  const byName = (a: Member, b: Member) => a.name.localeCompare(b.name);
  return [
    ...groups
      .map(({ id, name, description, roles, addedAt }) => ({
        kind: 'group' as const,
        id,
        name,
        detail: description ?? '',
        roles,
        addedAt,
      }))
      .toSorted(byName),
    ...users
      .map((user) => ({
        kind: 'user' as const,
        id: user.id,
        name: nameOf(user),
        detail: user.accountType === 'Service Account' ? 'Service account' : (user.email ?? user.username ?? ''),
        roles: user.roles,
        addedAt: user.addedAt,
      }))
      .toSorted(byName),
  ];
}
