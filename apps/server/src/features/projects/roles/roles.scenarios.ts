import { expect } from 'vitest';
import { givenRole } from '#testing/access.ts';
import { freshName, givenEnvironment, givenProject } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const byRole = async (server: TestServer) => ({ params: { roleId: (await givenRole(server)).id } });
const owner = { params: { roleId: 4 } };

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/permissions',
    name: 'lists all permissions by their scope',
    as: 'viewer',
    check: ({ json }) => {
      expect(json.permissions.root).toContainEqual({
        id: expect.any(Number),
        name: 'CREATE_CLIENT_API_TOKEN',
        displayName: 'Create client API token',
        type: 'root',
      });
      expect(json.permissions.project.map(({ name }: { name: string }) => name)).toContain('UPDATE_PROJECT');
      const production = json.permissions.environments.find(({ name }: { name: string }) => name === 'production');
      expect(production.permissions).toContainEqual({
        id: expect.any(Number),
        name: 'UPDATE_FEATURE_ENVIRONMENT',
        displayName: 'Update feature environment',
        type: 'environment',
        environment: 'production',
      });
    },
  },
  {
    route: 'GET /api/admin/roles',
    name: 'lists the built-in roles',
    check: ({ json }) =>
      expect(json.roles.slice(0, 6)).toMatchObject([
        { id: 1, name: 'Admin', type: 'root', project: null },
        { id: 2, name: 'Editor', type: 'root' },
        { id: 3, name: 'Viewer', type: 'root' },
        { id: 4, name: 'Owner', type: 'project' },
        { id: 5, name: 'Member', type: 'project' },
        { id: 6, name: 'Reader', type: 'project' },
      ]),
  },
  {
    route: 'GET /api/admin/roles/:roleId',
    name: 'returns the permissions of a role',
    given: async (server) => {
      const permissions = [
        { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
        { name: 'UPDATE_FEATURE' },
      ];
      return { params: { roleId: (await givenRole(server, { permissions })).id } };
    },
    answer: {
      type: 'custom',
      permissions: [
        { name: 'UPDATE_FEATURE', type: 'project' },
        { name: 'UPDATE_FEATURE_ENVIRONMENT', type: 'environment', environment: 'production' },
      ],
    },
  },
  {
    route: 'GET /api/admin/roles/:roleId',
    name: 'returns a built-in role',
    call: { params: { roleId: 1 } },
    answer: { name: 'Admin', permissions: [{ name: 'ADMIN' }] },
  },
];

