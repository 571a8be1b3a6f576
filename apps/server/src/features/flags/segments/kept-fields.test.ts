import { expect, it } from 'vitest';
import { givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const byId = '/api/admin/segments/:id' as const;

it('a segment keeps its project and its description when a change names neither', async () => {
  const project = await givenProject(server());
  const constraint = {
    ...{ contextName: 'country', operator: 'NOT_IN', values: ['NO', 'SE'] },
    ...{ inverted: true, caseInsensitive: true },
  };
  const given = { project, description: 'Neither', constraints: [constraint] };
  const { id, name } = await givenSegment(server(), given);
  const read = async () => (await server().admin.call(`GET ${byId}`, { params: { id } })).json;
  const before = await read();
  expect(before).toMatchObject({ name, ...given });
  const body = { name: `${name}-renamed`, constraints: given.constraints };
  expect((await server().admin.call(`PUT ${byId}`, { params: { id }, body })).status).toBe(204);
  expect(await read()).toEqual({ ...before, name: body.name });
});
