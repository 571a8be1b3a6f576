import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenGroup, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenUser, logIn } from '#testing/people.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const toggle = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on' as const;
const create = 'POST /api/admin/projects/:projectId/features' as const;
const ownerRole = 4;
const memberRole = 5;

/** Returns whether a caller may create flags in a project. The empty body is invalid, so no flag is created. */
async function mayCreate({ client }: Pick<Caller, 'client'>, projectId: string): Promise<boolean> {
  const { status } = await client.call(create, { params: { projectId }, body: {} });
  expect([400, 403]).toContain(status);
  return status === 400;
}

describe('access rights', () => {
  const server = useServer();

  it('hold only in the project where a role was given', async () => {
    const [here, there] = [await givenProject(server()), await givenProject(server())];
    const member = await givenMember(server(), here, memberRole);
    expect(await mayCreate(member, here)).toBe(true);
    expect(await mayCreate(member, there)).toBe(false);
  });

  it('of two roles, one in an environment only and one in all, hold in all environments', async () => {
    const params = { ...(await givenFlagIn(server(), 'development')), environment: 'development' };
    const grant = (more: object) =>
      givenRole(server(), { permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', ...more }] });
    const [everywhere, inProduction] = [await grant({}), await grant({ environment: 'production' })];
    for (const roles of [
      [everywhere.id, inProduction.id],
      [inProduction.id, everywhere.id],
    ]) {
      const { id, client } = await givenCaller(server());
      await giveRoles(server(), params.projectId, roles, { users: [id] });
      expect((await client.call(toggle, { params })).status).toBe(200);
    }
  });

  it('change with the next request after a role is given or removed', async () => {
    const projectId = await givenProject(server());
    const caller = await givenCaller(server());
    const params = { projectId, userId: caller.id };
    const set = (roles: number[]) =>
      server().admin.call('PUT /api/admin/projects/:projectId/users/:userId/roles', { params, body: { roles } });
    for (let round = 0; round < 3; round++) {
      expect(await mayCreate(caller, projectId)).toBe(false);
      expect((await set([memberRole])).status).toBe(200);
      expect(await mayCreate(caller, projectId)).toBe(true);
      expect((await set([])).status).toBe(200);
    }
  });

  it('change for sessions as for tokens', async () => {
    const projectId = await givenProject(server());
    const user = await givenUser(server());
    const headers = await logIn(server().anonymous, user);
    const status = async () =>
      (await server().anonymous.call(create, { params: { projectId }, body: {}, headers })).status;
    expect(await status()).toBe(403);
    await giveRoles(server(), projectId, [memberRole], { users: [user.id] });
    expect(await status()).toBe(400);
    await server().admin.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
      params: { projectId, userId: user.id },
    });
    expect(await status()).toBe(403);
  });

  it('come from a group, and end with the group, the membership or the role of the group', async () => {
    const projectId = await givenProject(server());
    const [caller, other] = [await givenCaller(server()), await givenCaller(server())];
    const { id: groupId, name } = await givenGroup(server(), [caller.id]);
    await givenGroup(server(), [other.id]);
    const users = (ids: number[]) => ({ name, users: ids.map((id) => ({ user: { id } })) });
    const groupParams = { params: { groupId } };
    const roleParams = { params: { projectId, groupId } };
    expect(await mayCreate(caller, projectId)).toBe(false);
    await giveRoles(server(), projectId, [memberRole], { groups: [groupId] });
    expect([await mayCreate(caller, projectId), await mayCreate(other, projectId)]).toEqual([true, false]);
    await server().admin.call('PUT /api/admin/groups/:groupId', { ...groupParams, body: users([]) });
    expect(await mayCreate(caller, projectId)).toBe(false);
    await server().admin.call('PUT /api/admin/groups/:groupId', { ...groupParams, body: users([caller.id]) });
    expect(await mayCreate(caller, projectId)).toBe(true);
    await server().admin.call('DELETE /api/admin/projects/:projectId/groups/:groupId/roles', roleParams);
    expect(await mayCreate(caller, projectId)).toBe(false);
    await giveRoles(server(), projectId, [memberRole], { groups: [groupId] });
    expect(await mayCreate(caller, projectId)).toBe(true);
    await server().admin.call('DELETE /api/admin/groups/:groupId', groupParams);
    expect(await mayCreate(caller, projectId)).toBe(false);
  });

  it('come from the root role of a group, too, for its members', async () => {
    const [caller, other] = [await givenCaller(server()), await givenCaller(server())];
    const { id, name } = await givenGroup(server(), [caller.id], { rootRole: 1 });
    await givenGroup(server(), [other.id]);
    const statusOf = async ({ client }: Caller) => (await client.call('GET /api/admin/user-admin')).status;
    const status = () => statusOf(caller);
    expect([await status(), await statusOf(other)]).toEqual([200, 403]);
    await server().admin.call('PUT /api/admin/groups/:groupId', {
      params: { groupId: id },
      body: { name, rootRole: null },
    });
    expect(await status()).toBe(403);
  });

  it('follow changes of a custom root role', async () => {
    const role = await givenRole(server(), { type: 'root-custom' });
    const caller = await givenCaller(server(), role.name);
    const status = async () => (await caller.client.call('GET /api/admin/roles')).status;
    const grant = (permissions: object[]) =>
      server().admin.call('PUT /api/admin/roles/:roleId', {
        params: { roleId: role.id },
        body: { name: role.name, permissions },
      });
    expect(await status()).toBe(403);
    await grant([{ name: 'READ_ROLE' }]);
    expect(await status()).toBe(200);
    await grant([]);
    expect(await status()).toBe(403);
  });

  it('hold in the environments that a role names, and in all environments when it names none', async () => {
    const flag = await givenFlagIn(server());
    const permission = { name: 'UPDATE_FEATURE_ENVIRONMENT' };
    const inOne = await givenRole(server(), { permissions: [{ ...permission, environment: 'development' }] });
    const inTwo = await givenRole(server(), {
      permissions: ['development', 'production'].map((environment) => ({ ...permission, environment })),
    });
    const inAll = await givenRole(server(), { permissions: [permission] });
    const statuses = async (roleId: number) => {
      const { client } = await givenMember(server(), flag.projectId, roleId);
      const on = (environment: string) => client.call(toggle, { params: { ...flag, environment } });
      return [(await on('development')).status, (await on('production')).status];
    };
    expect(await statuses(inOne.id)).toEqual([200, 403]);
    expect(await statuses(inTwo.id)).toEqual([200, 200]);
    expect(await statuses(inAll.id)).toEqual([200, 200]);
  });

  it('with UPDATE_PROJECT include reading and setting project access', async () => {
    const projectId = await givenProject(server());
    const role = await givenRole(server(), { permissions: [{ name: 'UPDATE_PROJECT' }] });
    const { client, id } = await givenMember(server(), projectId, role.id);
    const params = { projectId };
    expect((await client.call('GET /api/admin/projects/:projectId/access', { params })).status).toBe(200);
    const body = { roles: [role.id], users: [id], groups: [] };
    expect((await client.call('POST /api/admin/projects/:projectId/access', { params, body })).status).toBe(200);
  });

  it('cannot be extended by giving oneself a role with more permissions', async () => {
    const projectId = await givenProject(server());
    const role = await givenRole(server(), { permissions: [{ name: 'PROJECT_USER_ACCESS_WRITE' }] });
    const { client, id } = await givenMember(server(), projectId, role.id);
    const reply = await client.call('POST /api/admin/projects/:projectId/access', {
      params: { projectId },
      body: { roles: [ownerRole], users: [id], groups: [] },
    });
    expect(reply.status).toBe(403);
    expect(reply.json).toMatchObject({
      name: 'PermissionError',
      permissions: expect.arrayContaining(['CREATE_FEATURE']),
    });
  });

  it('of the creator of a project are those of its Owner', async () => {
    const editor = await givenCaller(server(), 'Editor');
    const { json } = await editor.client.call('POST /api/admin/projects', { body: { name: 'Mine' } });
    const params = { projectId: json.id };
    const access = await editor.client.call('GET /api/admin/projects/:projectId/access', { params });
    expect(access.json.users).toMatchObject([{ id: editor.id, roles: [ownerRole] }]);
    const other = await givenCaller(server());
    const body = { roles: [ownerRole], users: [other.id], groups: [] };
    expect((await editor.client.call('POST /api/admin/projects/:projectId/access', { params, body })).status).toBe(200);
    expect((await other.client.call('DELETE /api/admin/projects/:projectId', { params })).status).toBe(200);
  });

  it('are listed in GET /api/admin/user and the profile', async () => {
    const projectId = await givenProject(server(), { mode: 'protected' });
    const caller = await givenMember(server(), projectId, memberRole);
    const group = await givenGroup(server(), [caller.id]);
    const me = await caller.client.call('GET /api/admin/user');
    expect(me.json.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: projectId });
    expect(me.json.permissions).toContainEqual({
      permission: 'UPDATE_FEATURE_ENVIRONMENT',
      project: projectId,
      environment: '*',
    });
    const profile = await caller.client.call('GET /api/admin/user/profile');
    expect(profile.json).toMatchObject({ projects: [projectId], groups: [group.name], rootRole: { name: 'Viewer' } });
    const editor = await givenCaller(server(), 'Editor');
    const { permissions } = (await editor.client.call('GET /api/admin/user')).json;
    expect(permissions).toContainEqual({ permission: 'CREATE_PROJECT' });
    expect(permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'default' });
    expect(permissions).not.toContainEqual({ permission: 'CREATE_FEATURE', project: projectId });
  });
});

describe('an Editor', () => {
  const server = useServer();
  const editorOf = (on: TestServer) => givenCaller(on, 'Editor');

  it('has the rights of a Member in open projects only, and loses them when one is closed', async () => {
    const projectId = await givenProject(server());
    const editor = await editorOf(server());
    const setMode = (mode: string) =>
      server().admin.call('PUT /api/admin/projects/:projectId/settings', { params: { projectId }, body: { mode } });
    expect(await mayCreate(editor, projectId)).toBe(true);
    await setMode('protected');
    expect(await mayCreate(editor, projectId)).toBe(false);
    const shown = await editor.client.call('GET /api/admin/projects/:projectId/overview', { params: { projectId } });
    expect(shown.status).toBe(200);
    await setMode('open');
    expect(await mayCreate(editor, projectId)).toBe(true);
  });

  it('cannot update or delete a project created by another account', async () => {
    const { projectId } = await givenFlag(server(), {}, await givenProject(server()));
    const { client } = await editorOf(server());
    const params = { projectId };
    expect((await client.call('DELETE /api/admin/projects/:projectId', { params })).status).toBe(403);
    expect((await client.call('PUT /api/admin/projects/:projectId', { params, body: { name: 'x' } })).status).toBe(403);
  });
});
