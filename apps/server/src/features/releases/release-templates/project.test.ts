import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember, givenRole } from '#testing/access.ts';
import type { ApiClient } from '#testing/client.ts';
import { freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenTemplate, inThreeSteps } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const all = '/api/admin/release-plan-templates' as const;
const one = `${all}/:templateId` as const;
const plans = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans' as const;
const memberRole = 5;
const readerRole = 6;

const server = useServer();

async function namesFor(client: ApiClient, query: Record<string, string> = {}): Promise<string[]> {
  const { json } = await client.call(`GET ${all}`, { query });
  return json.map(({ name }: { readonly name: string }) => name);
}

describe('the list of release templates', () => {
  it('has those that flags of a project can use, with `project`', async () => {
    const project = await givenProject(server());
    const own = await givenTemplate(server(), { project });
    const other = await givenTemplate(server(), { project: await givenProject(server()) });
    const ofAll = await givenTemplate(server());
    const usable = await namesFor(server().admin, { project });
    expect(usable).toEqual(expect.arrayContaining([own.name, ofAll.name]));
    expect(usable).not.toContain(other.name);
    expect(await namesFor(server().admin)).toEqual(expect.arrayContaining([own.name, other.name, ofAll.name]));
  });
});

describe('a release template of a project', () => {
  it('is created, changed and deleted by a Member of the project, who may not change those of others', async () => {
    const project = await givenProject(server());
    const [ofAll, ofOther] = [await givenTemplate(server()), await givenTemplate(server(), { project: 'default' })];
    const { client } = await givenMember(server(), project, memberRole);
    const name = freshName('template');
    const created = await client.call(`POST ${all}`, { body: { name, project, milestones: inThreeSteps } });
    expect(created.status).toBe(200);
    const params = { templateId: created.json.id };
    const statusOf = async (route: Parameters<typeof client.call>[0], templateId: string, body?: object) =>
      (await client.call(route, { params: { templateId }, body })).status;
    const milestone = { name: 'One more' };
    expect(await statusOf(`PUT ${one}`, params.templateId, { name })).toBe(200);
    expect(await statusOf(`POST ${one}/milestones`, params.templateId, milestone)).toBe(200);
    for (const foreign of [ofAll, ofOther]) {
      expect(await statusOf(`PUT ${one}`, foreign.id, { name: foreign.name })).toBe(403);
      expect(await statusOf(`POST ${one}/milestones`, foreign.id, milestone)).toBe(403);
      expect(await statusOf(`POST ${all}/archive/:templateId`, foreign.id)).toBe(403);
      expect(await statusOf(`DELETE ${one}`, foreign.id)).toBe(403);
    }
    expect((await client.call(`POST ${all}`, { body: { name: freshName('template') } })).status).toBe(403);
    expect(await statusOf(`DELETE ${one}`, params.templateId)).toBe(200);
  });

  it('is moved only with the permission in both projects', async () => {
    const [from, to] = [await givenProject(server()), await givenProject(server())];
    const { id, name } = await givenTemplate(server(), { project: from });
    const { client, id: user } = await givenMember(server(), from, memberRole);
    const move = (project: string | null) =>
      client.call(`PUT ${one}`, { params: { templateId: id }, body: { name, project } });
    expect((await move(to)).status).toBe(403);
    expect((await move(null)).status).toBe(403);
    const access = { roles: [memberRole], users: [user], groups: [] };
    await server().admin.call('POST /api/admin/projects/:projectId/access', {
      params: { projectId: to },
      body: access,
    });
    expect((await move(to)).json).toMatchObject({ project: to });
  });

  it('is changed with a custom role that grants only UPDATE_PROJECT_RELEASE_TEMPLATE', async () => {
    const project = await givenProject(server());
    const { id, name } = await givenTemplate(server(), { project });
    const role = await givenRole(server(), { permissions: [{ name: 'UPDATE_PROJECT_RELEASE_TEMPLATE' }] });
    const statusWith = async (roleId: number) => {
      const { client } = await givenMember(server(), project, roleId);
      return (await client.call(`PUT ${one}`, { params: { templateId: id }, body: { name } })).status;
    };
    expect(await statusWith(readerRole)).toBe(403);
    expect(await statusWith(role.id)).toBe(200);
  });

  it('is deleted with the project, archived or not, and the events are in the project', async () => {
    const project = await givenProject(server());
    const [first, second] = [await givenTemplate(server(), { project }), await givenTemplate(server(), { project })];
    await server().admin.call(`POST ${all}/archive/:templateId`, { params: { templateId: second.id } });
    const before = await lastEventId(server());
    await server().admin.call('DELETE /api/admin/projects/:projectId', { params: { projectId: project } });
    const events = await eventsAfter(server(), before);
    expect(events.filter(({ type }) => type === 'release-plan-template-deleted')).toMatchObject(
      [first, second].map(({ name }) => ({ project, preData: { name } })),
    );
    for (const { id } of [first, second])
      expect((await server().admin.call(`GET ${one}`, { params: { templateId: id } })).status).toBe(404);
  });

  it('leaves a plan as it is when the plan’s flag is moved to another project', async () => {
    const [from, to] = [await givenProject(server()), await givenProject(server())];
    const { id } = await givenTemplate(server(), { project: from });
    const params = await givenEnabled(server(), from);
    await server().admin.call(`POST ${plans}`, { params, body: { templateId: id } });
    const move = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject';
    expect((await server().admin.call(move, { params, body: { newProjectId: to } })).status).toBe(200);
    const { json } = await server().admin.call(`GET ${plans}`, { params: { ...params, projectId: to } });
    expect(json).toMatchObject([{ releasePlanTemplateId: id, progress: { state: 'running' } }]);
  });
});

