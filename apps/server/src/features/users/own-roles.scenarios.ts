import { givenGroup, giveRoles } from '../../../testing/access.ts';
import { givenProject } from '../../../testing/flags.ts';
import { givenUser, logIn } from '../../../testing/people.ts';
import type { Scenario } from '../../../testing/scenario.ts';

const route = 'GET /api/admin/user/roles';

export const ownRolesScenarios: readonly Scenario[] = [
  {
    route,
    name: 'tells the root roles of a user, also those of its groups',
    as: 'nobody',
    given: async (server) => {
      const user = await givenUser(server);
      await givenGroup(server, [user.id], { rootRole: 2 });
      return { headers: await logIn(server.nobody, user) };
    },
    status: 200,
    answer: { version: 1, roles: [{ name: 'Editor' }, { name: 'Viewer' }] },
  },
  {
    route,
    name: 'tells the roles in a project, also those of groups',
    as: 'nobody',
    given: async (server) => {
      const user = await givenUser(server);
      const projectId = await givenProject(server);
      await giveRoles(server, projectId, [5], { users: [user.id] });
      await giveRoles(server, projectId, [4], { groups: [(await givenGroup(server, [user.id])).id] });
      return { headers: await logIn(server.nobody, user), query: { projectId } };
    },
    status: 200,
    answer: { version: 1, roles: [{ name: 'Owner' }, { name: 'Member' }] },
  },
  { route, name: 'tells an admin token its own', status: 200, answer: { roles: [{ name: 'Admin' }] } },
  { route, name: 'finds no other project', call: { query: { projectId: 'nowhere' } }, status: 404 },
  {
    route,
    name: 'finds no project that is hidden',
    as: 'viewer',
    given: async (server) => {
      const { json } = await server.admin.call('POST /api/admin/projects', {
        body: { id: 'hidden-from-you', name: 'Hidden', mode: 'private' },
      });
      return { query: { projectId: json.id } };
    },
    status: 404,
  },
];
