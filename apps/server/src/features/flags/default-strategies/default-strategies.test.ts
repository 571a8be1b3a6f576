import { describe, expect, it } from 'vitest';
import type { Call } from '#testing/client.ts';
import { givenContextField } from '#testing/context-fields.ts';
import { givenDefault, givenDefinition } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { defaultStrategyScenarios } from './default-strategies.scenarios.ts';

describe('default strategy routes', () => testScenarios(useServer(), defaultStrategyScenarios));

describe('the default strategy of a project', () => {
  const server = useServer();
  const call = (route: Parameters<ReturnType<typeof server>['admin']['call']>[0], more: Call) =>
    server().admin.call(route, more);
  const shown = async (projectId: string) =>
    (await call('GET /api/admin/projects/:projectId/overview', { params: { projectId } })).json.environments;

  it('is deleted when the project loses the environment, and is not restored with the environment', async () => {
    const params = await givenDefault(server(), { name: 'default' });
    expect((await shown(params.projectId))[1].defaultStrategy).toMatchObject({ name: 'default' });
    const gone = await call('DELETE /api/admin/projects/:projectId/environments/:environment', { params });
    expect(gone.status).toBe(200);
    await call('POST /api/admin/projects/:projectId/environments', { params, body: { environment: 'production' } });
    expect(await shown(params.projectId)).toEqual([
      { environment: 'development', changeRequestsEnabled: false },
      { environment: 'production', changeRequestsEnabled: false },
    ]);
  });

  it('does not prevent deleting the project and its segment', async () => {
    const params = await givenDefault(server(), { name: 'default' });
    const segment = await givenSegment(server(), { project: params.projectId });
    await givenDefault(server(), { name: 'default', segments: [segment.id] }, params.projectId);
    expect((await call('DELETE /api/admin/projects/:projectId', { params })).status).toBe(200);
    expect((await call('GET /api/admin/segments/:id', { params: { id: segment.id } })).status).toBe(404);
  });

  it('prevents deleting its strategy type and context field', async () => {
    const { name: strategy } = await givenDefinition(server());
    const contextField = await givenContextField(server(), {});
    const constraints = [{ contextName: contextField, operator: 'IN', values: ['x'] }];
    const params = await givenDefault(server(), { name: strategy, parameters: { companies: 'a' }, constraints });
    const deletions = () =>
      Promise.all([
        call('DELETE /api/admin/strategies/:name', { params: { name: strategy } }),
        call('DELETE /api/admin/context/:contextField', { params: { contextField } }),
      ]);
    expect((await deletions()).map(({ status }) => status)).toEqual([403, 409]);
    await givenDefault(server(), { name: 'default' }, params.projectId);
    expect((await deletions()).map(({ status }) => status)).toEqual([200, 200]);
  });
});
