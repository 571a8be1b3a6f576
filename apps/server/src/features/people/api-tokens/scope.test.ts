import { describe, expect, it } from 'vitest';
import { givenCaller, givenRole } from '#testing/access.ts';
import { givenEnvironment, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { type GivenToken, givenToken } from '#testing/tokens.ts';

const create = 'POST /api/admin/api-tokens' as const;
const update = 'PUT /api/admin/api-tokens/:token' as const;
const remove = 'DELETE /api/admin/api-tokens/:token' as const;

describe('an API token', () => {
  const server = useServer();
  /** Returns the status that an SDK with this token gets. */
  const knock = async ({ secret }: GivenToken) =>
    (await server().client(secret).call('GET /api/client/features')).status;
  const listed = async ({ id }: GivenToken) => {
    const { tokens } = (await server().admin.call('GET /api/admin/api-tokens')).json;
    return tokens.find((token: { id: number }) => token.id === id);
  };
  const soon = () => ({ expiresAt: new Date(server().clock.now() + 1000).toISOString() });

  it('needs separate permissions to be created, updated and deleted', async () => {
    const token = await givenToken(server());
    const holding = async (...names: string[]) => {
      const role = await givenRole(server(), { type: 'root-custom', permissions: names.map((name) => ({ name })) });
      return (await givenCaller(server(), role.name)).client;
    };
    const params = { token: token.id };
    const creator = await holding('CREATE_CLIENT_API_TOKEN', 'DELETE_FRONTEND_API_TOKEN', 'UPDATE_FRONTEND_API_TOKEN');
    expect((await creator.call(update, { params, body: soon() })).status).toBe(403);
    expect((await creator.call(remove, { params })).status).toBe(403);
    expect((await creator.call(create, { body: { tokenName: 'f', type: 'frontend' } })).status).toBe(403);
    expect((await creator.call(create, { body: { tokenName: 'b', type: 'backend' } })).status).toBe(201);
    expect(await knock(token)).toBe(200);
    const updater = await holding('UPDATE_CLIENT_API_TOKEN');
    expect((await updater.call(remove, { params })).status).toBe(403);
    expect((await updater.call(update, { params, body: soon() })).status).toBe(200);
    server().clock.advance(1000);
    expect(await knock(token)).toBe(401);
    const deleter = await holding('DELETE_CLIENT_API_TOKEN');
    expect((await deleter.call(remove, { params })).status).toBe(200);
    expect(await listed(token)).toBeUndefined();
  });

  it('of a private project is hidden from callers who cannot see the project', async () => {
    const hidden = await givenProject(server(), { mode: 'private' });
    const own = await givenToken(server(), { projects: [hidden] });
    const shared = await givenToken(server(), { projects: ['default', hidden] });
    const { client } = await givenCaller(server(), 'Editor');
    const { tokens } = (await client.call('GET /api/admin/api-tokens')).json;
    for (const token of [own, shared]) {
      expect(tokens.map(({ id }: { id: number }) => id)).not.toContain(token.id);
      const params = { token: token.id };
      expect((await client.call(update, { params, body: soon() })).status).toBe(200);
      expect((await client.call(remove, { params })).status).toBe(200);
      expect(await knock(token)).toBe(200);
    }
  });

  it('cannot be created for a private project that its creator cannot see, nor for all projects then', async () => {
    const hidden = await givenProject(server(), { mode: 'private' });
    const { client } = await givenCaller(server(), 'Editor');
    const created = async (projects: string[]) => {
      const reply = await client.call(create, { body: { tokenName: 'sdk', type: 'backend', projects } });
      return { status: reply.status, text: reply.text.replaceAll(projects.join(), '…') };
    };
    const [of, unknown] = [await created([hidden]), await created(['nowhere'])];
    expect([of.status, unknown.status]).toEqual([400, 400]);
    const message = ({ text }: { text: string }) => JSON.parse(text).message;
    expect(message(of)).toBe(message(unknown));
    expect((await created(['*'])).status).toBe(403);
    expect((await created(['default'])).status).toBe(201);
    expect((await server().admin.call(create, { body: { tokenName: 'all', type: 'backend' } })).status).toBe(201);
  });

  it('is deleted with its only project, and loses a deleted project from its scope', async () => {
    const [gone, kept] = [await givenProject(server()), await givenProject(server())];
    const [own, shared, other, all] = [
      await givenToken(server(), { projects: [gone] }),
      await givenToken(server(), { projects: [gone, kept] }),
      await givenToken(server(), { projects: [kept] }),
      await givenToken(server()),
    ];
    for (const token of [own, shared, other, all]) expect(await knock(token)).toBe(200);
    const params = { projectId: gone };
    await server().admin.call('POST /api/admin/projects/archive/:projectId', { params });
    const before = await lastEventId(server());
    expect((await server().admin.call('DELETE /api/admin/projects/:projectId', { params })).status).toBe(200);
    expect(await knock(own)).toBe(401);
    for (const token of [shared, other, all]) expect(await knock(token)).toBe(200);
    expect((await listed(shared)).projects).toEqual([kept]);
    const types = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('api-token-'));
    expect(types).toMatchObject([
      { type: 'api-token-deleted', preData: { projects: [gone] } },
      { type: 'api-token-updated', preData: { projects: [gone, kept] }, data: { projects: [kept] } },
    ]);
  });

  it('is deleted with its environment; tokens of other environments stay', async () => {
    const environment = await givenEnvironment(server());
    const [own, other] = [await givenToken(server(), { environment }), await givenToken(server())];
    expect([await knock(own), await knock(other)]).toEqual([200, 200]);
    const params = { name: environment };
    expect((await server().admin.call('DELETE /api/admin/environments/:name', { params })).status).toBe(200);
    expect([await knock(own), await knock(other)]).toEqual([401, 200]);
    expect(await listed(own)).toBeUndefined();
  });

  it('is not created for an archived project', async () => {
    const projectId = await givenProject(server());
    await server().admin.call('POST /api/admin/projects/archive/:projectId', { params: { projectId } });
    const body = { tokenName: 'late', type: 'backend', projects: [projectId] };
    expect((await server().admin.call(create, { body })).status).toBe(400);
  });
});
