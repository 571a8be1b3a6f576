import { describe, expect, it } from 'vitest';
import { givenCaller, givenRole, giveRoles } from '#testing/access.ts';
import { givenReview } from '#testing/change-requests.ts';
import { givenDependency, givenFlag, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { changeControlScenarios } from './change-control.scenarios.ts';

const toggle = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';

describe('change control routes', () => testScenarios(useServer(), changeControlScenarios));

describe('review of changes', () => {
  const server = useServer();

  it('is required for a change of all environments when one of them is reviewed', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    await givenReview(server(), projectId, 'production');
    const caller = await givenCaller(server(), 'Editor');
    const call = (environment: string) =>
      caller.client.call(toggle, { params: { projectId, featureName, environment } });
    expect((await call('development')).status).toBe(200);
    expect((await call('production')).status).toBe(403);
    expect(
      (
        await caller.client.call('DELETE /api/admin/projects/:projectId/features/:featureName', {
          params: { projectId, featureName },
        })
      ).status,
    ).toBe(403);
  });

  it('is not required with the permission to skip it in that environment', async () => {
    const projectId = await givenProject(server());
    const { featureName } = await givenFlag(server(), {}, projectId);
    await givenReview(server(), projectId, 'development');
    await givenReview(server(), projectId, 'production');
    const skipper = await givenRole(server(), {
      permissions: [{ name: 'SKIP_CHANGE_REQUEST', environment: 'development' }],
    });
    const caller = await givenCaller(server(), 'Editor');
    await giveRoles(server(), projectId, [skipper.id], { users: [caller.id] });
    const call = (environment: string) =>
      caller.client.call(toggle, { params: { projectId, featureName, environment } });
    expect((await call('development')).status).toBe(200);
    expect((await call('production')).status).toBe(403);
  });

  it('is required to share a segment of the project or move it to another project', async () => {
    const projectId = await givenProject(server());
    const other = await givenProject(server());
    const { id, name } = await givenSegment(server(), { project: projectId });
    await givenReview(server(), projectId, 'production');
    const { client } = await givenCaller(server(), 'Editor');
    for (const project of [null, other]) {
      const body = { name, constraints: [], project };
      expect((await client.call('PUT /api/admin/segments/:id', { params: { id }, body })).status).toBe(403);
    }
    expect((await server().admin.call('GET /api/admin/segments/:id', { params: { id } })).json).toMatchObject({
      project: projectId,
      constraints: [{ contextName: 'country' }],
    });
  });

  it('is not required to hold a flag off, unless another flag requires it to be off', async () => {
    const { client } = await givenCaller(server(), 'Editor');
    const hold = async (flag: { projectId: string; featureName: string }) => {
      const params = { ...flag, environment: 'production' };
      await givenReview(server(), flag.projectId, 'production');
      const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases';
      return (await client.call(route, { params, body: { effect: 'off' } })).status;
    };
    const environmentDefault = await givenDependency(server());
    expect(await hold({ projectId: environmentDefault.projectId, featureName: environmentDefault.parent })).toBe(201);
    const inverted = await givenDependency(server(), { enabled: false });
    expect(await hold({ projectId: inverted.projectId, featureName: inverted.parent })).toBe(403);
    expect(await hold(inverted)).toBe(201);
  });

  it('is not required while the environment is removed, and again when it is added back', async () => {
    const projectId = await givenProject(server());
    await givenReview(server(), projectId, 'production');
    const params = { projectId, environment: 'production' };
    await server().admin.call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
    const editor = await givenCaller(server(), 'Editor');
    const { featureName } = await givenFlag(server(), {}, projectId);
    const archived = await editor.client.call('DELETE /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId, featureName },
    });
    expect(archived.status).toBe(202);
    await server().admin.call('POST /api/admin/projects/:projectId/environments', {
      params: { projectId },
      body: { environment: 'production' },
    });
    const config = await server().admin.call('GET /api/admin/projects/:projectId/change-requests/config', {
      params: { projectId },
    });
    expect(config.json[1]).toMatchObject({ environment: 'production', requiredApprovals: 1 });
    const after = await givenFlag(server(), {}, projectId);
    const on = await editor.client.call(toggle, { params: { ...after, environment: 'production' } });
    expect(on.status).toBe(403);
  });
});
