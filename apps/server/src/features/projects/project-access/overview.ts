import {
  type Account,
  findAccount,
  listAccounts,
  listRoles,
  presentAccount,
  presentRole,
  projectRolesOf,
  type Role,
  readAccessRights,
} from '#features/people/access/index.ts';
import { listGroups } from '#features/people/groups/index.ts';
import { knownPermissions, presentPermission } from '#features/projects/roles/index.ts';
import type { PermissionScope } from '#kernel/actor.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';

/** Returns the root role, projects and groups of every account, with seven statements. */
export async function accessOverview(db: Db) {
  const [people, services, groups, roles, own] = await Promise.all([
    listAccounts(db, 'user'),
    listAccounts(db, 'service-account'),
    listGroups(db),
    listRoles(db),
    db.selectFrom('project_user_roles').select(['user_id', 'project']).distinct().orderBy('project').execute(),
  ]);
  const nameOf = new Map(roles.map(({ id, name }) => [id, name]));
  const ownOf = Map.groupBy(own, (row) => row.user_id);
  const memberships = groups.flatMap((group) => group.members.map(({ account }) => ({ id: account.id, group })));
  const groupsOf = Map.groupBy(memberships, ({ id }) => id);
  return [...people, ...services].map((account) => {
    const belongsTo = (groupsOf.get(account.id) ?? []).map(({ group }) => group);
    return {
      userId: account.id,
      userName: account.name ?? account.username,
      userEmail: account.email,
      accountType: presentAccount(account).accountType,
      createdAt: isoTime(account.createdAt),
      lastSeen: isoTimeOrNull(account.seenAt),
      rootRole: nameOf.get(account.rootRole) ?? '',
      accessibleProjects: (ownOf.get(account.id) ?? []).map(({ project }) => project),
      groups: belongsTo.map(({ name }) => name),
      groupProjects: [...new Set(belongsTo.flatMap(({ projects }) => projects))].toSorted(),
    };
  });
}

/** Returns the permissions of an account in the instance, a project and an environment. Rejects with 404 if unknown. */
export async function permissionOverview(db: Db, kind: Account['kind'], id: number, scope: PermissionScope) {
  const account = await findAccount(db, kind, id);
  if (account === undefined) throw new Problem('NotFoundError', `There is no ${kind.replace('-', ' ')} ${id}.`);
  const [accessRights, roles, projectRoles] = await Promise.all([
    readAccessRights(db, id),
    listRoles(db),
    scope.project === undefined ? [] : projectRolesOf(db, id, scope.project),
  ]);
  const permissionsOf = (type: string, scopeOfType: PermissionScope) =>
    knownPermissions
      .filter((permission) => permission.type === type)
      .map((permission) => ({
        ...presentPermission(permission, type === 'environment' ? (scopeOfType.environment ?? null) : null),
        hasPermission: accessRights.can(permission.name, scopeOfType),
      }));
  const projectRoleIds = new Set(projectRoles.map(({ roleId }) => roleId));
  return {
    overview: {
      root: permissionsOf('root', {}),
      project: permissionsOf('project', { project: scope.project }),
      environment: permissionsOf('environment', scope),
    },
    user: presentAccount(account),
    // Every account has an existing root role.
    rootRole: presentRole(roles.find((role) => role.id === account.rootRole) as Role),
    projectRoles: roles.filter((role) => projectRoleIds.has(role.id)).map(presentRole),
  };
}
