import { expect, it } from 'vitest';
import { givenCaller } from '../../../testing/access.ts';
import { ask, bring, givenPlace, readRequest } from '../../../testing/change-requests.ts';
import { addStrategy } from '../../../testing/flags.ts';
import { givenSegment } from '../../../testing/segments.ts';
import { useServer } from '../../../testing/server.ts';

const server = useServer();

it('an applied request keeps what it changed, as that was before', async () => {
  const { params } = await givenPlace(server());
  const { projectId, featureName: feature } = params;
  const first = await addStrategy(server(), params, { name: 'flexibleRollout', parameters: { rollout: '10' } });
  const second = await addStrategy(server(), params, { name: 'default' });
  const { id: segment, name } = await givenSegment(server(), { project: projectId });
  const parameters = { rollout: '50' };
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  const changes = [
    { action: 'updateEnabled', feature, payload: { enabled: true } },
    { action: 'updateStrategy', feature, payload: { id: first, name: 'flexibleRollout', parameters } },
    { action: 'deleteStrategy', feature, payload: { id: second } },
    { action: 'patchVariant', feature, payload: { variants } },
    { action: 'updateSegment', payload: { id: segment, name: 'renamed', project: projectId, constraints: [] } },
  ];
  const { id } = await ask(server().admin, params, changes);
  await bring(server().admin, projectId, id, 'Cancelled');
  expect((await readRequest(server(), projectId, id)).features[0].changes[0]).not.toHaveProperty('before');

  const asked = await ask(server().admin, params, changes);
  await bring(server().admin, projectId, asked.id, 'In review');
  await bring((await givenCaller(server(), 'Admin')).client, projectId, asked.id, 'Approved');
  await bring(server().admin, projectId, asked.id, 'Applied');
  const request = await readRequest(server(), projectId, asked.id);
  expect(request.features[0].changes).toMatchObject([
    { action: 'updateEnabled', before: { enabled: false } },
    { action: 'updateStrategy', before: { id: first, parameters: { rollout: '10' } } },
    { action: 'deleteStrategy', before: { id: second, name: 'default' } },
    { action: 'patchVariant', before: [] },
  ]);
  expect(request.segments).toMatchObject([{ action: 'updateSegment', before: { name } }]);
});

it('an applied request keeps whether a flag was on, and neither what it added nor the segments that were compared', async () => {
  const { params } = await givenPlace(server());
  const { projectId, featureName: feature } = params;
  const id = await addStrategy(server(), params, { name: 'default' });
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  expect((await server().admin.call(on, { params })).status).toBe(200);
  const segments = [(await givenSegment(server())).id];
  const request = await ask(server().admin, params, [
    { action: 'updateEnabled', feature, payload: { enabled: false } },
    { action: 'updateStrategy', feature, payload: { id, name: 'default', segments } },
    { action: 'addStrategy', feature, payload: { name: 'default', segments } },
    { action: 'archiveFeature', feature },
  ]);
  await bring(server().admin, projectId, request.id, 'In review');
  await bring((await givenCaller(server(), 'Admin')).client, projectId, request.id, 'Approved');
  await bring(server().admin, projectId, request.id, 'Applied');
  const [switched, updated, added, archived] = (await readRequest(server(), projectId, request.id)).features[0].changes;
  expect(switched).toMatchObject({ action: 'updateEnabled', before: { enabled: true } });
  expect(updated).toMatchObject({ action: 'updateStrategy', before: { id, segments: [] } });
  expect(updated.before).not.toHaveProperty('sharedSegmentsWanted');
  expect(added.action).toBe('addStrategy');
  expect(added).not.toHaveProperty('before');
  expect(archived.action).toBe('archiveFeature');
  expect(archived).not.toHaveProperty('before');
});
