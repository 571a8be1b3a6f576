import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import { givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const permissionsOf = async (client: ApiClient) => (await client.call('GET /api/admin/user')).json.permissions;

// The admin UI shows controls by this list: an extra permission shows a button that answers 403, a missing one hides a
// button.

describe('GET /api/admin/user: permissions', () => {
  const server = useServer();

  it('lists the permissions of project roles, with the environments that the roles name', async () => {
    const projectId = await givenProject(server());
    const role = await givenRole(server(), {
      permissions: [
        { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' },
        { name: 'CREATE_FEATURE_STRATEGY' },
        { name: 'CREATE_FEATURE' },
      ],
    });
    const { client } = await givenMember(server(), projectId, role.id);
    const permissions = await permissionsOf(client);
    expect(permissions).toHaveLength(3);
    expect(permissions).toEqual(
      expect.arrayContaining([
        { permission: 'UPDATE_FEATURE_ENVIRONMENT', project: projectId, environment: 'development' },
        { permission: 'CREATE_FEATURE_STRATEGY', project: projectId, environment: '*' },
        { permission: 'CREATE_FEATURE', project: projectId },
      ]),
    );
  });

  it('merges the permissions of several roles in one project', async () => {
    const projectId = await givenProject(server());
    const inEnvironment = (environment?: string) =>
      givenRole(server(), { permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment }] });
    const [development, production, all] = [
      await inEnvironment('development'),
      await inEnvironment('production'),
      await inEnvironment(),
    ];
    const environmentsWith = async (...roles: number[]) => {
      const { id, client } = await givenCaller(server());
      await giveRoles(server(), projectId, roles, { users: [id] });
      const permissions: { environment: string }[] = await permissionsOf(client);
      return permissions.map(({ environment }) => environment).sort();
    };
    expect(await environmentsWith(development.id, production.id)).toEqual(['development', 'production']);
    expect(await environmentsWith(development.id, all.id)).toEqual(['*']);
    expect(await environmentsWith(all.id, production.id)).toEqual(['*']);
  });

  it('lists only ADMIN for an administrator, and the permission to break glass where a role grants it', async () => {
    const projectId = await givenProject(server());
    const { id, client } = await givenCaller(server(), 'Admin');
    await giveRoles(server(), projectId, [4], { users: [id] });
    expect(await permissionsOf(client)).toEqual([{ permission: 'ADMIN' }]);
    const role = await givenRole(server(), {
      permissions: [{ name: 'BREAK_GLASS_CHANGE_REQUEST', environment: 'production' }],
    });
    await giveRoles(server(), projectId, [4, role.id], { users: [id] });
    expect(await permissionsOf(client)).toEqual([
      { permission: 'ADMIN' },
      { permission: 'BREAK_GLASS_CHANGE_REQUEST', project: projectId, environment: 'production' },
    ]);
  });

  it('is empty for a Viewer', async () => {
    const { client } = await givenCaller(server());
    expect(await permissionsOf(client)).toEqual([]);
  });
});

describe('a private project', () => {
  const server = useServer();

  it('is hidden from Editors without a role in it, and shown to its members and to administrators', async () => {
    const projectId = await givenProject(server(), { mode: 'private' });
    const other = await givenProject(server(), { mode: 'protected' });
    const seen = async (client: ApiClient, project: string) =>
      (await client.call('GET /api/admin/projects/:projectId/overview', { params: { projectId: project } })).status;
    const editor = await givenCaller(server(), 'Editor');
    expect([await seen(editor.client, projectId), await seen(editor.client, other)]).toEqual([404, 200]);
    const administrator = await givenCaller(server(), 'Admin');
    expect(await seen(administrator.client, projectId)).toBe(200);
    await giveRoles(server(), projectId, [6], { users: [editor.id] });
    expect(await seen(editor.client, projectId)).toBe(200);
  });
});
