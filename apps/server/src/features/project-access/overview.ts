import type { PermissionScope } from '../../kernel/actor.ts';
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
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
} from '../access/index.ts';
import { listGroups } from '../groups/index.ts';
import { knownPermissions, presentPermission } from '../roles/index.ts';

/** What every account belongs to. Seven statements, however many accounts there are. */
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

/** What an account may do in the instance, in a project and in an environment of it; a 404 when there is none. */
export async function permissionOverview(db: Db, kind: Account['kind'], id: number, scope: PermissionScope) {
  const account = await findAccount(db, kind, id);
  if (account === undefined) throw new Problem('NotFoundError', `There is no ${kind.replace('-', ' ')} ${id}.`);
  const [standing, roles, held] = await Promise.all([
    readAccessRights(db, id),
    listRoles(db),
    scope.project === undefined ? [] : projectRolesOf(db, id, scope.project),
  ]);
  const heldOf = (type: string, asked: PermissionScope) =>
    knownPermissions
      .filter((permission) => permission.type === type)
      .map((permission) => ({
        ...presentPermission(permission, type === 'environment' ? (asked.environment ?? null) : null),
        hasPermission: standing.can(permission.name, asked),
      }));
  const heldIds = new Set(held.map(({ roleId }) => roleId));
  return {
    overview: {
      root: heldOf('root', {}),
      project: heldOf('project', { project: scope.project }),
      environment: heldOf('environment', scope),
    },
    user: presentAccount(account),
    // An account always has a root role that exists.
    rootRole: presentRole(roles.find((role) => role.id === account.rootRole) as Role),
    projectRoles: roles.filter((role) => heldIds.has(role.id)).map(presentRole),
  };
}
