import { expect, it } from 'vitest';
import { givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();

const settings = {
  description: 'The shop',
  mode: 'protected',
  defaultStickiness: 'userId',
  featureLimit: 7,
  featureNaming: { pattern: '[a-z-]+', example: 'a-flag', description: 'Lower case' },
  linkTemplates: [{ title: 'Wiki', urlTemplate: 'https://example.com/{{feature}}' }],
  changeReason: { required: true, pattern: 'SHOP-[0-9]+' },
};

/** Creates a project with all settings off their defaults. Returns functions that read and change it. */
async function given() {
  const projectId = await givenProject(server(), { name: 'Shop' });
  const change = async (path: '' | '/settings', body: object) => {
    const reply = await server().admin.call(`PUT /api/admin/projects/:projectId${path}`, {
      params: { projectId },
      body,
    });
    expect(reply.status, reply.text).toBe(200);
  };
  const read = async () =>
    (await server().admin.call('GET /api/admin/projects/:projectId/overview', { params: { projectId } })).json;
  const { description, defaultStickiness, ...others } = settings;
  await change('', { name: 'Shop', description, defaultStickiness });
  await change('/settings', others);
  return { change, read };
}

it('has all settings that were set', async () => {
  const { read } = await given();
  expect(await read()).toMatchObject({ name: 'Shop', ...settings });
});

it.each([
  ['its name', '', { name: 'Store' }],
  ['its mode', '/settings', { mode: 'open' }],
  ['its limit', '/settings', { featureLimit: null }],
  ['its links', '/settings', { linkTemplates: [] }],
] as const)('keeps all other settings when only %s changes', async (_what, path, body) => {
  const { change, read } = await given();
  await change(path, body);
  expect(await read()).toMatchObject({ name: 'Shop', ...settings, ...body });
});
