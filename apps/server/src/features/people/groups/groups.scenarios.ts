import { expect } from 'vitest';
import { givenGroup, giveRoles } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { givenUser } from '#testing/people.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const byGroup = async (server: TestServer) => ({
  params: { groupId: (await givenGroup(server, [(await givenUser(server)).id])).id },
});

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/admin/groups',
    name: 'lists groups with their users and projects',
    given: async (server) => {
      const { id } = await givenGroup(server, [(await givenUser(server)).id]);
      await giveRoles(server, await givenProject(server), [5], { groups: [id] });
      return {};
    },
    check: ({ json }) => {
      expect(json.groups.at(-1)).toMatchObject({
        userCount: 1,
        users: [{ user: { accountType: 'User', name: 'A person' }, createdBy: 'admin' }],
        projects: [expect.stringMatching(/^project-/)],
        mappingsSSO: [],
        rootRole: null,
      });
    },
  },
  {
    route: 'GET /api/admin/groups/:groupId',
    name: 'returns a group',
    given: byGroup,
    answer: { userCount: 1 },
  },
];

const creating: readonly Scenario[] = [
  {
    route: 'POST /api/admin/groups',
    name: 'creates a group of users with a root role',
    given: async (server) => {
      const { id } = await givenUser(server);
      const users = [{ user: { id } }, { user: { id } }];
      return { body: { name: 'Designers', description: 'd', mappingsSSO: ['a', 'b', 'a'], rootRole: 2, users } };
    },
    answer: { name: 'Designers', description: 'd', mappingsSSO: ['a', 'b'], rootRole: 2, userCount: 1, projects: [] },
    events: [
      {
        type: 'group-created',
        project: null,
        preData: null,
        data: { name: 'Designers', description: 'd', mappingsSSO: ['a', 'b'], rootRole: 2 },
      },
    ],
  },
  ...refused('POST /api/admin/groups', 409, {
    'refuses a name that is taken': async (server) => ({ body: { name: (await givenGroup(server)).name } }),
  }),
  ...refused('POST /api/admin/groups', 400, {
    'refuses an unknown user': { body: { name: 'Ghosts', users: [{ user: { id: 99999 } }] } },
    'refuses a project role as the root role': { body: { name: 'Owners', rootRole: 4 } },
  }),
];

const changing: readonly Scenario[] = [
  {
    route: 'PUT /api/admin/groups/:groupId',
    name: 'sets the members and records the old and the new fields',
    given: async (server) => {
      const [{ id: first }, { id: second }, { id: third }] = [
        await givenUser(server),
        await givenUser(server),
        await givenUser(server),
      ];
      const { id } = await givenGroup(server, [first, second]);
      return {
        params: { groupId: id },
        body: { name: 'Changed group', rootRole: 3, users: [{ user: { id: second } }, { user: { id: third } }] },
      };
    },
    answer: { name: 'Changed group', rootRole: 3, userCount: 2 },
    events: [{ type: 'group-updated', preData: { rootRole: null }, data: { name: 'Changed group', rootRole: 3 } }],
  },
  {
    route: 'PUT /api/admin/groups/:groupId',
    name: 'keeps missing fields and records nothing when nothing changes',
    given: async (server) => {
      const { id, name } = await givenGroup(server, [(await givenUser(server)).id]);
      return { params: { groupId: id }, body: { name } };
    },
    answer: { userCount: 1 },
  },
  ...refused('PUT /api/admin/groups/:groupId', 409, {
    'refuses the name of another group': async (server) => ({
      ...(await byGroup(server)),
      body: { name: (await givenGroup(server)).name },
    }),
  }),
  {
    route: 'DELETE /api/admin/groups/:groupId',
    name: 'deletes a group with its roles in projects',
    given: async (server) => {
      const call = await byGroup(server);
      await giveRoles(server, await givenProject(server), [4], { groups: [call.params.groupId] });
      return call;
    },
    events: [{ type: 'group-deleted', data: null, preData: { mappingsSSO: [] } }],
  },
];

export const groupScenarios: readonly Scenario[] = [...reading, ...creating, ...changing];
