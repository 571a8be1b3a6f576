import { expect } from 'vitest';
import { givenCaller, givenGroup, givenMember, giveRoles } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { changingScenarios } from './changing.scenarios.ts';

/** Creates a project in which a user is Member and a group is Reader. */
async function givenPeople(server: TestServer) {
  const projectId = await givenProject(server);
  const { id: userId } = await givenUser(server);
  const { id: groupId } = await givenGroup(server, [userId]);
  await giveRoles(server, projectId, [5], { users: [userId] });
  await giveRoles(server, projectId, [6], { groups: [groupId] });
  return { projectId, userId, groupId };
}

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/projects/:projectId/access',
    name: 'lists users and groups with their roles, and the roles that can be given',
    given: async (server) => ({ params: { projectId: (await givenPeople(server)).projectId } }),
    answer: {
      users: [{ roleId: 5, roles: [5], isAPI: false }],
      groups: [{ roleId: 6, roles: [6], userCount: 1 }],
      roles: [{ name: 'Owner' }, { name: 'Member' }, { name: 'Reader' }],
    },
  },
  {
    route: 'GET /api/admin/projects/roles/:roleId/access',
    name: 'counts the users and groups with a role by project',
    call: { params: { roleId: 6 } },
    given: async (server) => {
      const { projectId } = await givenPeople(server);
      await givenMember(server, projectId, 6);
      return {};
    },
    check: ({ json }) =>
      expect(json.projects).toContainEqual({
        project: expect.any(String),
        role: 6,
        userCount: 0,
        serviceAccountCount: 1,
        groupCount: 1,
      }),
  },
];

const overviews: readonly Scenario[] = [
  {
    route: 'GET /api/admin/access/overview',
    name: 'lists every account with its projects and groups',
    given: async (server) => {
      await givenPeople(server);
      return {};
    },
    check: ({ json }) => {
      const last = json.overview.findLast(({ accountType }: { accountType: string }) => accountType === 'User');
      expect(last).toMatchObject({
        rootRole: 'Viewer',
        accessibleProjects: [expect.any(String)],
        groups: [expect.any(String)],
        groupProjects: last.accessibleProjects,
      });
    },
  },
  {
    route: 'GET /api/admin/user-admin/access',
    name: 'lists all users and groups that can get a role',
    as: 'viewer',
    given: async (server) => {
      await givenPeople(server);
      await givenCaller(server);
      return {};
    },
    check: ({ json }) => {
      expect(new Set(json.users.map((user: { accountType: string }) => user.accountType))).toEqual(
        new Set(['User', 'Service Account']),
      );
      expect(json.groups.at(-1)).toMatchObject({ userCount: 1, rootRole: null });
    },
  },
  {
    route: 'GET /api/admin/user-admin/:id/permissions',
    name: 'shows the permissions of a user in a project and an environment',
    given: async (server) => {
      const { projectId, userId } = await givenPeople(server);
      return { params: { id: userId }, query: { project: projectId, environment: 'production' } };
    },
    answer: { rootRole: { name: 'Viewer' }, projectRoles: [{ name: 'Member' }, { name: 'Reader' }] },
    check: ({ json: { overview } }) => {
      const has = (part: { name: string; hasPermission: boolean }[], name: string) =>
        part.find((permission) => permission.name === name)?.hasPermission;
      expect(has(overview.root, 'CREATE_PROJECT')).toBe(false);
      expect(has(overview.project, 'CREATE_FEATURE')).toBe(true);
      expect(has(overview.project, 'UPDATE_PROJECT')).toBe(false);
      expect(has(overview.environment, 'UPDATE_FEATURE_ENVIRONMENT')).toBe(true);
      expect(overview.environment[0].environment).toBe('production');
    },
  },
  {
    route: 'GET /api/admin/service-account/:id/permissions',
    name: 'shows the permissions of a service account',
    given: async (server) => ({ params: { id: (await givenCaller(server, 'Editor')).id } }),
    answer: { rootRole: { name: 'Editor' }, projectRoles: [] },
    check: ({ json: { overview } }) => {
      const assigned = overview.root.filter((permission: { hasPermission: boolean }) => permission.hasPermission);
      expect(assigned.map(({ name }: { name: string }) => name)).toContain('CREATE_PROJECT');
    },
  },
  ...refused('GET /api/admin/service-account/:id/permissions', 404, {
    'answers 404 for the id of a user': async (server) => ({ params: { id: (await givenUser(server)).id } }),
  }),
];

export const projectAccessScenarios: readonly Scenario[] = [...reading, ...overviews, ...changingScenarios];
