import type { Check, RouteKey, RouteSpec } from '@yardarm/contract';
import { AccessRights } from './access-rights.ts';
import {
  adminRoleId,
  builtInGrants,
  editorRoleId,
  memberRoleId,
  ownerRoleId,
  readerRoleId,
  viewerRoleId,
} from './role.ts';

/** A column of the permission matrix: a caller with a built-in root role, or a Viewer with a built-in project role. */
export interface MatrixColumn {
  readonly name: string;
  /** Null for a caller who is not logged in. */
  readonly rootRole: number | null;
  readonly projectRole: number | null;
}

export const matrixColumns: readonly MatrixColumn[] = [
  { name: 'Admin', rootRole: adminRoleId, projectRole: null },
  { name: 'Editor', rootRole: editorRoleId, projectRole: null },
  { name: 'Viewer', rootRole: viewerRoleId, projectRole: null },
  { name: 'Owner', rootRole: viewerRoleId, projectRole: ownerRoleId },
  { name: 'Member', rootRole: viewerRoleId, projectRole: memberRoleId },
  { name: 'Reader', rootRole: viewerRoleId, projectRole: readerRoleId },
  { name: 'anonymous', rootRole: null, projectRole: null },
];

/**
 * Returns whether the permission matrix has a row for a route. Routes of SDKs and signals have none: they take tokens,
 * not roles.
 */
export function isInMatrix({ access }: RouteSpec): boolean {
  return access === 'public' || access === 'signed-in' || typeof access === 'object';
}

/**
 * Returns the matrix rows of a route: one for each of its checks (one row when it has none), and one for each
 * restricted part of its answer.
 */
export function matrixRows({ checks, parts = [] }: RouteSpec): readonly (Check | undefined)[] {
  return [...(checks ?? [undefined]), ...parts];
}

/**
 * Returns whether, according to the contract, the caller of a column may use a route, or the part of it that `check`
 * protects. For a route of a project, the project is assumed to be open.
 */
export function mayCall(
  { rootRole, projectRole }: MatrixColumn,
  key: RouteKey,
  { access }: RouteSpec,
  check: Check | undefined,
): boolean {
  if (access === 'public') return true;
  if (rootRole === null) return false;
  const needed = [check?.permission ?? (typeof access === 'object' ? access.permission : [])].flat();
  if (needed.length === 0) return true;
  const project = 'this';
  const roles = [rootRole, ...(projectRole === null ? [] : [projectRole])];
  const rights = new AccessRights(
    {
      rootRoles: [rootRole],
      projectRoles: projectRole === null ? [] : [{ project, roleId: projectRole }],
      grants: new Map(roles.map((roleId) => [roleId, builtInGrants(roleId)])),
    },
    new Map(),
  );
  const isOfProject = key.includes('/:projectId') || check !== undefined;
  return needed.some((permission) => rights.can(permission, isOfProject ? { project, environment: 'any' } : {}));
}
