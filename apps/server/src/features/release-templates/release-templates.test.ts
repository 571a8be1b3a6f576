import { describe, expect, it } from 'vitest';
import { givenTemplate } from '../../../testing/release-plans.ts';
import { runScenario } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';
import { releaseTemplateScenarios } from './release-templates.scenarios.ts';

describe('routes of release templates', () => {
  const server = useServer();

  it.each(releaseTemplateScenarios)('$route $name', (scenario) => runScenario(server(), scenario));
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
  });
});
