import type { PermissionScope } from '../kernel/actor.ts';
import type { Identity } from '../kernel/caller.ts';
import { Problem } from '../kernel/errors.ts';

/** No project has this id. */
export const noProject = '';

/**
 * A 403 that names what is missing, unless the caller holds one of the permissions in `scope`. Of a project that is hidden
 * from the caller it says what it would say if there were none: a 403 to some, and a 404 to those who may work in any.
 */
export function requirePermission(
  identity: Identity,
  permission: string | readonly string[],
  scope: PermissionScope,
): void {
  const needed = typeof permission === 'string' ? [permission] : permission;
  const hidden = scope.project !== undefined && identity.hidden.has(scope.project);
  const asked = hidden ? { ...scope, project: noProject } : scope;
  if (needed.some((one) => identity.can(one, asked))) {
    if (scope.project !== undefined) requireVisible(identity, scope.project);
    return;
  }
  throw permissionProblem(needed, `${scope.environment === undefined ? '' : `in ${scope.environment} `}to do this`);
}

/** Returns a 403 that says which permissions, one of which is needed, are missing for `purpose`. */
export function permissionProblem(permissions: readonly string[], purpose: string): Problem {
  const named =
    permissions.length === 1 ? `the permission ${permissions[0]}` : `one of the permissions ${permissions.join(', ')}`;
  const message = `You need ${named} ${purpose}.`;
  return new Problem('PermissionError', message, { details: [{ message }], extras: { permissions } });
}

/** A 404 as for a project that does not exist, when it is hidden from the caller (docs/spec#http-rules). */
export function requireVisible(identity: Identity, project: string): void {
  if (identity.hidden.has(project)) throw new Problem('NotFoundError', `There is no project ${project}.`);
}
