import { describe, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, send } from '#testing/signals.ts';
import { givenToken } from '#testing/tokens.ts';
import { maintenanceScenarios } from './maintenance.scenarios.ts';

const server = useServer();
const setTo = (enabled: boolean) => server().admin.call('POST /api/admin/maintenance', { body: { enabled } });
const lastEvent = async () =>
  (await server().admin.call('GET /api/admin/events', { query: { limit: 1 } })).json.events[0];

describe('maintenance routes', () => testScenarios(useServer(), maintenanceScenarios));

it('during maintenance no configuration can be changed, but SDKs and signals are served', async () => {
  const params = { ...(await givenFlag(server())) };
  // The path of this flag ends like the path of the route that ends maintenance.
  const alike = await givenFlag(server(), { name: 'maintenance' });
  const endpoint = await givenEndpoint(server());
  const { secret } = await givenToken(server(), { environment: 'development' });
  expect((await setTo(true)).status).toBe(204);
  expect(await lastEvent()).toMatchObject({
    type: 'setting-created',
    data: { id: 'maintenance.mode', enabled: true },
    preData: null,
  });
  const refused = await Promise.all([
    server().admin.call('POST /api/admin/projects', { body: { id: 'kept-out', name: 'x' } }),
    server().admin.call('PUT /api/admin/projects/:projectId/features/:featureName', {
      params,
      body: { description: 'x' },
    }),
    server().admin.call('PATCH /api/admin/projects/:projectId/features/:featureName', { params, body: [] }),
    server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params }),
    server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: alike }),
  ]);
  for (const reply of refused) {
    expect(reply.status).toBe(503);
    expect(reply.json).toMatchObject({
      name: 'ServiceUnavailableError',
      message: expect.stringContaining('maintenance'),
    });
  }
  expect(
    (await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params })).status,
  ).toBe(200);
  expect((await send(server(), endpoint, '{}')).status).toBe(200);
  expect((await server().client(secret).call('GET /api/client/features')).status).toBe(200);
  expect(
    (
      await server()
        .client(secret)
        .call('POST /api/client/register', {
          body: { appName: 'a', interval: 10, started: new Date().toISOString(), strategies: [] },
        })
    ).status,
  ).toBe(202);
  expect((await setTo(true)).status).toBe(204);
  expect(server().logged.filter((line) => line.includes('maintenance'))).toEqual([]);

  expect((await setTo(false)).status).toBe(204);
  expect(await lastEvent()).toMatchObject({
    type: 'setting-updated',
    data: { id: 'maintenance.mode', enabled: false },
    preData: { id: 'maintenance.mode', enabled: true },
  });
  expect(
    (await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params })).status,
  ).toBe(202);
});
