import { givenGroup, giveRoles } from '#testing/access.ts';
import type { Call } from '#testing/client.ts';
import { givenProject } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

/** Prepares a request to a new project; `make` gets the ids of a user and a group. */
function about(make: (ids: { userId: number; groupId: number }) => object, alreadyGiven: readonly number[] = []) {
  return async (server: TestServer): Promise<Call> => {
    const projectId = await givenProject(server);
    const { id: userId } = await givenUser(server);
    const { id: groupId } = await givenGroup(server);
    if (alreadyGiven.length > 0)
      await giveRoles(server, projectId, alreadyGiven, { users: [userId], groups: [groupId] });
    const made: Call & { params?: object } = make({ userId, groupId });
    return { ...made, params: { projectId, ...made.params } };
  };
}

const adding: readonly Scenario[] = [
  {
    route: 'POST /api/admin/projects/:projectId/access',
    name: 'gives roles to users and groups and records only new assignments',
    given: about(({ userId, groupId }) => ({ body: { roles: [5, 6], users: [userId], groups: [groupId] } }), [6]),
    events: [{ type: 'project-access-added', preData: null, data: { roles: [{ roleId: 5 }] } }],
  },
  ...refused('POST /api/admin/projects/:projectId/access', 400, {
    'answers 400 for a root role': about(({ userId }) => ({ body: { roles: [1], users: [userId], groups: [] } })),
    'answers 400 for an unknown user': about(() => ({ body: { roles: [5], users: [99999], groups: [] } })),
    'answers 400 for an unknown group': about(() => ({ body: { roles: [5], users: [], groups: [99999] } })),
  }),
];

const setting: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/projects/:projectId/access',
    name: 'sets all roles at once',
    given: about(({ userId, groupId }) => ({ body: { roles: [{ id: 4, users: [userId], groups: [groupId] }] } }), [6]),
    events: [{ type: 'project-access-updated', preData: { roles: [{ roleId: 6 }] }, data: { roles: [{ roleId: 4 }] } }],
  },
  {
    route: 'PUT /api/admin/projects/:projectId/access',
    name: 'removes a role that is sent without users and groups',
    given: about(({ userId }) => ({ body: { roles: [{ id: 4, users: [userId] }, { id: 6 }] } }), [6]),
    events: [{ type: 'project-access-updated', data: { roles: [{ roleId: 4, groupIds: [] }] } }],
  },
  ...refused('PUT /api/admin/projects/:projectId/access', 409, {
    'answers 409 for removing the last Owner': about(
      ({ userId }) => ({ body: { roles: [{ id: 5, users: [userId], groups: [] }] } }),
      [4],
    ),
  }),
  {
    route: 'PUT /api/admin/projects/:projectId/users/:userId/roles',
    name: 'sets the roles of a user',
    given: about(({ userId }) => ({ params: { userId }, body: { roles: [5, 4] } }), [6]),
    events: [{ type: 'project-access-user-roles-updated', preData: { roles: [6] }, data: { roles: [4, 5] } }],
  },
  ...refused('PUT /api/admin/projects/:projectId/users/:userId/roles', 400, {
    'answers 400 for an unknown role': about(({ userId }) => ({ params: { userId }, body: { roles: [99999] } })),
  }),
  {
    route: 'PUT /api/admin/projects/:projectId/groups/:groupId/roles',
    name: 'sets the roles of a group',
    given: about(({ groupId }) => ({ params: { groupId }, body: { roles: [4] } }), [5, 6]),
    events: [{ type: 'project-access-group-roles-updated', preData: { roles: [5, 6] }, data: { roles: [4] } }],
  },
];

const removing: readonly Scenario[] = [
  {
    route: 'DELETE /api/admin/projects/:projectId/users/:userId/roles',
    name: 'removes all roles of a user',
    given: about(({ userId }) => ({ params: { userId } }), [5, 6]),
    events: [{ type: 'project-access-user-roles-deleted', data: null, preData: { roles: [5, 6] } }],
  },
  ...refused('DELETE /api/admin/projects/:projectId/users/:userId/roles', 404, {
    'answers 404 when there is no role to remove': about(({ userId }) => ({ params: { userId } })),
  }),
  {
    route: 'DELETE /api/admin/projects/:projectId/groups/:groupId/roles',
    name: 'removes all roles of a group',
    given: about(({ groupId }) => ({ params: { groupId } }), [6]),
    events: [{ type: 'project-access-group-roles-deleted', data: null, preData: { roles: [6] } }],
  },
  ...refused('DELETE /api/admin/projects/:projectId/groups/:groupId/roles', 404, {
    'answers 404 when there is no role to remove': about(({ groupId }) => ({ params: { groupId } })),
  }),
];

export const changingScenarios: readonly Scenario[] = [...adding, ...setting, ...removing];