const creating: readonly Scenario[] = [
  {
    route: 'POST /api/admin/roles',
    name: 'creates a project role with permissions in one environment or in all',
    call: {
      body: {
        name: ' Release manager ',
        description: 'Switches flags',
        permissions: [
          { name: 'UPDATE_FEATURE', environment: '' },
          { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
          { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
          { name: 'CREATE_FEATURE_STRATEGY', environment: null },
          { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
        ],
      },
    },
    answer: { version: 1, roles: { name: 'Release manager', type: 'custom', project: null } },
    events: [
      {
        type: 'role-created',
        project: null,
        preData: null,
        data: {
          name: 'Release manager',
          description: 'Switches flags',
          type: 'custom',
          permissions: [
            { name: 'UPDATE_FEATURE' },
            { name: 'CREATE_FEATURE_STRATEGY' },
            { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'production' },
          ],
        },
      },
    ],
  },
  {
    route: 'POST /api/admin/roles',
    name: 'creates a root role from permission ids',
    given: async (server) => {
      const { json } = await server.admin.call('GET /api/admin/permissions');
      const { id } = json.permissions.root.find(({ name }: { name: string }) => name === 'READ_LOGS');
      return { body: { name: freshName('role'), type: 'root-custom', permissions: [{ id }] } };
    },
    answer: { roles: { type: 'root-custom' } },
    events: [{ type: 'role-created', data: { permissions: [{ name: 'READ_LOGS' }] } }],
  },
  ...refused('POST /api/admin/roles', 409, {
    'refuses a name that is taken, ignoring case': { body: { name: 'OWNER' } },
  }),
  ...refused('POST /api/admin/roles', 400, {
    'refuses an unknown permission': {
      body: { name: 'Strange', permissions: [{ name: 'UPDATE_FEATURE' }, { name: 'FLY' }] },
    },
    'refuses a root permission for a project role': { body: { name: 'Strange', permissions: [{ name: 'ADMIN' }] } },
    'refuses a project permission for a root role': {
      body: { name: 'Strange', type: 'root-custom', permissions: [{ name: 'UPDATE_PROJECT' }] },
    },
    'refuses an unknown environment': {
      body: { name: 'Strange', permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'mars' }] },
    },
    'refuses an environment for a permission without one': {
      body: { name: 'Strange', permissions: [{ name: 'UPDATE_FEATURE', environment: 'production' }] },
    },
  }),
  {
    route: 'POST /api/admin/roles/validate',
    name: 'answers 200 for a valid role, without creating it',
    call: { body: { name: 'Possible', permissions: [{ name: 'UPDATE_FEATURE' }] } },
  },
  ...refused('POST /api/admin/roles/validate', 409, {
    'refuses a name that is taken': { body: { name: 'Viewer' } },
  }),
];

const changing: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/roles/:roleId',
    name: 'updates a role and records the old and the new fields',
    given: async (server) => {
      const { id } = await givenRole(server, { permissions: [{ name: 'UPDATE_FEATURE' }] });
      return {
        params: { roleId: id },
        body: { name: 'Renamed role', description: 'new', permissions: [{ name: 'DELETE_FEATURE' }] },
      };
    },
    answer: { roles: { name: 'Renamed role', type: 'custom' } },
    events: [
      {
        type: 'role-updated',
        preData: { permissions: [{ name: 'UPDATE_FEATURE' }] },
        data: { name: 'Renamed role', description: 'new', permissions: [{ name: 'DELETE_FEATURE' }] },
      },
    ],
  },
  ...refused('PUT /api/admin/roles/:roleId', 403, {
    'refuses to change a built-in role': { ...owner, body: { name: 'Boss' } },
  }),
  ...refused('PUT /api/admin/roles/:roleId', 400, {
    'refuses to turn a project role into a root role': async (server) => ({
      ...(await byRole(server)),
      body: { name: freshName('role'), type: 'root-custom' },
    }),
  }),
  ...refused('PUT /api/admin/roles/:roleId', 409, {
    'refuses a name that another role has': async (server) => ({ ...(await byRole(server)), body: { name: 'Member' } }),
  }),
  {
    route: 'DELETE /api/admin/roles/:roleId',
    name: 'deletes an unused role',
    given: byRole,
    events: [{ type: 'role-deleted', data: null, preData: { type: 'custom', permissions: [] } }],
  },
  ...refused('DELETE /api/admin/roles/:roleId', 400, {
    'refuses to delete a role that a user has in a project': async (server) => {
      const { params } = await byRole(server);
      const body = { roles: [params.roleId], users: [(await givenUser(server)).id], groups: [] };
      const projectId = await givenProject(server);
      await server.admin.call('POST /api/admin/projects/:projectId/access', { params: { projectId }, body });
      return { params };
    },
    'refuses to delete a root role that a user has': async (server) => {
      const { id } = await givenRole(server, { type: 'root-custom' });
      await givenUser(server, id);
      return { params: { roleId: id } };
    },
    'refuses to delete the root role that single sign-on gives to new users': async (server) => {
      const { id } = await givenRole(server, { type: 'root-custom' });
      const body = { enabled: false, defaultRootRoleId: id };
      expect((await server.admin.call('POST /api/admin/auth/oidc/settings', { body })).status).toBe(200);
      return { params: { roleId: id } };
    },
  }),
  ...refused('DELETE /api/admin/roles/:roleId', 403, {
    'refuses to delete a built-in role': owner,
  }),
  {
    route: 'DELETE /api/admin/roles/:roleId',
    name: 'deletes a role with a permission in a deleted environment',
    given: async (server) => {
      const environment = await givenEnvironment(server);
      const { id } = await givenRole(server, { permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment }] });
      await server.admin.call('DELETE /api/admin/environments/:name', { params: { name: environment } });
      return { params: { roleId: id } };
    },
    events: [{ type: 'role-deleted', preData: { permissions: [] } }],
  },
];

export const roleScenarios: readonly Scenario[] = [...reading, ...creating, ...changing];
