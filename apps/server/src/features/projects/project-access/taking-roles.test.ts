import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenGroup, givenRole, giveRoles } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const access = '/api/admin/projects/:projectId/access' as const;
const [owner, member] = [4, 5];
const server = useServer();

/** A project with two Owners, one of them a group, and a caller whose role lets give roles and little else. */
interface Place {
  readonly projectId: string;
  readonly userId: number;
  readonly groupId: number;
  readonly caller: Caller;
}

async function givenPlace(): Promise<Place> {
  const projectId = await givenProject(server());
  const { id: userId } = await givenCaller(server());
  const { id: groupId } = await givenGroup(server());
  await giveRoles(server(), projectId, [owner, member], { users: [userId], groups: [groupId] });
  const permissions = [{ name: 'PROJECT_USER_ACCESS_WRITE' }];
  const role = await givenRole(server(), { permissions });
  const caller = await givenCaller(server());
  await giveRoles(server(), projectId, [role.id], { users: [caller.id] });
  return { projectId, userId, groupId, caller };
}

const stranger = async () => (await givenCaller(server())).id;

/** Each way to change who has a role, with a role that the caller may not give: giving it, and taking it. */
const ways = [
  [
    'gives Owner to a user',
    async (place: Place) =>
      place.caller.client.call(`POST ${access}`, {
        params: { projectId: place.projectId },
        body: { roles: [owner], users: [await stranger()], groups: [] },
      }),
  ],
  [
    'gives Owner to a group',
    async (place: Place) =>
      place.caller.client.call(`POST ${access}`, {
        params: { projectId: place.projectId },
        body: { roles: [owner], users: [], groups: [(await givenGroup(server())).id] },
      }),
  ],
  [
    'takes Owner from a user by setting all roles',
    async (place: Place) =>
      place.caller.client.call(`PUT ${access}`, {
        params: { projectId: place.projectId },
        body: {
          roles: [
            { id: owner, groups: [place.groupId] },
            { id: member, users: [place.userId], groups: [place.groupId] },
          ],
        },
      }),
  ],
  [
    'takes Owner from a user by setting the roles of the user',
    async ({ caller, projectId, userId }: Place) =>
      caller.client.call('PUT /api/admin/projects/:projectId/users/:userId/roles', {
        params: { projectId, userId },
        body: { roles: [] },
      }),
  ],
  [
    'takes Owner from a group by setting the roles of the group',
    async ({ caller, projectId, groupId }: Place) =>
      caller.client.call('PUT /api/admin/projects/:projectId/groups/:groupId/roles', {
        params: { projectId, groupId },
        body: { roles: [] },
      }),
  ],
  [
    'takes all roles from a user',
    async ({ caller, projectId, userId }: Place) =>
      caller.client.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
        params: { projectId, userId },
      }),
  ],
  [
    'takes all roles from a group',
    async ({ caller, projectId, groupId }: Place) =>
      caller.client.call('DELETE /api/admin/projects/:projectId/groups/:groupId/roles', {
        params: { projectId, groupId },
      }),
  ],
] as const;

describe('a caller who may give roles, and lacks the permissions of Owner', () => {
  let place: Place;
  beforeAll(async () => {
    place = await givenPlace();
  });

  it.each(ways)('is refused when the request %s, and nothing changes', async (_what, call) => {
    const read = () => server().admin.call(`GET ${access}`, { params: { projectId: place.projectId } });
    const before = (await read()).json;
    const { status, json } = await call(place);
    expect(status).toBe(403);
    expect(json.message).toMatch(/^You cannot give or take a role with permissions that you lack in /);
    expect((await read()).json).toEqual(before);
  });

  it('gives and takes a role that grants no more than the own one', async () => {
    const { projectId, caller } = place;
    const same = await givenRole(server(), { permissions: [{ name: 'PROJECT_USER_ACCESS_WRITE' }] });
    const userId = await stranger();
    const given = await caller.client.call(`POST ${access}`, {
      params: { projectId },
      body: { roles: [same.id], users: [userId], groups: [] },
    });
    const params = { projectId, userId };
    const taken = await caller.client.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', { params });
    expect([given.status, taken.status]).toEqual([200, 200]);
  });
});
