import { expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { givenPlace, readRequest, requestChanges, setRequestState } from '#testing/change-requests.ts';
import { addStrategy, switchFlag } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

it('an applied request shows the values that it replaced', async () => {
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
  const { id } = await requestChanges(server().admin, params, changes);
  await setRequestState(server().admin, projectId, id, 'Cancelled');
  expect((await readRequest(server(), projectId, id)).features[0].changes[0]).not.toHaveProperty('before');

  const applied = await requestChanges(server().admin, params, changes);
  await setRequestState(server().admin, projectId, applied.id, 'In review');
  await setRequestState((await givenCaller(server(), 'Admin')).client, projectId, applied.id, 'Approved');
  await setRequestState(server().admin, projectId, applied.id, 'Applied');
  const request = await readRequest(server(), projectId, applied.id);
  expect(request.features[0].changes).toMatchObject([
    { action: 'updateEnabled', before: { enabled: false } },
    { action: 'updateStrategy', before: { id: first, parameters: { rollout: '10' } } },
    { action: 'deleteStrategy', before: { id: second, name: 'default' } },
    { action: 'patchVariant', before: [] },
  ]);
  expect(request.segments).toMatchObject([{ action: 'updateSegment', before: { name } }]);
});

it('an applied request shows whether the flag was on, but no replaced value for added strategies and archived flags', async () => {
  const { params } = await givenPlace(server());
  const { projectId, featureName: feature } = params;
  const id = await addStrategy(server(), params, { name: 'default' });
  await switchFlag(server(), params, 'on');
  const segments = [(await givenSegment(server())).id];
  const request = await requestChanges(server().admin, params, [
    { action: 'updateEnabled', feature, payload: { enabled: false } },
    { action: 'updateStrategy', feature, payload: { id, name: 'default', segments } },
    { action: 'addStrategy', feature, payload: { name: 'default', segments } },
    { action: 'archiveFeature', feature },
  ]);
  await setRequestState(server().admin, projectId, request.id, 'In review');
  await setRequestState((await givenCaller(server(), 'Admin')).client, projectId, request.id, 'Approved');
  await setRequestState(server().admin, projectId, request.id, 'Applied');
  const [switched, updated, added, archived] = (await readRequest(server(), projectId, request.id)).features[0].changes;
  expect(switched).toMatchObject({ action: 'updateEnabled', before: { enabled: true } });
  expect(updated).toMatchObject({ action: 'updateStrategy', before: { id, segments: [] } });
  expect(updated.before).not.toHaveProperty('sharedSegmentsWanted');
  expect(added.action).toBe('addStrategy');
  expect(added).not.toHaveProperty('before');
  expect(archived.action).toBe('archiveFeature');
  expect(archived).not.toHaveProperty('before');
});
