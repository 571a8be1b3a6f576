import { expect, it } from 'vitest';
import { givenCaller, givenMember } from '../../../testing/access.ts';
import { addStrategy, givenFlag, givenProject } from '../../../testing/flags.ts';
import { givenSegment } from '../../../testing/segments.ts';
import { useServer } from '../../../testing/server.ts';

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
