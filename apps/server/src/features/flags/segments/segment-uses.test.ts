import { expect, it } from 'vitest';
import { givenCaller, givenMember } from '#testing/access.ts';
import { type GivenPlace, givenDraft, givenSent, setRequestState } from '#testing/change-requests.ts';
import { addStrategy, givenFlag, givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

it('a strategy gets the same 400 for a segment of a hidden project, of another project, and for a missing segment', async () => {
  const { projectId, featureName } = await givenFlag(server());
  const { client } = await givenMember(server(), projectId, 4);
  const [open, hidden] = [await givenProject(server()), await givenProject(server(), { mode: 'private' })];
  const ids = [
    (await givenSegment(server(), { project: hidden })).id,
    (await givenSegment(server(), { project: open })).id,
    999_999,
  ];
  const params = { projectId, featureName, environment: 'development' };
  const answers = [];
  for (const id of ids) {
    const reply = await client.call(
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies',
      { params, body: { name: 'default', segments: [id] } },
    );
    expect(reply.status).toBe(400);
    const { id: _, ...rest } = reply.json;
    answers.push(JSON.stringify(rest).replaceAll(String(id), 'ID'));
  }
  expect(new Set(answers).size).toBe(1);
});

it('strategies of hidden projects are not listed as uses of a segment', async () => {
  const { id } = await givenSegment(server());
  const [open, hidden] = [await givenProject(server()), await givenProject(server(), { mode: 'private' })];
  for (const project of [open, hidden]) {
    const flag = await givenFlag(server(), {}, project);
    await addStrategy(server(), { ...flag, environment: 'development' }, { name: 'default', segments: [id] });
  }
  const { client } = await givenCaller(server(), 'Editor');
  const projects = async (who: typeof client) => {
    const { json } = await who.call('GET /api/admin/segments/:id/strategies', { params: { id } });
    return json.strategies.map(({ projectId }: { projectId: string }) => projectId).toSorted();
  };
  expect(await projects(server().admin)).toEqual([open, hidden].toSorted());
  expect(await projects(client)).toEqual([open]);
});

it('strategies of open change requests are listed apart from the strategies that use a segment', async () => {
  const { id } = await givenSegment(server());
  const payload = { name: 'flexibleRollout', segments: [id] };
  const { params, ...request } = await givenSent(server(), 1, async ({ params: { featureName } }) => ({
    action: 'addStrategy',
    feature: featureName,
    payload,
  }));
  const uses = async () =>
    (await server().admin.call('GET /api/admin/segments/:id/strategies', { params: { id } })).json;
  expect(await uses()).toEqual({
    strategies: [],
    changeRequestStrategies: [
      {
        featureName: params.featureName,
        projectId: params.projectId,
        environment: 'development',
        strategyName: 'flexibleRollout',
        changeRequest: { id: request.id, title: expect.any(String) },
      },
    ],
  });
  await setRequestState(server().admin, params.projectId, request.id, 'Approved');
  await setRequestState(server().admin, params.projectId, request.id, 'Applied');
  expect(await uses()).toMatchObject({
    strategies: [{ featureName: params.featureName, strategyName: 'flexibleRollout' }],
    changeRequestStrategies: [],
  });
});

it('strategies in drafts and in requests of hidden projects are not listed as uses of a segment', async () => {
  const { id } = await givenSegment(server());
  const change = async ({ params: { featureName } }: GivenPlace) => ({
    action: 'addStrategy',
    feature: featureName,
    payload: { name: 'default', segments: [id] },
  });
  await givenDraft(server(), 1, change);
  const { params } = await givenSent(server(), 1, change);
  await server().admin.call('PUT /api/admin/projects/:projectId/settings', {
    params,
    body: { mode: 'private' },
  });
  const { client } = await givenCaller(server(), 'Editor');
  const listed = async (who: typeof client) =>
    (await who.call('GET /api/admin/segments/:id/strategies', { params: { id } })).json.changeRequestStrategies;
  expect(await listed(server().admin)).toMatchObject([{ projectId: params.projectId }]);
  expect(await listed(client)).toEqual([]);
});
