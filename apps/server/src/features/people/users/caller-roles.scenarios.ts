import { givenGroup, giveRoles } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';

const route = 'GET /api/admin/user/roles';

export const callerRolesScenarios: readonly Scenario[] = [
  {
    route,
    name: 'returns the root roles of a user and its groups',
    as: 'anonymous',
    given: async (server) => {
      const user = await givenUser(server);
      await givenGroup(server, [user.id], { rootRole: 2 });
      return { headers: await logIn(server.anonymous, user) };
    },
    answer: { version: 1, roles: [{ name: 'Editor' }, { name: 'Viewer' }] },
  },
  {
    route,
    name: 'returns the roles in a project, including those of groups',
    as: 'anonymous',
    given: async (server) => {
      const user = await givenUser(server);
      const projectId = await givenProject(server);
      await giveRoles(server, projectId, [5], { users: [user.id] });
      await giveRoles(server, projectId, [4], { groups: [(await givenGroup(server, [user.id])).id] });
      return { headers: await logIn(server.anonymous, user), query: { projectId } };
    },
    answer: { version: 1, roles: [{ name: 'Owner' }, { name: 'Member' }] },
  },
  { route, name: 'returns the role Admin for an admin token', answer: { roles: [{ name: 'Admin' }] } },
  { route, name: 'answers 404 for an unknown project', call: { query: { projectId: 'nowhere' } }, status: 404 },
  ...refusedTo('viewer', route, 404, {
    'answers 404 for a hidden project': async (server) => {
      const { json } = await server.admin.call('POST /api/admin/projects', {
        body: { id: 'hidden-from-you', name: 'Hidden', mode: 'private' },
      });
      return { query: { projectId: json.id } };
    },
  }),
];
