import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember, giveRoles } from '../../../testing/access.ts';
import { ask, bring, givenReview, readRequest } from '../../../testing/change-requests.ts';
import type { ApiClient } from '../../../testing/client.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlag, givenProject } from '../../../testing/flags.ts';
import { eventsAfter, lastEventId } from '../../../testing/scenario.ts';
import { type GivenSegment, givenSegment } from '../../../testing/segments.ts';
import { type TestServer, useServer } from '../../../testing/server.ts';

const ownerRole = 4;
const update = 'PUT /api/admin/segments/:id';
const inProject = '/api/admin/projects/:projectId' as const;

/** A segment of all projects, and a project whose flag uses it in production, where changes are reviewed. */
async function givenUse(
  server: TestServer,
  { approvals = 1, project = {} }: { approvals?: number; project?: object } = {},
) {
  const segment = await givenSegment(server);
  const projectId = await givenProject(server, project);
  await use(server, segment, projectId);
  await givenReview(server, projectId, 'production', approvals);
  return { segment, projectId };
}

async function use(server: TestServer, { id }: GivenSegment, projectId: string): Promise<FlagEnvironmentParams> {
  const params = { ...(await givenFlag(server, {}, projectId)), environment: 'production' };
  await addStrategy(server, params, { name: 'default', segments: [id] });
  return params;
}

const emptied = ({ name }: GivenSegment) => ({ name, constraints: [] });

function change(client: ApiClient, segment: GivenSegment) {
  return client.call(update, { params: { id: segment.id }, body: emptied(segment) });
}

const constraintsOf = async (server: TestServer, { id }: GivenSegment) =>
  (await server.admin.call('GET /api/admin/segments/:id', { params: { id } })).json.constraints.length;

/** A request of `author` in development of a project that empties the segment, sent to review. */
async function givenAsked(author: Caller, projectId: string, segment: GivenSegment): Promise<number> {
  const params = { projectId, environment: 'development', featureName: '' };
  const doing = { action: 'updateSegment', payload: { id: segment.id, ...emptied(segment) } };
  const { id } = await ask(author.client, params, doing);
  await bring(author.client, projectId, id, 'In review');
  return id;
}

const setState = (client: ApiClient, projectId: string, id: number, state: string) =>
  client.call(`PUT ${inProject}/change-requests/:id/state`, { params: { projectId, id }, body: { state } });

describe('a segment of all projects', () => {
  const server = useServer();

  it('is not changed directly where a reviewed environment uses it', async () => {
    const { segment } = await givenUse(server());
    const { client } = await givenCaller(server(), 'Editor');
    const before = await lastEventId(server());
    const refused = await change(client, segment);
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
    expect(refused.json.message).toContain('production');
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect(await constraintsOf(server(), segment)).toBe(1);
  });

  it('is not taken into a project or given a name without review either', async () => {
    const { segment, projectId } = await givenUse(server());
    const { client } = await givenCaller(server(), 'Editor');
    const { json } = await server().admin.call('GET /api/admin/segments/:id', { params: { id: segment.id } });
    for (const more of [{ project: projectId }, { name: `${segment.name}-2` }]) {
      const body = { name: json.name, constraints: json.constraints, ...more };
      expect((await client.call(update, { params: { id: segment.id }, body })).status).toBe(403);
    }
  });

  it('is changed directly by whoever may skip review in all of them, and where none is reviewed', async () => {
    const { segment, projectId } = await givenUse(server());
    const other = await givenProject(server());
    await use(server(), segment, other);
    await givenReview(server(), other, 'production');
    const { id, client } = await givenCaller(server(), 'Editor');
    await giveRoles(server(), projectId, [ownerRole], { users: [id] });
    expect((await change(client, segment)).status).toBe(403);
    await giveRoles(server(), other, [ownerRole], { users: [id] });
    expect((await change(client, segment)).status).toBe(204);

    const free = await givenSegment(server());
    await use(server(), free, await givenProject(server()));
    await givenReview(server(), projectId, 'development');
    expect((await change(client, free)).status).toBe(204);
  });

  it('is not reviewed for the sake of an archived flag, or of an environment that its project lost', async () => {
    const { client } = await givenCaller(server(), 'Editor');
    const [archived, lost] = [await givenSegment(server()), await givenSegment(server())];
    const projectId = await givenProject(server());
    const params = await use(server(), archived, projectId);
    await server().admin.call(`DELETE ${inProject}/features/:featureName`, { params });
    await givenReview(server(), projectId, 'production');
    expect((await change(client, archived)).status).toBe(204);

    const other = await givenProject(server());
    await use(server(), lost, other);
    await givenReview(server(), other, 'production');
    expect((await change(client, lost)).status).toBe(403);
    await server().admin.call(`DELETE ${inProject}/environments/:environment`, {
      params: { projectId: other, environment: 'production' },
    });
    expect((await change(client, lost)).status).toBe(204);
  });

  it('is refused without a word about the hidden project that uses it', async () => {
    const { segment, projectId } = await givenUse(server(), { project: { mode: 'private' } });
    const { client } = await givenCaller(server(), 'Editor');
    const refused = await change(client, segment);
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain(projectId);
    const state = { version: 1, segments: { [segment.name]: { constraints: [] } } };
    for (const route of ['POST /api/admin/state/plan', 'POST /api/admin/state/apply'] as const) {
      const reply = await client.call(route, { body: { state } });
      expect(reply.text).toContain('SKIP_CHANGE_REQUEST');
      expect(reply.text).not.toContain(projectId);
    }
  });

  it('is not changed by state as code, which names the permission and the project when they are planned', async () => {
    const { segment, projectId } = await givenUse(server());
    const { client } = await givenCaller(server(), 'Editor');
    const body = { state: { version: 1, segments: { [segment.name]: { constraints: [] } } } };
    const planned = await client.call('POST /api/admin/state/plan', { body });
    expect(planned.json.permissions).toEqual([
      { message: `You need the permission SKIP_CHANGE_REQUEST in ${projectId}, production`, names: [] },
    ]);
    const refused = await client.call('POST /api/admin/state/apply', { body });
    expect(refused.json).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
    expect(await constraintsOf(server(), segment)).toBe(1);
  });
});

