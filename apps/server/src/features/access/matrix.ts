import type { Check, RouteKey, RouteSpec } from '@yardarm/contract';
import {
  adminRoleId,
  builtInGrants,
  editorRoleId,
  memberRoleId,
  ownerRoleId,
  readerRoleId,
  viewerRoleId,
} from './role.ts';
import { Standing } from './standing.ts';

/** Somebody with a role that comes with the product: for the instance, or besides being a Viewer in the project at hand. */
export interface MatrixColumn {
  readonly name: string;
  /** Null for who has not come in at all. */
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
  { name: 'nobody', rootRole: null, projectRole: null },
];

/** Whether the permission matrix has a row for a route: senders of signals and SDKs have tokens instead of roles. */
export function isInMatrix({ access }: RouteSpec): boolean {
  return access === 'public' || access === 'signed-in' || typeof access === 'object';
}

/** What can be asked of a route, and the parts of its answer, that not everybody gets alike: a row of the permission matrix for each. */
export function matrixRows({ checks, parts = [] }: RouteSpec): readonly (Check | undefined)[] {
  return [...(checks ?? [undefined]), ...parts];
}

/**
 * Whether a route is open to somebody for what a check of it is about, by the contract alone; in an open project where it is
 * about one.
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
  const held = [rootRole, ...(projectRole === null ? [] : [projectRole])];
  const standing = new Standing(
    {
      rootRoles: [rootRole],
      projectRoles: projectRole === null ? [] : [{ project, roleId: projectRole }],
      grants: new Map(held.map((roleId) => [roleId, builtInGrants(roleId)])),
    },
    new Map(),
  );
  const isOfProject = key.includes('/:projectId') || check !== undefined;
  return needed.some((permission) => standing.can(permission, isOfProject ? { project, environment: 'any' } : {}));
}
