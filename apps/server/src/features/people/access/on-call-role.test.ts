import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenGroup } from '#testing/access.ts';
import { givenRunHold } from '#testing/actions.ts';
import { type FlagEnvironmentParams, givenFlagIn } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const inFlag = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const freeze = 'POST /api/admin/automation' as const;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function holdsOn(server: TestServer, { projectId, featureName }: FlagEnvironmentParams) {
  const params = { projectId, featureName };
  const route = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server.admin.call(route, { params })).json.leases;
}

/** Releases the newest hold of the flag and returns the status of the answer. */
async function release(server: TestServer, { client }: Pick<Caller, 'client'>, flag: FlagEnvironmentParams) {
  const [{ id }] = await holdsOn(server, flag);
  return (await client.call(`DELETE ${inFlag}/leases/:leaseId`, { params: { ...flag, leaseId: id } })).status;
}

async function hide(server: TestServer, projectId: string): Promise<void> {
  const route = 'PUT /api/admin/projects/:projectId/settings';
  expect((await server.admin.call(route, { params: { projectId }, body: { mode: 'private' } })).status).toBe(200);
}

describe('the root role On call', () => {
  const server = useServer();

  it('sees sets and runs, releases, overrides and freezes, and switches no flag', async () => {
    const flag = await givenRunHold(server());
    const { client } = await givenCaller(server(), 'On call');
    const params = { projectId: flag.projectId };
    expect((await client.call('GET /api/admin/projects/:projectId/actions', { params })).json.actions).toHaveLength(1);
    expect((await client.call('GET /api/admin/action-runs', {})).json.runs).toHaveLength(1);
    expect(await release(server(), { client }, flag)).toBe(200);
    expect(await holdsOn(server(), flag)).toEqual([]);
    const body = { reason: 'The alert is wrong', endsAt: tomorrow() };
    expect((await client.call(`PUT ${inFlag}/automation-override`, { params: flag, body })).status).toBe(200);
    for (const frozen of [true, false])
      expect((await client.call(freeze, { body: { frozen, reason: null } })).status).toBe(200);
    expect((await client.call(`POST ${inFlag}/off`, { params: flag })).status).toBe(403);
  });

  it('reads signals, and so sees the alerts that fire without effect, and what endpoints refused', async () => {
    const { client } = await givenCaller(server(), 'On call');
    expect((await client.call('GET /api/admin/now')).json).toMatchObject({ alertsWithoutEffect: [], refusals: [] });
    const viewer = await givenCaller(server(), 'Viewer');
    expect((await viewer.client.call('GET /api/admin/now')).json).toMatchObject({
      alertsWithoutEffect: null,
      refusals: null,
    });
  });

  it('releases no hold of a person', async () => {
    const flag = await givenFlagIn(server());
    await givenHold(server(), flag);
    const onCall = await givenCaller(server(), 'On call');
    expect(await release(server(), onCall, flag)).toBe(403);
    expect(await holdsOn(server(), flag)).toHaveLength(1);
  });

  it('has no right in a private project', async () => {
    const flag = await givenRunHold(server());
    const onCall = await givenCaller(server(), 'On call');
    await hide(server(), flag.projectId);
    const { json } = await onCall.client.call('GET /api/admin/action-runs', {});
    expect(json.runs.filter(({ project }: { project: string }) => project === flag.projectId)).toEqual([]);
    const sets = 'GET /api/admin/projects/:projectId/actions';
    expect((await onCall.client.call(sets, { params: { projectId: flag.projectId } })).status).toBe(404);
    expect(await release(server(), onCall, flag)).toBe(404);
  });

  it('is given to an Editor by a group', async () => {
    const editor = await givenCaller(server(), 'Editor');
    expect((await editor.client.call(freeze, { body: { frozen: false, reason: null } })).status).toBe(403);
    const { json } = await server().admin.call('GET /api/admin/roles');
    const { id } = json.roles.find(({ name }: { name: string }) => name === 'On call');
    await givenGroup(server(), [editor.id], { rootRole: id });
    expect((await editor.client.call(freeze, { body: { frozen: false, reason: null } })).status).toBe(200);
  });

  it('is no way around: root roles grant no other permission of projects', async () => {
    const route = 'POST /api/admin/roles';
    const role = (permissions: object[]) => ({ body: { name: 'Watch', type: 'root-custom', permissions } });
    const refused = await server().admin.call(route, role([{ name: 'UPDATE_FEATURE_ENVIRONMENT' }]));
    expect(refused.status).toBe(400);
    const inOne = [{ name: 'OVERRIDE_AUTOMATION', environment: 'production' }];
    expect((await server().admin.call(route, role(inOne))).json.details[0].message).toContain('every environment');
    expect((await server().admin.call(route, role([{ name: 'READ_ACTIONS' }]))).status).toBe(200);
  });
});