describe('a change request for a segment of all projects', () => {
  const server = useServer();

  it('in a project that reviews nothing needs the approvals of the environments that use it', async () => {
    const { segment, projectId } = await givenUse(server(), { approvals: 2 });
    const own = await givenProject(server());
    const author = await givenCaller(server(), 'Editor');
    await giveRoles(server(), own, [ownerRole], { users: [author.id] });
    const id = await givenAsked(author, own, segment);
    expect(await readRequest(server(), own, id)).toMatchObject({ state: 'In review', minApprovals: 2 });
    expect((await setState(author.client, own, id, 'Applied')).status).toBe(403);

    const ofOwn = await givenMember(server(), own, ownerRole);
    const refused = await setState(ofOwn.client, own, id, 'Approved');
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ permissions: ['APPROVE_CHANGE_REQUEST'] });
    expect(refused.text).not.toContain(projectId);

    const ofUser = await givenMember(server(), projectId, ownerRole);
    await bring(ofUser.client, own, id, 'Approved');
    await bring(server().admin, own, id, 'Approved');
    const before = await lastEventId(server());
    await bring(server().admin, own, id, 'Applied');
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).toEqual(['segment-updated', 'change-request-applied']);
    expect(await constraintsOf(server(), segment)).toBe(0);
  });

  it('is applied with the permissions of its other changes where only the environments that use the segment are reviewed', async () => {
    const { segment, projectId } = await givenUse(server());
    const own = await givenProject(server());
    const flag = { ...(await givenFlag(server(), {}, own)), environment: 'production' };
    const { id } = await ask(server().admin, flag, [
      { action: 'updateEnabled', feature: flag.featureName, payload: { enabled: true } },
      { action: 'updateSegment', payload: { id: segment.id, ...emptied(segment) } },
    ]);
    await bring(server().admin, own, id, 'In review');
    const owner = await givenMember(server(), projectId, ownerRole);
    await bring(owner.client, own, id, 'Approved');
    const refused = await setState(owner.client, own, id, 'Applied');
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ permissions: ['UPDATE_FEATURE_ENVIRONMENT'] });
  });

  it('is not applied, now or at a set time, when environments use the segment that nobody has approved it for', async () => {
    const { segment, projectId } = await givenUse(server());
    const author = await givenCaller(server(), 'Editor');
    const approver = await givenMember(server(), projectId, ownerRole);
    const id = await givenAsked(author, projectId, segment);
    await bring(approver.client, projectId, id, 'Approved');
    const scheduledAt = new Date(server().clock.now() + 3_600_000).toISOString();
    await bring(server().admin, projectId, id, 'Scheduled', { scheduledAt });

    const other = await givenProject(server());
    await use(server(), segment, other);
    await givenReview(server(), other, 'production');
    const refused = await setState(server().admin, projectId, id, 'Applied');
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain('0 of 1');
    server().clock.advance(3_600_001);
    await server().app.service.schedules.runDue();
    expect((await readRequest(server(), projectId, id)).schedule).toMatchObject({
      status: 'suspended',
      reason: expect.stringContaining('0 of 1'),
    });
    expect(await constraintsOf(server(), segment)).toBe(1);
  });

  it('does not take in a segment that was changed directly since it was approved', async () => {
    const segment = await givenSegment(server());
    const projectId = await givenProject(server());
    const flag = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
    await givenReview(server(), projectId, 'production');
    const author = await givenCaller(server(), 'Editor');
    const payload = { name: 'default', segments: [segment.id] };
    const { id } = await ask(author.client, flag, { action: 'addStrategy', feature: flag.featureName, payload });
    await bring(author.client, projectId, id, 'In review');
    await bring(server().admin, projectId, id, 'Approved');
    expect((await change(author.client, segment)).status).toBe(204);
    const refused = await setState(server().admin, projectId, id, 'Applied');
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain(`The segment ${segment.name}, which the strategy is to use, was changed`);
  });

  it('is approved when environments that use the segment are reviewed no more', async () => {
    const { segment, projectId } = await givenUse(server(), { approvals: 2 });
    const own = await givenProject(server());
    const id = await givenAsked(await givenCaller(server(), 'Editor'), own, segment);
    await bring(server().admin, own, id, 'Approved');
    expect((await readRequest(server(), own, id)).state).toBe('In review');
    await givenReview(server(), projectId, 'production', 1);
    expect((await readRequest(server(), own, id)).state).toBe('Approved');
  });
});