describe('a release template of a private project', () => {
  async function given() {
    const project = await givenProject(server(), { mode: 'private' });
    const template = await givenTemplate(server(), { project });
    const [inside, outside] = [await givenMember(server(), project, memberRole), await givenCaller(server(), 'Editor')];
    return { project, template, inside: inside.client, outside: outside.client };
  }

  it('is listed and read only by those who see the project', async () => {
    const { project, template, inside, outside } = await given();
    const params = { templateId: template.id };
    expect(await namesFor(inside)).toContain(template.name);
    expect(await namesFor(outside)).not.toContain(template.name);
    expect(await namesFor(outside, { project })).not.toContain(template.name);
    expect((await inside.call(`GET ${one}`, { params })).status).toBe(200);
    const [hidden, missing] = [
      await outside.call(`GET ${one}`, { params }),
      await outside.call(`GET ${one}`, { params: { templateId: 'none' } }),
    ];
    expect([hidden.status, hidden.json.message]).toEqual([404, missing.json.message.replace('none', template.id)]);
  });

  it('answers changes of others like a template that does not exist', async () => {
    const { template, outside } = await given();
    const params = { templateId: template.id, milestoneId: template.milestones[0].id };
    const statusOf = async (route: Parameters<typeof outside.call>[0], body?: object) =>
      (await outside.call(route, { params, body })).status;
    expect(await statusOf(`PUT ${one}`, { name: template.name })).toBe(404);
    expect(await statusOf(`POST ${all}/archive/:templateId`)).toBe(404);
    expect(await statusOf(`POST ${all}/revive/:templateId`)).toBe(404);
    expect(await statusOf(`POST ${one}/milestones`, { name: 'A' })).toBe(404);
    expect(await statusOf(`PUT ${one}/milestones/:milestoneId`, { name: 'A' })).toBe(404);
    expect(await statusOf(`DELETE ${one}/milestones/:milestoneId`)).toBe(404);
    expect(await statusOf(`DELETE ${one}`)).toBe(404);
  });

  it('cannot be applied or rehearsed by others', async () => {
    const { template, outside } = await given();
    const params = await givenEnabled(server());
    const apply = { params, body: { templateId: template.id } };
    expect((await outside.call(`POST ${plans}`, apply)).status).toBe(404);
    const rehearsed = { params, body: { templateId: template.id, hours: 1 } };
    expect((await outside.call(`POST ${plans}/rehearse`, rehearsed)).status).toBe(404);
    expect((await server().admin.call(`POST ${plans}/rehearse`, rehearsed)).status).toBe(400);
  });

  it('reserves its name without telling why', async () => {
    const { template, outside } = await given();
    const reply = await outside.call(`POST ${all}`, { body: { name: template.name } });
    expect([reply.status, reply.json.message]).toEqual([
      409,
      `The name ${template.name} is reserved. Choose another name.`,
    ]);
  });

  it('cannot be created by others, as in a project that does not exist', async () => {
    const { project, outside } = await given();
    const { client: viewer } = await givenCaller(server());
    for (const client of [outside, viewer]) {
      const create = (of: string) => client.call(`POST ${all}`, { body: { name: freshName('template'), project: of } });
      const [hidden, missing] = [await create(project), await create('nowhere')];
      expect([hidden.status, hidden.json.message]).toEqual([
        missing.status,
        missing.json.message.replace('nowhere', project),
      ]);
      expect([400, 403]).toContain(hidden.status);
    }
  });

  it('has events that only those see who see the project', async () => {
    const { project, inside, outside } = await given();
    const typesFor = async (client: ApiClient) => {
      const { json } = await client.call('GET /api/admin/search/events', { query: { project: `IS:${project}` } });
      return json.events.map(({ type }: { readonly type: string }) => type);
    };
    expect(await typesFor(inside)).toContain('release-plan-template-created');
    expect(await typesFor(outside)).toEqual([]);
  });
});
