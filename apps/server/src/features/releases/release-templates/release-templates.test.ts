import { describe, expect, it } from 'vitest';
import { givenEnabled } from '#testing/flags.ts';
import { givenTemplate } from '#testing/release-plans.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { releaseTemplateScenarios } from './release-templates.scenarios.ts';

describe('routes of release templates', () => testScenarios(useServer(), releaseTemplateScenarios));

describe('an archived release template', () => {
  const server = useServer();

  it('cannot be applied until it is revived', async () => {
    const { id } = await givenTemplate(server());
    const params = { ...(await givenEnabled(server())), templateId: id };
    const add = async () => {
      const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans';
      return (await server().admin.call(route, { params, body: { templateId: id } })).status;
    };
    await server().admin.call('POST /api/admin/release-plan-templates/archive/:templateId', { params });
    expect(await add()).toBe(400);
    await server().admin.call('POST /api/admin/release-plan-templates/revive/:templateId', { params });
    expect(await add()).toBe(200);
  });
});

describe('the limit of release templates', () => {
  const server = useServer({ releaseTemplateLimit: 1 });

  it('refuses one more, and does not count archived ones', async () => {
    const { id } = await givenTemplate(server());
    const create = () => server().admin.call('POST /api/admin/release-plan-templates', { body: { name: 'Another' } });
    expect(await create()).toMatchObject({ status: 400, json: { name: 'ExceedsLimitError' } });
    await server().admin.call('POST /api/admin/release-plan-templates/archive/:templateId', {
      params: { templateId: id },
    });
    expect((await create()).status).toBe(200);
    const list = await server().admin.call('GET /api/admin/release-plan-templates');
    expect(list.json.map(({ name }: { name: string }) => name)).toEqual(['Another']);
    const archived = await server().admin.call('GET /api/admin/release-plan-templates', {
      query: { archived: 'true' },
    });
    expect(archived.json.map((template: { id: string }) => template.id)).toEqual([id]);
    const revive = 'POST /api/admin/release-plan-templates/revive/:templateId';
    expect(await server().admin.call(revive, { params: { templateId: id } })).toMatchObject({
      status: 400,
      json: { name: 'ExceedsLimitError' },
    });
  });
});
