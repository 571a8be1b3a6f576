import { expect, it } from 'vitest';
import { givenCaller } from '../../../testing/access.ts';
import { addStrategy, givenFlag, givenProject } from '../../../testing/flags.ts';
import { givenSegment } from '../../../testing/segments.ts';
import { useServer } from '../../../testing/server.ts';

const server = useServer();

it('strategies of hidden projects are not among those that use a segment', async () => {
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
