import type { Role } from '#features/people/access/index.ts';

/** A role that a user or a group has in a project. */
export interface RoleAssignment {
  readonly kind: 'user' | 'group';
  readonly assigneeId: number;
  readonly roleId: number;
}

export interface DatedRoleAssignment extends RoleAssignment {
  readonly addedAt: number;
}

/** The users and groups with a role, in the format of requests and events (docs/spec#event-types). */
export interface RoleMapping {
  readonly roleId: number;
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}

export function assignmentsOf(mappings: readonly RoleMapping[]): RoleAssignment[] {
  const all = mappings.flatMap(({ roleId, userIds, groupIds }) => [
    ...userIds.map((assigneeId) => ({ kind: 'user' as const, assigneeId, roleId })),
    ...groupIds.map((assigneeId) => ({ kind: 'group' as const, assigneeId, roleId })),
  ]);
  return [...new Map(all.map((assignment) => [keyOf(assignment), assignment])).values()];
}

export function mappingsOf(assignments: readonly RoleAssignment[]): RoleMapping[] {
  const idsOf = (assigned: readonly RoleAssignment[], kind: RoleAssignment['kind']) =>
    assigned
      .filter((assignment) => assignment.kind === kind)
      .map(({ assigneeId }) => assigneeId)
      .toSorted((a, b) => a - b);
  return [...Map.groupBy(assignments, ({ roleId }) => roleId)]
    .map(([roleId, assigned]) => ({ roleId, groupIds: idsOf(assigned, 'group'), userIds: idsOf(assigned, 'user') }))
    .toSorted((a, b) => a.roleId - b.roleId);
}

/** Returns the assignments that are not in `others`. */
export function difference<H extends RoleAssignment>(
  assignments: readonly H[],
  others: readonly RoleAssignment[],
): H[] {
  const known = new Set(others.map(keyOf));
  return assignments.filter((assignment) => !known.has(keyOf(assignment)));
}

export function isAssignedTo({
  kind,
  assigneeId,
}: Pick<RoleAssignment, 'kind' | 'assigneeId'>): (assignment: RoleAssignment) => boolean {
  return (assignment) => assignment.kind === kind && assignment.assigneeId === assigneeId;
}

/** Returns whether a role can be given in projects. */
export function isForProjects({ type }: Pick<Role, 'type'>): boolean {
  return type === 'project' || type === 'custom';
}

function keyOf({ kind, assigneeId, roleId }: RoleAssignment): string {
  return `${kind} ${assigneeId} ${roleId}`;
}
