import { expect, it } from 'vitest';
import { freshName } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

it('a context field keeps its sort order, and an update keeps fields that it does not name', async () => {
  const name = freshName('field');
  const create = { name, sortOrder: 7, stickiness: true };
  expect((await server().admin.call('POST /api/admin/context', { body: create })).status).toBe(201);
  const read = async () =>
    (await server().admin.call('GET /api/admin/context/:contextField', { params: { contextField: name } })).json;
  expect(await read()).toMatchObject({ sortOrder: 7, stickiness: true });
  const update = async (body: object) =>
    (await server().admin.call('PUT /api/admin/context/:contextField', { params: { contextField: name }, body }))
      .status;
  expect(await update({ description: 'only this' })).toBe(200);
  expect(await read()).toMatchObject({ sortOrder: 7, description: 'only this' });
  expect(await update({ sortOrder: -2 })).toBe(200);
  expect(await read()).toMatchObject({ sortOrder: -2, description: 'only this' });
  expect(await update({ sortOrder: 0 })).toBe(200);
  expect(await read()).toMatchObject({ sortOrder: 0 });
});

it('context fields are listed by sort order', async () => {
  const [last, first] = [freshName('field'), freshName('field')];
  await server().admin.call('POST /api/admin/context', { body: { name: last, sortOrder: 900 } });
  await server().admin.call('POST /api/admin/context', { body: { name: first, sortOrder: -900 } });
  const names = (await server().admin.call('GET /api/admin/context')).json.map(({ name }: { name: string }) => name);
  expect([names[0], names.at(-1)]).toEqual([first, last]);
});
