import { beforeEach, describe, expect, it } from 'vitest';
import { type Caller, givenCaller } from '#testing/access.ts';
import { givenProject } from '#testing/flags.ts';
import { givenIntegration, integrationBody } from '#testing/integrations.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const integrationRoute = 'GET /api/admin/addons/:id';
const change = 'PUT /api/admin/addons/:id';
const remove = 'DELETE /api/admin/addons/:id';

describe('an integration that includes a private project', () => {
  const server = useServer();
  let secret: string;
  let editor: Caller;

  beforeEach(async () => {
    secret = await givenProject(server(), { mode: 'private' });
    editor = await givenCaller(server(), 'Editor');
  });

  const projectsOf = async (id: number) =>
    (await server().admin.call(integrationRoute, { params: { id } })).json.projects;

  it.each([
    ['by name, with others', () => ['default', secret]],
    ['among all projects, because an administrator created it', () => []],
  ])('%s keeps the project when other users save it', async (_name, projects) => {
    const { id } = await givenIntegration(server(), { projects: projects() });
    const seen = await editor.client.call(integrationRoute, { params: { id } });
    expect([seen.status, seen.text.includes(secret)]).toEqual([200, false]);
    const before = await lastEventId(server());
    for (const [route, body] of [
      [change, { ...integrationBody, projects: seen.json.projects }],
      [change, { ...integrationBody, projects: [] }],
      [change, { ...integrationBody, projects: ['default'], parameters: { url: 'https://8.8.4.4/elsewhere' } }],
      [remove, undefined],
    ] as const) {
      const reply = await editor.client.call(route, { params: { id }, ...(body && { body }) });
      expect([route, reply.status]).toEqual([route, 409]);
      expect(reply.text).toContain('projects that you cannot see');
      expect(reply.text).not.toContain(secret);
    }
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect(await projectsOf(id)).toEqual(projects());
    const sees = await server()
      .app.database.db.selectFrom('integrations')
      .select('sees_all')
      .where('id', '=', id)
      .execute();
    expect(sees).toEqual([{ sees_all: 1 }]);
  });

  it('and no other is hidden from users who cannot see the project', async () => {
    const { id } = await givenIntegration(server(), { projects: [secret] });
    const listed = (await editor.client.call('GET /api/admin/addons')).json.addons as { id: number }[];
    expect(listed.map((addon) => addon.id)).not.toContain(id);
    const body = { ...integrationBody, projects: [] };
    for (const [route, call] of [
      [integrationRoute, {}],
      [change, { body }],
      [remove, {}],
    ] as const)
      expect([route, (await editor.client.call(route, { params: { id }, ...call })).status]).toEqual([route, 404]);
    expect(await projectsOf(id)).toEqual([secret]);
  });

  it('can be changed and deleted by an administrator', async () => {
    const { id } = await givenIntegration(server(), { projects: ['default', secret] });
    const body = { ...integrationBody, projects: [secret] };
    expect((await server().admin.call(change, { params: { id }, body })).json).toMatchObject({ projects: [secret] });
    expect((await server().admin.call(remove, { params: { id } })).status).toBe(200);
  });

  it('does not restrict changes of integrations of other projects', async () => {
    const { id } = await givenIntegration(server(), { projects: ['default'] });
    const body = { ...integrationBody, enabled: false, projects: ['default'] };
    expect((await editor.client.call(change, { params: { id }, body })).status).toBe(200);
    expect((await editor.client.call(remove, { params: { id } })).status).toBe(200);
  });
});
