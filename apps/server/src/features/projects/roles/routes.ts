import type { roleRoutes } from '@yardarm/contract';
import { listRoles, presentRole } from '#features/people/access/index.ts';
import { listEnvironments } from '#features/projects/environments/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { knownPermissions, presentGrants, presentPermission } from './permission.ts';

export function roleHandlers({ db, write }: Database): Handlers<typeof roleRoutes> {
  return {
    'GET /api/admin/permissions': async () => {
      const environments = await listEnvironments(db);
      const of = (type: string) => knownPermissions.filter((permission) => permission.type === type);
      const permissions = {
        root: knownPermissions
          .filter(({ ofRootRoles }) => ofRootRoles)
          .map((permission) => presentPermission(permission)),
        project: of('project').map((permission) => presentPermission(permission)),
        environments: environments.map(({ name }) => ({
          name,
          permissions: of('environment').map((permission) => presentPermission(permission, name)),
        })),
      };
      return { body: { version: 2, permissions } };
    },
    'GET /api/admin/roles': async () => ({ body: { version: 1, roles: (await listRoles(db)).map(presentRole) } }),
    'POST /api/admin/roles': async ({ body, author }) => {
      const role = await write(author, (tx) => commands.createRole(tx, body));
      return { body: { version: 1, roles: presentRole(role) } };
    },
    'POST /api/admin/roles/validate': async ({ body }) => {
      await commands.checkRole(db, body);
    },
    'GET /api/admin/roles/:roleId': async ({ params }) => {
      const { role, grants } = await commands.requireRole(db, params.roleId);
      return { body: { ...presentRole(role), permissions: presentGrants(grants) } };
    },
    'PUT /api/admin/roles/:roleId': async ({ params, body, author }) => {
      const role = await write(author, (tx) => commands.updateRole(tx, params.roleId, body));
      return { body: { version: 1, roles: presentRole(role) } };
    },
    'DELETE /api/admin/roles/:roleId': async ({ params, author }) =>
      write(author, (tx) => commands.deleteRole(tx, params.roleId)),
  };
}
