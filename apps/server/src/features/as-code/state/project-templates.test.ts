import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import { freshName, givenProject } from '#testing/flags.ts';
import { givenTemplate } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const memberRole = 5;
const own = 'UPDATE_PROJECT_RELEASE_TEMPLATE';

const having = (releaseTemplates: object, rest: object = {}) => ({
  body: { state: { version: 1, releaseTemplates, ...rest } },
});
const plan = (templates: object, client: ApiClient = server().admin) =>
  client.call('POST /api/admin/state/plan', having(templates));
const apply = (templates: object, client: ApiClient = server().admin, rest: object = {}) =>
  client.call('POST /api/admin/state/apply', having(templates, rest));

describe('a release template of a project in a state', () => {
  it('is pulled with its project, and not with another project only', async () => {
    const project = await givenProject(server());
    const segment = await givenSegment(server(), { project });
    const milestones = [{ name: 'Some', strategies: [{ name: 'default', segments: [segment.id] }] }];
    const { name } = await givenTemplate(server(), { project, milestones });
    const pulled = async (query: { projects?: string }) =>
      (await server().admin.call('GET /api/admin/state', { query })).json.releaseTemplates[name];
    expect(await pulled({})).toMatchObject({ project, milestones: [{ strategies: [{ segments: [segment.name] }] }] });
    expect(await pulled({ projects: project })).toEqual(await pulled({}));
    expect(await pulled({ projects: 'default' })).toBeUndefined();
    expect((await plan({ [name]: await pulled({}) })).json).toMatchObject({ changes: [], errors: [] });
  });

  it('is created together with its project, and moved to all projects by null', async () => {
    const [project, name] = [freshName('project'), freshName('template')];
    const before = await lastEventId(server());
    const created = await apply({ [name]: { project } }, server().admin, { projects: { [project]: {} } });
    expect(created.json.changes).toMatchObject([
      { type: 'project-created' },
      { type: 'release-plan-template-created', project, name },
    ]);
    const moved = await apply({ [name]: { project: null } });
    expect(moved.json.changes).toMatchObject([
      {
        type: 'release-plan-template-updated',
        project: null,
        fields: [{ field: 'project', before: project }],
      },
    ]);
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'project-created' },
      { type: 'release-plan-template-created', project },
      { type: 'release-plan-template-updated', project: null },
    ]);
    expect((await plan({ [name]: {} })).json.changes).toEqual([]);
  });

  it('is refused for a project that does not exist, with the path', async () => {
    const name = freshName('template');
    const { status, json } = await apply({ [name]: { project: 'nowhere' } });
    expect([status, json.details]).toMatchObject([400, [{ path: `releaseTemplates.${name}.project` }]]);
  });

  it('is changed by a Member of the project, who may not move it to all projects', async () => {
    const project = await givenProject(server());
    const { name } = await givenTemplate(server(), { project });
    const { client } = await givenMember(server(), project, memberRole);
    expect((await apply({ [name]: { project: null } }, client)).json).toMatchObject({
      name: 'PermissionError',
      permissions: ['RELEASE_PLAN_TEMPLATE_UPDATE'],
    });
    const more = freshName('template');
    const changed = await apply({ [name]: { description: 'New' }, [more]: { project } }, client);
    expect(changed.json.changes).toMatchObject([
      { name, project },
      { name: more, project },
    ]);
    const { client: viewer } = await givenCaller(server());
    expect((await apply({ [more]: { archived: true } }, viewer)).json.permissions).toEqual([
      'RELEASE_PLAN_TEMPLATE_UPDATE',
      own,
    ]);
  });
});

describe('a release template of a private project in a state', () => {
  it('is not pulled by others, who learn only that its name is reserved', async () => {
    const project = await givenProject(server(), { mode: 'private' });
    const { name } = await givenTemplate(server(), { project, description: 'Secret' });
    const { client } = await givenCaller(server(), 'Editor');
    const pulled = await client.call('GET /api/admin/state');
    expect(pulled.json.releaseTemplates).not.toHaveProperty([name]);
    for (const template of [{}, { description: 'Mine' }, { archived: true }, { project: null }, { project }]) {
      const { json, text } = await plan({ [name]: template }, client);
      expect([json.changes, json.permissions, json.errors]).toEqual([
        [],
        [],
        [{ path: `releaseTemplates.${name}`, message: `the name ${name} is reserved: choose another` }],
      ]);
      expect(text).not.toContain('Secret');
    }
    const { name: visible } = await givenTemplate(server());
    const into = await plan({ [visible]: { project } }, client);
    expect(into.json).toMatchObject({ changes: [], errors: [{ message: `there is no project ${project}` }] });
  });
});
