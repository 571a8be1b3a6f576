import { expect, it } from 'vitest';
import { givenPlace, readRequest, requestChanges, setRequestState } from '#testing/change-requests.ts';
import { givenProject } from '#testing/flags.ts';
import { lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const requesting = 'POST /api/admin/projects/:projectId/environments/:environment/change-requests';

it('a change request cannot change or delete a segment of another project', async () => {
  const { params } = await givenPlace(server());
  const { id, name } = await givenSegment(server(), { project: await givenProject(server()) });
  const before = await lastEventId(server());
  for (const change of [
    { action: 'updateSegment', payload: { id, name, constraints: [] } },
    { action: 'deleteSegment', payload: { id } },
  ]) {
    const reply = await server().admin.call(requesting, { params, body: change });
    expect(reply.status).toBe(404);
    expect(reply.json.message).toContain(`${params.projectId} has no segment ${id}`);
  }
  expect(await lastEventId(server())).toBe(before);
});

it('a change request is not applied to a segment that was moved to another project', async () => {
  const { params, author } = await givenPlace(server());
  const own = { project: params.projectId };
  const { id, name } = await givenSegment(server(), own);
  const payload = { id, name, constraints: [], description: 'changed by the request', ...own };
  const request = await requestChanges(server().admin, params, { action: 'updateSegment', payload });
  const at = { projectId: params.projectId, id: request.id };
  await setRequestState(server().admin, params.projectId, request.id, 'In review');
  const other = await givenProject(server());
  const moved = await server().admin.call('PUT /api/admin/segments/:id', {
    params: { id },
    body: { name, constraints: [], project: other },
  });
  expect(moved.status).toBe(204);
  const state = 'PUT /api/admin/projects/:projectId/change-requests/:id/state';
  for (const to of ['Approved', 'Applied']) await server().admin.call(state, { params: at, body: { state: to } });
  expect((await readRequest(server(), params.projectId, request.id)).state).not.toBe('Applied');
  const { json } = await server().admin.call('GET /api/admin/segments/:id', { params: { id } });
  expect(json).toMatchObject({ project: other });
  expect(json.description ?? '').not.toContain('changed by the request');
  expect(author.id).toBeGreaterThan(0);
});
