import { describe, expect, it } from 'vitest';
import { givenSet, runsOf, signal } from '#testing/actions.ts';
import { type FlagEnvironmentParams, givenEnabled, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const settings = 'PUT /api/admin/projects/:projectId/settings';
const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
const off = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off';
const hold = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases';

async function requireReasons(server: TestServer, projectId: string, rule: object = {}): Promise<void> {
  const body = { changeReason: { required: true, ...rule } };
  const reply = await server.admin.call(settings, { params: { projectId }, body });
  expect(reply.status, reply.text).toBe(200);
}

/** Creates a flag that is on in development, in a project that requires reasons. */
async function givenRuled(server: TestServer, rule: object = {}): Promise<FlagEnvironmentParams> {
  const params = await givenEnabled(server, await givenProject(server));
  await requireReasons(server, params.projectId, rule);
  return params;
}

const because = (reason: string) => ({ headers: { 'x-change-reason': encodeURIComponent(reason) } });

describe('a project that requires reasons', () => {
  const server = useServer();

  it('answers 400 to a change without a reason, names the header and the project, and changes nothing', async () => {
    const params = { ...(await givenRuled(server())), environment: 'production' };
    const before = await lastEventId(server());
    const reply = await server().admin.call(on, { params });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({
      name: 'BadDataError',
      message: `X-Change-Reason is required in the project ${params.projectId}.`,
      details: [{ path: 'X-Change-Reason' }],
      changeReason: { project: params.projectId, pattern: null },
    });
    expect(await eventsAfter(server(), before)).toEqual([]);
  });

  it('takes a change with a reason', async () => {
    const params = { ...(await givenRuled(server())), environment: 'production' };
    expect((await server().admin.call(on, { params, ...because('Launch') })).status).toBe(200);
  });

  it('requires a match of its pattern anywhere in the reason', async () => {
    const params = { ...(await givenRuled(server(), { pattern: 'SHOP-\\d+' })), environment: 'production' };
    const refused = await server().admin.call(on, { params, ...because('Launch') });
    expect(refused.status).toBe(400);
    expect(refused.json.message).toContain('must contain a match of SHOP-\\d+');
    expect(refused.json.changeReason).toEqual({ project: params.projectId, pattern: 'SHOP-\\d+' });
    expect((await server().admin.call(on, { params, ...because('Launch (SHOP-17)') })).status).toBe(200);
  });

  it('needs none to switch a flag off or to hold it off', async () => {
    const params = await givenRuled(server());
    expect((await server().admin.call(off, { params })).status).toBe(200);
    const held = await server().admin.call(hold, { params, body: { effect: 'off' } });
    expect(held.status, held.text).toBeLessThan(300);
    const heldOn = await server().admin.call(hold, { params, body: { effect: 'on' } });
    expect(heldOn.status, heldOn.text).toBe(400);
    expect(heldOn.json.changeReason).toMatchObject({ project: params.projectId });
  });

  it('needs none for flags that are off everywhere, and for descriptions', async () => {
    const { projectId } = await givenRuled(server());
    const params = await givenFlag(server(), {}, projectId);
    const reply = await server().admin.call('PUT /api/admin/projects/:projectId/features/:featureName', {
      params,
      body: { description: 'Any' },
    });
    expect(reply.status).toBe(200);
  });

  it('requires one to move a flag out of the project', async () => {
    const { projectId, featureName } = await givenRuled(server());
    const body = { newProjectId: await givenProject(server()) };
    const route = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject';
    const call = { params: { projectId, featureName }, body };
    expect((await server().admin.call(route, call)).json).toMatchObject({ changeReason: { project: projectId } });
    expect((await server().admin.call(route, { ...call, ...because('Reorganization') })).status).toBe(200);
  });

  it('needs none for what an action set changes', async () => {
    const set = await givenSet(server());
    await requireReasons(server(), set.projectId);
    await signal(server(), set);
    await expect.poll(async () => (await runsOf(server(), set))[0]?.state).toBe('success');
  });

  it('accepts the reason for breaking glass', async () => {
    const params = { ...(await givenRuled(server())), environment: 'production' };
    const headers = { 'yardarm-break-glass': 'Outage' };
    expect((await server().admin.call(on, { params, headers })).status).toBe(200);
  });

  it('stops requiring reasons at once when the rule is removed', async () => {
    const params = { ...(await givenRuled(server())), environment: 'production' };
    expect((await server().admin.call(on, { params })).status).toBe(400);
    await requireReasons(server(), params.projectId, { required: false });
    expect((await server().admin.call(on, { params })).status).toBe(200);
  });

  it('shows the rule in its overview and records it', async () => {
    const projectId = await givenProject(server());
    const before = await lastEventId(server());
    await requireReasons(server(), projectId, { pattern: 'OPS-\\d+' });
    const changeReason = { required: true, pattern: 'OPS-\\d+' };
    expect(await eventsAfter(server(), before)).toMatchObject([{ type: 'project-updated', data: { changeReason } }]);
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/overview', {
      params: { projectId },
    });
    expect(json.changeReason).toEqual(changeReason);
  });

  it.each(['(', 'a'.repeat(1001), '(?=a)'])('refuses the pattern %s', async (pattern) => {
    const params = { projectId: await givenProject(server()) };
    const reply = await server().admin.call(settings, { params, body: { changeReason: { required: true, pattern } } });
    expect(reply.status).toBe(400);
    expect(reply.json.details).toMatchObject([{ path: 'changeReason.pattern' }]);
  });

  it('is off for new projects', async () => {
    const params = await givenFlagIn(server(), 'production', await givenProject(server()));
    expect((await server().admin.call(on, { params })).status).toBe(200);
  });

  it('is set, exported and checked as state', async () => {
    const projectId = await givenProject(server());
    const apply = (pattern: string) =>
      server().admin.call('POST /api/admin/state/apply', {
        body: { state: { version: 1, projects: { [projectId]: { changeReason: { required: true, pattern } } } } },
      });
    expect((await apply('(')).status).toBe(400);
    expect((await apply('OPS-\\d+')).status).toBe(200);
    const { json } = await server().admin.call('GET /api/admin/state', { query: { projects: projectId } });
    expect(json.projects[projectId].changeReason).toEqual({ required: true, pattern: 'OPS-\\d+' });
  });
});
