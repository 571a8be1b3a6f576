import { expect, it } from 'vitest';
import { givenCaller, givenGroup, givenRole, giveRoles } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const access = '/api/admin/projects/:projectId/access' as const;
const [owner, member] = [4, 5];
const server = useServer();

/** Creates a role that may switch flags in an environment. */
const switchingIn = async (environment: string, ...more: object[]) =>
  (await givenRole(server(), { permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment }, ...more] })).id;

it('a caller with a permission in one environment gives and takes it there, and in no other environment', async () => {
  const projectId = await givenProject(server());
  const own = await switchingIn('development', { name: 'PROJECT_USER_ACCESS_WRITE' });
  const caller = await givenCaller(server());
  await giveRoles(server(), projectId, [own], { users: [caller.id] });
  const { id: userId } = await givenCaller(server());
  const params = { projectId, userId };
  const give = async (role: number) =>
    (await caller.client.call(`POST ${access}`, { params, body: { roles: [role], users: [userId], groups: [] } }))
      .status;
  const take = async () =>
    (await caller.client.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', { params })).status;
  const [there, elsewhere] = [await switchingIn('development'), await switchingIn('production')];
  expect([await give(there), await take()]).toEqual([200, 200]);
  expect(await give(elsewhere)).toBe(403);
  await giveRoles(server(), projectId, [elsewhere], { users: [userId] });
  expect(await take()).toBe(403);
});

it('a change of the roles of one user or group leaves those of others, there and in other projects', async () => {
  const [projectId, other] = [await givenProject(server()), await givenProject(server())];
  const users = [(await givenCaller(server())).id, (await givenCaller(server())).id];
  const groups = [(await givenGroup(server())).id, (await givenGroup(server())).id];
  for (const project of [projectId, other]) await giveRoles(server(), project, [owner, member], { users, groups });
  const rolesIn = async (project: string) => {
    const { json } = await server().admin.call(`GET ${access}`, { params: { projectId: project } });
    const rolesOf = (list: { id: number; roles: number[] }[], ids: readonly number[]) =>
      ids.map((id) => list.find((each) => each.id === id)?.roles.toSorted() ?? []);
    return { users: rolesOf(json.users, users), groups: rolesOf(json.groups, groups) };
  };
  const both = [owner, member];
  const [userId = 0, groupId = 0] = [users[0], groups[0]];
  const setRoles = 'PUT /api/admin/projects/:projectId';
  await server().admin.call(`${setRoles}/users/:userId/roles`, {
    params: { projectId, userId },
    body: { roles: [member] },
  });
  await server().admin.call(`${setRoles}/groups/:groupId/roles`, {
    params: { projectId, groupId },
    body: { roles: [] },
  });
  expect(await rolesIn(projectId)).toEqual({ users: [[member], both], groups: [[], both] });
  const remove = 'DELETE /api/admin/projects/:projectId/users/:userId/roles';
  await server().admin.call(remove, { params: { projectId, userId } });
  expect(await rolesIn(projectId)).toEqual({ users: [[], both], groups: [[], both] });
  expect(await rolesIn(other)).toEqual({ users: [both, both], groups: [both, both] });
});
