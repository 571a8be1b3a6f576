import type { projectAccessRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf, type RequestInfo } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/tx.ts';
import { findAccounts, listAccounts, listRoles, presentAccount, presentRole } from '../access/index.ts';
import { listGroups, presentGroup } from '../groups/index.ts';
import { requireProject } from '../projects/index.ts';
import * as commands from './commands.ts';
import { isForProjects } from './holding.ts';
import { accessOverview, permissionOverview } from './overview.ts';
import { presentMembers } from './present.ts';
import { listHoldings, usesOfRole } from './store.ts';

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
      return { status: 200, body: { projects: uses.map((use) => ({ ...use, role: roleId })) } };
    },
    'GET /api/admin/access/overview': async () => ({ status: 200, body: { overview: await accessOverview(db) } }),
    'GET /api/admin/user-admin/:id/permissions': async ({ params, query }) => ({
      status: 200,
      body: await permissionOverview(db, 'user', params.id, query),
    }),
    'GET /api/admin/service-account/:id/permissions': async ({ params, query }) => ({
      status: 200,
      body: await permissionOverview(db, 'service-account', params.id, query),
    }),
    'GET /api/admin/user-admin/access': async () => {
      const [people, services, groups] = await Promise.all([
        listAccounts(db, 'user'),
        listAccounts(db, 'service-account'),
        listGroups(db),
      ]);
      const users = [...people, ...services].map(presentAccount);
      return { status: 200, body: { users, groups: groups.map(presentGroup) } };
    },
  };
}

function memberHandlers({ db, write }: Database): Pick<AllHandlers, ProjectRoute> {
  const done = async (
    { projectId, caller, request }: { projectId: string; caller: Identity; request: RequestInfo },
    change: (tx: Tx, changing: commands.Changing) => Promise<void>,
  ) => {
    await write(authorOf(caller, request), (tx) => change(tx, { project: projectId, caller }));
    return { status: 200 as const };
  };
  return {
    'GET /api/admin/projects/:projectId/access': async ({ params: { projectId } }) => {
      await requireProject(db, projectId);
      const [holdings, roles] = await Promise.all([listHoldings(db, projectId), listRoles(db)]);
      const idsOf = (kind: 'user' | 'group') => [
        ...new Set(holdings.filter((one) => one.kind === kind).map(({ holderId }) => holderId)),
      ];
      const [accounts, groups] = await Promise.all([findAccounts(db, idsOf('user')), listGroups(db, idsOf('group'))]);
      const body = presentMembers(holdings, accounts, groups);
      return { status: 200, body: { ...body, roles: roles.filter(isForProjects).map(presentRole) } };
    },
    'POST /api/admin/projects/:projectId/access': async ({ params, body, caller, request }) => {
      const mappings = body.roles.map((roleId) => ({ roleId, userIds: body.users, groupIds: body.groups }));
      return done({ ...params, caller, request }, (tx, at) => commands.addAccess(tx, at, mappings));
    },
    'PUT /api/admin/projects/:projectId/access': async ({ params, body, caller, request }) => {
      const mappings = body.roles.map(({ id, users, groups }) => ({ roleId: id, userIds: users, groupIds: groups }));
      return done({ ...params, caller, request }, (tx, at) => commands.setAccess(tx, at, mappings));
    },
    'PUT /api/admin/projects/:projectId/users/:userId/roles': async ({ params, body, caller, request }) => {
      const holder = { kind: 'user' as const, holderId: params.userId };
      return done({ ...params, caller, request }, (tx, at) => commands.setRoles(tx, at, holder, body.roles));
    },
    'DELETE /api/admin/projects/:projectId/users/:userId/roles': async ({ params, caller, request }) => {
      const holder = { kind: 'user' as const, holderId: params.userId };
      return done({ ...params, caller, request }, (tx, at) => commands.removeRoles(tx, at, holder));
    },
    'PUT /api/admin/projects/:projectId/groups/:groupId/roles': async ({ params, body, caller, request }) => {
      const holder = { kind: 'group' as const, holderId: params.groupId };
      return done({ ...params, caller, request }, (tx, at) => commands.setRoles(tx, at, holder, body.roles));
    },
    'DELETE /api/admin/projects/:projectId/groups/:groupId/roles': async ({ params, caller, request }) => {
      const holder = { kind: 'group' as const, holderId: params.groupId };
      return done({ ...params, caller, request }, (tx, at) => commands.removeRoles(tx, at, holder));
    },
  };
}
