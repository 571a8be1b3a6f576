import { expect, it, onTestFinished } from 'vitest';
import { freshName, givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { createStorage, startServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const plan = 'POST /api/admin/state/plan';

it('a limit that was lowered below the number of present objects refuses only new objects', async () => {
  const storage = await createStorage();
  onTestFinished(() => storage.remove());
  const common = { initAdminTokens: ['*:*.the-same-again'] };
  const before = await startServer(storage, common);
  const segment = await givenSegment(before);
  await givenSegment(before);
  await givenProject(before);
  const { tokenName } = await givenToken(before);
  await givenToken(before);
  await before.stop();
  const server = await startServer(storage, { ...common, segmentLimit: 1, projectLimit: 1, apiTokenLimit: 1 });
  onTestFinished(() => server.stop());
  const planned = async (more: object, installation: object = {}) =>
    (await server.admin.call(plan, { body: { state: { version: 1, ...more }, installation } })).json.errors;
  const apiTokens = [{ tokenName, type: 'backend', environment: 'development', projects: ['*'] }];
  expect(await planned({ tagTypes: { [freshName('type')]: {} } }, { apiTokens })).toEqual([]);
  expect(await planned({ segments: { [segment.name]: { description: 'Changed' } } })).toEqual([]);
  expect(await planned({ segments: { [freshName('segment')]: { constraints: [] } } })).toMatchObject([
    { message: 'the limit of 1 segments would be exceeded' },
  ]);
  const created = [{ ...apiTokens[0], tokenName: freshName('token') }];
  expect(await planned({}, { apiTokens: created })).toMatchObject([
    { message: 'the limit of 1 API tokens would be exceeded' },
  ]);
  expect(await planned({ projects: { [freshName('project')]: {} } })).toMatchObject([
    { message: 'the limit of 1 projects would be exceeded' },
  ]);
});
