import type { PermissionScope } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';

/** An id that no project has. */
export const noProject = '';

/**
 * Rejects with 403 that names the missing permission, unless the caller holds one of the permissions in `scope`. A
 * project that is hidden from the caller is treated like an unknown project: 403, or 404 for callers with the
 * permission in every project.
 */
export function requirePermission(
  identity: Identity,
  permission: string | readonly string[],
  scope: PermissionScope,
): void {
  const needed = typeof permission === 'string' ? [permission] : permission;
  const hidden = scope.project !== undefined && identity.hidden.has(scope.project);
  const checkedScope = hidden ? { ...scope, project: noProject } : scope;
  if (needed.some((name) => identity.can(name, checkedScope))) {
    if (scope.project !== undefined) requireVisible(identity, scope.project);
    return;
  }
  throw permissionProblem(needed, `${scope.environment === undefined ? '' : `in ${scope.environment} `}to do this`);
}

/** Returns a 403 that names the permissions, one of which is needed for `purpose`. */
export function permissionProblem(permissions: readonly string[], purpose: string): Problem {
  const named =
    permissions.length === 1 ? `the permission ${permissions[0]}` : `one of the permissions ${permissions.join(', ')}`;
  const message = `You need ${named} ${purpose}.`;
  return new Problem('PermissionError', message, { details: [{ message }], extras: { permissions } });
}

/** Rejects with the 404 of an unknown project when the project is hidden from the caller (docs/spec#http-rules). */
export function requireVisible(identity: Identity, project: string): void {
  if (identity.hidden.has(project)) throw unknownProject(project);
}

/** Returns the 404 of a project that does not exist, or that the caller must not learn of. */
export function unknownProject(project: string): Problem {
  return new Problem('NotFoundError', `There is no project ${project}.`);
}
