import type { projectAccessRoutes } from '@yardarm/contract';
import { findAccounts, listAccounts, listRoles, presentAccount, presentRole } from '#features/people/access/index.ts';
import { listGroups, presentGroup } from '#features/people/groups/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import * as commands from './commands.ts';
import { accessOverview, permissionOverview } from './overview.ts';
import { presentMembers } from './present.ts';
import { isForProjects } from './role-assignment.ts';
import { listRoleAssignments, usesOfRole } from './store.ts';

type AllHandlers = Handlers<typeof projectAccessRoutes>;
type ProjectRoute = Extract<keyof AllHandlers, `${string}/projects/:projectId/${string}`>;

export function projectAccessHandlers(database: Database): AllHandlers {
  const { db } = database;
  return {
    ...memberHandlers(database),
    'GET /api/admin/projects/roles/:roleId/access': async ({ params: { roleId }, caller }) => {
      if (!(await listRoles(db)).some(({ id }) => id === roleId))
        throw new Problem('NotFoundError', `There is no role ${roleId}.`);
      const uses = (await usesOfRole(db, roleId)).filter(({ project }) => !caller.hidden.has(project));
      return { body: { projects: uses.map((use) => ({ ...use, role: roleId })) } };
    },
    'GET /api/admin/access/overview': async () => ({ body: { overview: await accessOverview(db) } }),
    'GET /api/admin/user-admin/:id/permissions': async ({ params, query }) => ({
      body: await permissionOverview(db, 'user', params.id, query),
    }),
    'GET /api/admin/service-account/:id/permissions': async ({ params, query }) => ({
      body: await permissionOverview(db, 'service-account', params.id, query),
    }),
    'GET /api/admin/user-admin/access': async () => {
      const [people, services, groups] = await Promise.all([
        listAccounts(db, 'user'),
        listAccounts(db, 'service-account'),
        listGroups(db),
      ]);
      const users = [...people, ...services].map(presentAccount);
      return { body: { users, groups: groups.map(presentGroup) } };
    },
  };
}

function memberHandlers({ db, write }: Database): Pick<AllHandlers, ProjectRoute> {
  const runChange = (
    { projectId, author, caller }: { projectId: string; author: Author; caller: Identity },
    change: (tx: Tx, target: commands.AccessTarget) => Promise<void>,
  ) => write(author, (tx) => change(tx, { project: projectId, caller }));
  return {
    'GET /api/admin/projects/:projectId/access': async ({ params: { projectId }, caller }) => {
      await requireProject(db, projectId);
      const [assignments, roles] = await Promise.all([listRoleAssignments(db, projectId), listRoles(db)]);
      const idsOf = (kind: 'user' | 'group') => [
        ...new Set(assignments.filter((assignment) => assignment.kind === kind).map(({ assigneeId }) => assigneeId)),
      ];
      const [accounts, groups] = await Promise.all([findAccounts(db, idsOf('user')), listGroups(db, idsOf('group'))]);
      const body = presentMembers(assignments, accounts, groups, caller.hidden);
      return { body: { ...body, roles: roles.filter(isForProjects).map(presentRole) } };
    },
    'POST /api/admin/projects/:projectId/access': async ({ params, body, author, caller }) => {
      const mappings = body.roles.map((roleId) => ({ roleId, userIds: body.users, groupIds: body.groups }));
      return runChange({ ...params, author, caller }, (tx, target) => commands.addAccess(tx, target, mappings));
    },
    'PUT /api/admin/projects/:projectId/access': async ({ params, body, author, caller }) => {
      const mappings = body.roles.map(({ id, users, groups }) => ({ roleId: id, userIds: users, groupIds: groups }));
      return runChange({ ...params, author, caller }, (tx, target) => commands.setAccess(tx, target, mappings));
    },
    'PUT /api/admin/projects/:projectId/users/:userId/roles': async ({ params, body, author, caller }) => {
      const assignee = { kind: 'user' as const, assigneeId: params.userId };
      return runChange({ ...params, author, caller }, (tx, target) =>
        commands.setRoles(tx, target, assignee, body.roles),
      );
    },
    'DELETE /api/admin/projects/:projectId/users/:userId/roles': async ({ params, author, caller }) => {
      const assignee = { kind: 'user' as const, assigneeId: params.userId };
      return runChange({ ...params, author, caller }, (tx, target) => commands.removeRoles(tx, target, assignee));
    },
    'PUT /api/admin/projects/:projectId/groups/:groupId/roles': async ({ params, body, author, caller }) => {
      const assignee = { kind: 'group' as const, assigneeId: params.groupId };
      return runChange({ ...params, author, caller }, (tx, target) =>
        commands.setRoles(tx, target, assignee, body.roles),
      );
    },
    'DELETE /api/admin/projects/:projectId/groups/:groupId/roles': async ({ params, author, caller }) => {
      const assignee = { kind: 'group' as const, assigneeId: params.groupId };
      return runChange({ ...params, author, caller }, (tx, target) => commands.removeRoles(tx, target, assignee));
    },
  };
}
