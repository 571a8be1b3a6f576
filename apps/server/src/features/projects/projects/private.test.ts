import type { routes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenGroup, givenMember, giveRoles } from '#testing/access.ts';
import type { Call } from '#testing/client.ts';
import { addStrategy, freshName, givenFlag, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const readerRole = 6;

describe('a private project', () => {
  const server = useServer();

  /** Creates a private project with a flag, a Reader inside and an Editor outside. */
  async function given() {
    const projectId = await givenProject(server(), { mode: 'private' });
    const { featureName } = await givenFlag(server(), {}, projectId);
    await givenToken(server(), { projects: [projectId], tokenName: projectId });
    await givenToken(server(), { projects: ['default', projectId], tokenName: projectId });
    const inside = await givenMember(server(), projectId, readerRole);
    const editor = await givenCaller(server(), 'Editor');
    return { projectId, featureName, inside, editor };
  }

  const callAs = async ({ client }: Caller, route: keyof typeof routes, call: Call = {}) => client.call(route, call);

  it('answers 404 on all its paths to an Editor outside, and 200 to a Reader', async () => {
    const { projectId, featureName, inside, editor } = await given();
    const params = { projectId, featureName, name: featureName, environment: 'development' };
    const flag = '/api/admin/projects/:projectId/features/:featureName' as const;
    const reads = [
      'GET /api/admin/projects/:projectId/overview',
      'GET /api/admin/projects/:projectId/features',
      `GET ${flag}`,
      `GET ${flag}/environments/:environment`,
      `GET ${flag}/environments/:environment/strategies`,
      'GET /api/admin/environments/project/:projectId',
      'GET /api/admin/features/:featureName/tags',
      'GET /api/admin/client-metrics/features/:name',
      'GET /api/admin/client-metrics/features/:name/raw',
    ] as const;
    for (const route of reads) {
      expect([route, (await callAs(inside, route, { params })).status]).toEqual([route, 200]);
      const reply = await callAs(editor, route, { params });
      expect([route, reply.status]).toEqual([route, 404]);
    }
  });

  it('answers writes like a project that does not exist', async () => {
    const { projectId, featureName, editor } = await given();
    const viewer = await givenCaller(server());
    const writes = [
      ['POST /api/admin/projects/:projectId/features', { body: { name: 'a-new-flag' } }],
      ['PUT /api/admin/projects/:projectId', { body: { name: 'x' } }],
      ['POST /api/admin/projects/:projectId/api-tokens', { body: { tokenName: 't', type: 'backend' } }],
      ['DELETE /api/admin/projects/:projectId/features/:featureName', {}],
    ] as const;
    for (const [route, call] of writes) {
      for (const caller of [viewer, editor]) {
        const hidden = await callAs(caller, route, { ...call, params: { projectId, featureName } });
        const absent = await callAs(caller, route, { ...call, params: { projectId: 'nowhere', featureName } });
        expect([route, hidden.status]).toEqual([route, absent.status]);
        expect([403, 404]).toContain(hidden.status);
      }
    }
    const byName = await callAs(editor, 'DELETE /api/admin/archive/:featureName', { params: { featureName } });
    const unknown = await callAs(editor, 'DELETE /api/admin/archive/:featureName', { params: { featureName: 'none' } });
    expect(byName.status).toBe(404);
    expect(byName.json.message).toBe(unknown.json.message.replace('none', featureName));
  });

  it('is listed only for members, also through a group', async () => {
    const { projectId, inside, editor } = await given();
    const listed = async (caller: Caller) => {
      const { json } = await callAs(caller, 'GET /api/admin/projects');
      return json.projects.map(({ id }: { id: string }) => id).includes(projectId);
    };
    expect(await listed(inside)).toBe(true);
    expect(await listed(editor)).toBe(false);
    const { id } = await givenGroup(server(), [editor.id]);
    await giveRoles(server(), projectId, [readerRole], { groups: [id] });
    expect(await listed(editor)).toBe(true);
  });

  it('is not in event searches of outsiders, and neither are its API tokens', async () => {
    const { projectId, inside, editor } = await given();
    const found = async (caller: Caller, query: Record<string, string>) => {
      const { json } = await callAs(caller, 'GET /api/admin/search/events', { query });
      return json.events.map(({ project }: { project: string }) => project);
    };
    expect(await found(inside, { project: `IS:${projectId}` })).toContain(projectId);
    expect(await found(editor, { project: `IS:${projectId}` })).toEqual([]);
    const everything = await found(editor, { limit: '1000' });
    expect(everything).toContain('default');
    expect(everything.filter((project: string) => project.split(',').includes(projectId))).toEqual([]);
    const inText = await found(editor, { query: projectId });
    expect(inText).toEqual([]);
  });

  it('leaves its events to administrators alone when it is deleted, and only they may use its id again', async () => {
    const { projectId, featureName, inside, editor } = await given();
    const params = { projectId };
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', {
      params: { projectId, featureName },
    });
    expect((await server().admin.call('DELETE /api/admin/projects/:projectId', { params })).status).toBe(200);
    const typesSeenBy = async (client: Caller['client']) => {
      const { json } = await client.call('GET /api/admin/search/events', { query: { project: `IS:${projectId}` } });
      return json.events.map(({ type }: { type: string }) => type);
    };
    expect(await typesSeenBy(server().admin)).toContain('project-deleted');
    expect(await typesSeenBy(editor.client)).toEqual([]);
    expect(await typesSeenBy(inside.client)).toEqual([]);

    const create = (caller: Pick<Caller, 'client'>, body: object) =>
      caller.client.call('POST /api/admin/projects', { body: { ...body, environments: [] } });
    const reserved = await create(editor, { id: projectId, name: 'Mine now' });
    expect([reserved.status, reserved.json.message]).toEqual([
      409,
      `The name ${projectId} is reserved. Choose another name.`,
    ]);
    const named = await create(editor, { name: projectId });
    expect([named.status, named.json.id === projectId]).toEqual([201, false]);
    expect((await create({ client: server().admin }, { id: projectId, name: 'Again', mode: 'open' })).status).toBe(201);
    expect(await typesSeenBy(editor.client)).toContain('project-deleted');
  });

  it('is not in flag searches of outsiders, by project or flag name', async () => {
    const { projectId, featureName, inside, editor } = await given();
    const found = async (caller: Caller, query: Record<string, string>) => {
      const { json } = await callAs(caller, 'GET /api/admin/search/features', { query });
      return { names: json.features.map(({ name }: { name: string }) => name), total: json.total };
    };
    for (const query of [{ project: `IS:${projectId}` }, { query: featureName, limit: '1000' }]) {
      expect((await found(inside, query)).names).toContain(featureName);
      expect(await found(editor, query)).toEqual({ names: [], total: 0 });
    }
  });

  it('lets no outsider list, change or create its API tokens', async () => {
    const { projectId, editor } = await given();
    const { json } = await callAs(editor, 'GET /api/admin/api-tokens');
    expect(JSON.stringify(json)).not.toContain(projectId);
    const named = await callAs(editor, 'GET /api/admin/api-tokens/:name', { params: { name: projectId } });
    expect(named.json.tokens).toEqual([]);
    const token = { tokenName: 'spy', type: 'backend', environment: 'development' };
    const make = (projects: string[]) => callAs(editor, 'POST /api/admin/api-tokens', { body: { ...token, projects } });
    expect((await make([projectId])).status).toBe(400);
    expect((await make(['*'])).status).toBe(403);
    expect((await make(['default'])).status).toBe(201);
    const { secret } = await givenToken(server(), { projects: [projectId] });
    await callAs(editor, 'DELETE /api/admin/api-tokens/:token', { params: { token: secret } });
    const still = await server().client(secret).call('GET /api/client/features');
    expect(still.status).toBe(200);
  });

  it('hides its segments and context fields from outsiders', async () => {
    const { projectId, inside, editor } = await given();
    const segment = await server().admin.call('POST /api/admin/segments', {
      body: { name: projectId, project: projectId, constraints: [] },
    });
    const field = await server().admin.call('POST /api/admin/context', {
      body: { name: projectId, project: projectId },
    });
    expect([segment.status, field.status]).toEqual([201, 201]);
    const params = { id: segment.json.id, contextField: projectId };
    const reads = ['GET /api/admin/segments/:id', 'GET /api/admin/context/:contextField'] as const;
    const lists = [
      ['GET /api/admin/segments', {}],
      ['GET /api/admin/context', { include: 'project' }],
    ] as const;
    for (const route of reads) {
      expect((await callAs(inside, route, { params })).status).toBe(200);
      expect((await callAs(editor, route, { params })).status).toBe(404);
    }
    for (const [route, query] of lists) {
      expect((await callAs(inside, route, { query })).text).toContain(projectId);
      expect((await callAs(editor, route, { query })).text).not.toContain(projectId);
    }
    const writes = ['DELETE /api/admin/segments/:id', 'DELETE /api/admin/context/:contextField'] as const;
    for (const route of writes) expect((await callAs(editor, route, { params })).status).toBe(404);
  });

  it('is not named in errors about segments, fields and tags that its flags use', async () => {
    const { projectId, featureName, editor } = await given();
    const [open, other] = [await givenFlag(server()), await givenProject(server())];
    const { admin } = server();
    const name = freshName('used');
    const segment = await admin.call('POST /api/admin/segments', { body: { name, constraints: [] } });
    await admin.call('POST /api/admin/context', { body: { name } });
    await admin.call('POST /api/admin/strategies', { body: { name, parameters: [] } });
    const constraints = [{ contextName: name, operator: 'IN', values: ['x'] }];
    const strategy = { name, segments: [segment.json.id], constraints };
    const environment = 'development';
    await addStrategy(server(), { projectId, featureName, environment }, strategy);
    await admin.call('POST /api/admin/projects/:projectId/environments/:environment/default-strategy', {
      params: { projectId, environment },
      body: strategy,
    });
    const params = { id: segment.json.id, contextField: name, name };
    const refused = async (status: number, expectedText: string) => {
      for (const [route, call] of [
        ['DELETE /api/admin/segments/:id', {}],
        ['PUT /api/admin/segments/:id', { body: { name, project: other, constraints: [] } }],
        ['DELETE /api/admin/context/:contextField', {}],
        ['DELETE /api/admin/strategies/:name', {}],
      ] as const) {
        const reply = await callAs(editor, route, { params, ...call });
        expect([route, reply.text.includes(projectId) || reply.text.includes(featureName)]).toEqual([route, false]);
        expect([route, Math.floor(reply.status / 100)]).toEqual([route, status]);
        expect(reply.json.message).toContain(expectedText);
      }
    };
    await refused(4, 'others in projects that you cannot see');
    await addStrategy(server(), { ...open, environment }, strategy);
    const { json } = await callAs(editor, 'DELETE /api/admin/segments/:id', { params });
    expect(json.message).toContain(`${open.featureName} (development) and others in projects that you cannot see`);
  });

  it('does not validate flag names for outsiders', async () => {
    const { projectId, editor } = await given();
    const body = { name: 'some-new-name', projectId };
    expect((await callAs(editor, 'POST /api/admin/features/validate', { body })).status).toBe(404);
  });

  it('is hidden immediately from a removed member, and when it becomes private', async () => {
    const { projectId, inside, editor } = await given();
    const view = async (caller: Caller, id: string) =>
      (await callAs(caller, 'GET /api/admin/projects/:projectId/overview', { params: { projectId: id } })).status;
    expect(await view(inside, projectId)).toBe(200);
    await server().admin.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
      params: { projectId, userId: inside.id },
    });
    expect(await view(inside, projectId)).toBe(404);
    const open = await givenProject(server());
    expect(await view(editor, open)).toBe(200);
    const body = { mode: 'private' };
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', { params: { projectId: open }, body });
    expect(await view(editor, open)).toBe(404);
  });
});
