import { expect, it } from 'vitest';
import { freshName, givenEnvironment, givenProject } from '#testing/flags.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

// The permissions for changes of other things than flags (flags: flag-permissions.test.ts), and fields left out.

const server = useServer();
const plan = 'POST /api/admin/state/plan';
const apply = 'POST /api/admin/state/apply';

/** Returns the permissions that a Viewer lacks for a state, as the plan names them. */
async function missing(body: object): Promise<string[]> {
  const viewer = server().client(await server().tokenOf('viewer'));
  const { status, text, json } = await viewer.call(plan, { body });
  expect(`${status} ${status === 200 ? '' : text}`).toBe('200 ');
  return json.permissions.map(({ message }: { message: string }) => message.replace('You need the permission ', ''));
}

const things: Readonly<Record<string, readonly [state: object, permission: string]>> = {
  'a project': [{ projects: { [freshName('project')]: {} } }, 'CREATE_PROJECT'],
  'the default project': [{ projects: { default: { description: 'New' } } }, 'UPDATE_PROJECT in default'],
  'a segment': [{ segments: { [freshName('segment')]: { constraints: [] } } }, 'CREATE_SEGMENT'],
  'a segment of a project': [
    { segments: { [freshName('segment')]: { project: 'default', constraints: [] } } },
    'one of CREATE_SEGMENT, UPDATE_PROJECT_SEGMENT in default',
  ],
  'a context field': [{ contextFields: { [freshName('field')]: {} } }, 'CREATE_CONTEXT_FIELD'],
  'a context field of a project': [
    { contextFields: { [freshName('field')]: { project: 'default' } } },
    'one of CREATE_CONTEXT_FIELD, UPDATE_PROJECT_CONTEXT in default',
  ],
  'a tag type': [{ tagTypes: { kind: {} } }, 'CREATE_TAG_TYPE'],
  'the tag type simple': [{ tagTypes: { simple: { description: 'New' } } }, 'UPDATE_TAG_TYPE'],
  'a release template': [
    {
      releaseTemplates: {
        [freshName('template')]: { milestones: [{ name: 'All', strategies: [{ name: 'default' }] }] },
      },
    },
    'RELEASE_PLAN_TEMPLATE_CREATE',
  ],
};

it.each(Object.entries(things))('%s needs the permission of its route', async (_name, [state, permission]) => {
  expect(await missing({ state: { version: 1, ...state } })).toEqual([permission]);
});

it.each([
  ['environments', [{ name: freshName('env'), type: 'test', enabled: true, sortOrder: 7 }]],
  ['tags', [{ type: 'simple', value: freshName('tag') }]],
  ['users', [{ username: freshName('user'), name: 'Ada', rootRole: 'Viewer' }]],
  ['apiTokens', [{ tokenName: freshName('token'), type: 'backend', environment: 'development', projects: ['*'] }]],
])('%s of an installation need ADMIN', async (kind, list) => {
  const body = { state: { version: 1 }, installation: { [kind]: list } };
  const reply = await server()
    .client(await server().tokenOf('editor'))
    .call(plan, { body });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.permissions).toMatchObject([{ message: expect.stringContaining('ADMIN') }]);
});

it('a segment that moves needs the permission in the old and in the new project', async () => {
  const [from, to] = [await givenProject(server()), await givenProject(server())];
  const { name } = await givenSegment(server(), { project: from });
  expect(await missing({ state: { version: 1, segments: { [name]: { project: to, constraints: [] } } } })).toEqual(
    [from, to].map((project) => `one of UPDATE_SEGMENT, UPDATE_PROJECT_SEGMENT in ${project}`),
  );
});

it('a state removes the limit of flags of a project with null, and leaves it without the field', async () => {
  const id = await givenProject(server());
  const applied = async (project: object) => {
    const body = { state: { version: 1, projects: { [id]: project } } };
    expect((await server().admin.call(apply, { body })).status).toBe(200);
    const params = { projectId: id };
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/overview', { params });
    return [json.featureLimit, json.description];
  };
  expect(await applied({ featureLimit: 7, description: 'one' })).toEqual([7, 'one']);
  expect(await applied({ description: 'two' })).toEqual([7, 'two']);
  expect(await applied({ featureLimit: null })).toEqual([null, 'two']);
});

it('a new project has the environments that are enabled, unless the state names others', async () => {
  const disabled = await givenEnvironment(server());
  const [usual, own] = [freshName('project'), freshName('project')];
  const projects = { [usual]: {}, [own]: { environments: [disabled] } };
  expect((await server().admin.call(apply, { body: { state: { version: 1, projects } } })).status).toBe(200);
  const environmentsOf = async (projectId: string) =>
    (await server().admin.call('GET /api/admin/state', { query: { projects: projectId } })).json.projects[projectId]
      .environments;
  expect(await environmentsOf(usual)).toEqual(['development', 'production']);
  expect(await environmentsOf(own)).toEqual([disabled]);
});
