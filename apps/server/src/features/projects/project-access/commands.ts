import { grantsOfRoles, listRoles, ownerRoleId, unknownAccounts } from '#features/people/access/index.ts';
import { listGroups } from '#features/people/groups/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import {
  assignmentsOf,
  difference,
  isAssignedTo,
  isForProjects,
  mappingsOf,
  type RoleAssignment,
  type RoleMapping,
} from './role-assignment.ts';
import * as store from './store.ts';

/** The user or group whose roles a command changes. */
export type Assignee = Pick<RoleAssignment, 'kind' | 'assigneeId'>;

/** The project that a command changes, and the caller. */
export interface AccessTarget {
  readonly project: string;
  readonly caller: Identity;
}

/** Adds role assignments. Rejects with 400 for an unknown role, user or group. */
export async function addAccess(tx: Tx, target: AccessTarget, mappings: readonly RoleMapping[]): Promise<void> {
  const { project } = target;
  await requireProject(tx.db, project);
  await requireKnownIds(tx.db, mappings);
  const before = await store.listRoleAssignments(tx.db, project);
  const added = difference(assignmentsOf(mappings), before);
  if (added.length === 0) return;
  await change(tx, target, before, [...before, ...added]);
  tx.record({ type: 'project-access-added', project, data: { roles: mappingsOf(added) } });
}

/** Replaces all role assignments of the project. Rejects like {@link addAccess}. */
export async function setAccess(tx: Tx, target: AccessTarget, mappings: readonly RoleMapping[]): Promise<void> {
  const { project } = target;
  await requireProject(tx.db, project);
  await requireKnownIds(tx.db, mappings);
  const before = await store.listRoleAssignments(tx.db, project);
  if (!(await change(tx, target, before, assignmentsOf(mappings)))) return;
  tx.record({
    type: 'project-access-updated',
    project,
    preData: { roles: mappingsOf(before) },
    data: { roles: mappingsOf(assignmentsOf(mappings)) },
  });
}

/** Replaces the roles of one user or group. Rejects with 404 when it does not exist. */
export async function setRoles(
  tx: Tx,
  target: AccessTarget,
  assignee: Assignee,
  roleIds: readonly number[],
): Promise<void> {
  const { project } = target;
  await requireProject(tx.db, project);
  await requireAssignee(tx.db, assignee);
  await requireRoles(tx.db, roleIds);
  const before = await store.listRoleAssignments(tx.db, project);
  const desired = [...new Set(roleIds)].map((roleId) => ({ ...assignee, roleId }));
  const others = before.filter((assignment) => !isAssignedTo(assignee)(assignment));
  if (!(await change(tx, target, before, [...others, ...desired]))) return;
  tx.record({
    type: `project-access-${assignee.kind}-roles-updated`,
    project,
    preData: assigneeData(assignee, before.filter(isAssignedTo(assignee))),
    data: assigneeData(assignee, desired),
  });
}

/** Removes all roles of one user or group. Rejects with 404 when it has none in the project. */
export async function removeRoles(tx: Tx, target: AccessTarget, assignee: Assignee): Promise<void> {
  const { project } = target;
  await requireProject(tx.db, project);
  const before = await store.listRoleAssignments(tx.db, project);
  const removed = before.filter(isAssignedTo(assignee));
  if (removed.length === 0) {
    throw new Problem(
      'NotFoundError',
      `The ${assignee.kind} ${assignee.assigneeId} has no role in the project ${project}.`,
    );
  }
  await change(tx, target, before, difference(before, removed));
  tx.record({
    type: `project-access-${assignee.kind}-roles-deleted`,
    project,
    preData: assigneeData(assignee, removed),
  });
}

/** Stores the difference between `before` and `after`. Returns whether anything changed. */
async function change(
  tx: Tx,
  { project, caller }: AccessTarget,
  before: readonly RoleAssignment[],
  after: readonly RoleAssignment[],
): Promise<boolean> {
  const [added, removed] = [difference(after, before), difference(before, after)];
  if (added.length + removed.length === 0) return false;
  await requireMayAssign(tx.db, caller, project, [...added, ...removed]);
  const owned = (assignments: readonly RoleAssignment[]) => assignments.some(({ roleId }) => roleId === ownerRoleId);
  if (owned(before) && !owned(after)) {
    throw new Problem(
      'ProjectWithoutOwnerError',
      `The project ${project} must keep an Owner. Give another user or group the role Owner first.`,
    );
  }
  await store.deleteRoleAssignments(tx, project, removed);
  await store.insertRoleAssignments(tx, project, added);
  return true;
}

/**
 * Rejects with 403 unless the caller has every permission that the roles grant, to prevent privilege escalation.
 * Administrators may give every role, including roles with permissions that ADMIN does not imply.
 */
async function requireMayAssign(
  db: Db,
  caller: Identity,
  project: string,
  assignments: readonly RoleAssignment[],
): Promise<void> {
  if (caller.can('ADMIN')) return;
  const grants = await grantsOfRoles(db, [...new Set(assignments.map(({ roleId }) => roleId))]);
  const missing = [...grants.values()]
    .flat()
    .filter(
      ({ permission, environment }) => !caller.can(permission, { project, environment: environment ?? undefined }),
    )
    .map(({ permission }) => permission);
  if (missing.length === 0) return;
  const permissions = [...new Set(missing)];
  const message = `You cannot give or take a role with permissions that you lack in ${project}: ${permissions.join(', ')}.`;
  throw new Problem('PermissionError', message, { details: [{ message }], extras: { permissions } });
}

async function requireKnownIds(db: Db, mappings: readonly RoleMapping[]): Promise<void> {
  await requireRoles(
    db,
    mappings.map(({ roleId }) => roleId),
  );
  const unknownUsers = await unknownAccounts(db, [...new Set(mappings.flatMap(({ userIds }) => userIds))]);
  if (unknownUsers.length > 0) throw badField('users', `contains unknown users: ${unknownUsers.join(', ')}`);
  const unknown = await unknownGroups(db, [...new Set(mappings.flatMap(({ groupIds }) => groupIds))]);
  if (unknown.length > 0) throw badField('groups', `contains unknown groups: ${unknown.join(', ')}`);
}

async function requireRoles(db: Db, roleIds: readonly number[]): Promise<void> {
  const known = new Set((await listRoles(db)).filter(isForProjects).map(({ id }) => id));
  const unknown = roleIds.filter((id) => !known.has(id));
  if (unknown.length > 0) throw badField('roles', `contains ids that are not project roles: ${unknown.join(', ')}`);
}

async function requireAssignee(db: Db, { kind, assigneeId }: Assignee): Promise<void> {
  const unknown = kind === 'user' ? await unknownAccounts(db, [assigneeId]) : await unknownGroups(db, [assigneeId]);
  if (unknown.length > 0) throw new Problem('NotFoundError', `There is no ${kind} ${assigneeId}.`);
}

async function unknownGroups(db: Db, ids: readonly number[]): Promise<number[]> {
  const known = new Set((await listGroups(db, ids)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

function assigneeData({ kind, assigneeId }: Assignee, assigned: readonly RoleAssignment[]): Record<string, unknown> {
  const roles = assigned.map(({ roleId }) => roleId).toSorted((a, b) => a - b);
  return { roles, [kind === 'user' ? 'userId' : 'groupId']: assigneeId };
}
