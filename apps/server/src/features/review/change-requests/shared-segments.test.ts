import { describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenMember, giveRoles } from '#testing/access.ts';
import { givenReview, readRequest, requestChanges, setRequestState, switchingOn } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlag, givenFlagIn, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { type GivenSegment, givenSegment } from '#testing/segments.ts';
import { type TestServer, useServer } from '#testing/server.ts';

const ownerRole = 4;
const update = 'PUT /api/admin/segments/:id';
const inProject = '/api/admin/projects/:projectId' as const;

/** Creates a shared segment, and a project whose flag uses it in production, which is reviewed. */
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

/** Creates a request of `author` in development that empties the segment, and sends it to review. */
async function givenSegmentRequest(author: Caller, projectId: string, segment: GivenSegment): Promise<number> {
  const params = { projectId, environment: 'development', featureName: '' };
  const change = { action: 'updateSegment', payload: { id: segment.id, ...emptied(segment) } };
  const { id } = await requestChanges(author.client, params, change);
  await setRequestState(author.client, projectId, id, 'In review');
  return id;
}

const setState = (client: ApiClient, projectId: string, id: number, state: string) =>
  client.call(`PUT ${inProject}/change-requests/:id/state`, { params: { projectId, id }, body: { state } });

describe('a shared segment', () => {
  const server = useServer();

  it('cannot be changed directly while a reviewed environment uses it', async () => {
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

  it('is approved by an earlier approver who approves again, once fewer approvals are needed', async () => {
    const { segment } = await givenUse(server());
    const elsewhere = await givenProject(server());
    const { featureName } = await use(server(), segment, elsewhere);
    await givenReview(server(), elsewhere, 'production', 2);
    const own = await givenProject(server());
    await givenReview(server(), own);
    const id = await givenSegmentRequest(await givenCaller(server(), 'Editor'), own, segment);
    await setState(server().admin, own, id, 'Approved');
    expect(await readRequest(server(), own, id)).toMatchObject({ state: 'In review', minApprovals: 2 });
    // The flag that needed two approvals no longer uses the segment.
    const params = { projectId: elsewhere, featureName };
    await server().admin.call(`DELETE ${inProject}/features/:featureName`, { params });
    expect(await readRequest(server(), own, id)).toMatchObject({ state: 'In review', minApprovals: 1 });
    expect((await setState(server().admin, own, id, 'Approved')).json).toMatchObject({ state: 'Approved' });
  });

  it('counts in the list for the request that changes it, and for no other', async () => {
    const strict = await givenUse(server(), { approvals: 3 });
    const easy = await givenUse(server());
    const own = await givenProject(server());
    await givenReview(server(), own);
    const author = await givenCaller(server(), 'Editor');
    const ids = [
      await givenSegmentRequest(author, own, strict.segment),
      await givenSegmentRequest(author, own, easy.segment),
    ];
    const list = await server().admin.call(`GET ${inProject}/change-requests`, { params: { projectId: own } });
    const needed = new Map(
      list.json.map(({ id, minApprovals }: { id: number; minApprovals: number }) => [id, minApprovals]),
    );
    expect(ids.map((id) => needed.get(id))).toEqual([3, 1]);
  });

  it('no longer needs approvals when its change is taken out of the request', async () => {
    const { segment } = await givenUse(server());
    const params = await givenFlagIn(server());
    const { projectId } = params;
    const { client } = await givenCaller(server(), 'Editor');
    await requestChanges(client, params, switchingOn(params));
    const payload = { id: segment.id, ...emptied(segment) };
    const { id, segments } = await requestChanges(client, params, { action: 'updateSegment', payload });
    expect((await setState(client, projectId, id, 'In review')).json).toMatchObject({ state: 'In review' });
    const change = { params: { projectId, changeRequestId: id, changeId: segments[0].id } };
    expect(
      (await client.call(`DELETE ${inProject}/change-requests/:changeRequestId/changes/:changeId`, change)).status,
    ).toBe(200);
    expect(await readRequest(server(), projectId, id)).toMatchObject({ state: 'Approved', minApprovals: 0 });
  });

  it('cannot be moved into a project or renamed directly either', async () => {
    const { segment, projectId } = await givenUse(server());
    const { client } = await givenCaller(server(), 'Editor');
    const { json } = await server().admin.call('GET /api/admin/segments/:id', { params: { id: segment.id } });
    for (const more of [{ project: projectId }, { name: `${segment.name}-2` }]) {
      const body = { name: json.name, constraints: json.constraints, ...more };
      expect((await client.call(update, { params: { id: segment.id }, body })).status).toBe(403);
    }
  });

  it('can be changed directly with the permission to skip review in all of its environments, or when none is reviewed', async () => {
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

  it('needs no review when only archived flags or removed environments use it', async () => {
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

  it('answers 403 without naming the hidden project that uses it', async () => {
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

  it('cannot be changed by state as code; the plan names the missing permission and the project', async () => {
    const { segment, projectId } = await givenUse(server());
    const { client } = await givenCaller(server(), 'Editor');
    const body = { state: { version: 1, segments: { [segment.name]: { constraints: [] } } } };
    const planned = await client.call('POST /api/admin/state/plan', { body });
    expect(planned.json.permissions).toEqual([
      { message: `You need the permission SKIP_CHANGE_REQUEST in ${projectId}, production`, names: [segment.name] },
    ]);
    const refused = await client.call('POST /api/admin/state/apply', { body });
    expect(refused.json).toMatchObject({ name: 'PermissionError', permissions: ['SKIP_CHANGE_REQUEST'] });
    expect(await constraintsOf(server(), segment)).toBe(1);
  });
});

describe('a change request for a shared segment', () => {
  const server = useServer();

  it('in a project without review needs the approvals of the environments that use the segment', async () => {
    const { segment, projectId } = await givenUse(server(), { approvals: 2 });
    const own = await givenProject(server());
    const author = await givenCaller(server(), 'Editor');
    await giveRoles(server(), own, [ownerRole], { users: [author.id] });
    const id = await givenSegmentRequest(author, own, segment);
    expect(await readRequest(server(), own, id)).toMatchObject({ state: 'In review', minApprovals: 2 });
    expect((await setState(author.client, own, id, 'Applied')).status).toBe(403);

    const ownMember = await givenMember(server(), own, ownerRole);
    for (const state of ['Approved', 'Rejected']) {
      const refused = await setState(ownMember.client, own, id, state);
      expect(refused.status).toBe(403);
      expect(refused.json).toMatchObject({ permissions: ['APPROVE_CHANGE_REQUEST'] });
      expect(refused.json.message).toContain('production of another project');
      expect(refused.text).not.toContain(projectId);
    }

    const userMember = await givenMember(server(), projectId, ownerRole);
    await setRequestState(userMember.client, own, id, 'Approved');
    await setRequestState(server().admin, own, id, 'Approved');
    const before = await lastEventId(server());
    await setRequestState(server().admin, own, id, 'Applied');
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).toEqual(['segment-updated', 'change-request-applied']);
    expect(await constraintsOf(server(), segment)).toBe(0);
  });

  it('needs the direct permissions of its other changes when only the users of the segment are reviewed', async () => {
    const { segment, projectId } = await givenUse(server());
    const own = await givenProject(server());
    const flag = { ...(await givenFlag(server(), {}, own)), environment: 'production' };
    const { id } = await requestChanges(server().admin, flag, [
      { action: 'updateEnabled', feature: flag.featureName, payload: { enabled: true } },
      { action: 'updateSegment', payload: { id: segment.id, ...emptied(segment) } },
    ]);
    await setRequestState(server().admin, own, id, 'In review');
    const owner = await givenMember(server(), projectId, ownerRole);
    await setRequestState(owner.client, own, id, 'Approved');
    const refused = await setState(owner.client, own, id, 'Applied');
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ permissions: ['UPDATE_FEATURE_ENVIRONMENT'] });
  });

  it('is not applied, directly or by schedule, when the segment is used in environments without an approval', async () => {
    const { segment, projectId } = await givenUse(server());
    const author = await givenCaller(server(), 'Editor');
    const approver = await givenMember(server(), projectId, ownerRole);
    const id = await givenSegmentRequest(author, projectId, segment);
    await setRequestState(approver.client, projectId, id, 'Approved');
    const scheduledAt = new Date(server().clock.now() + 3_600_000).toISOString();
    await setRequestState(server().admin, projectId, id, 'Scheduled', { scheduledAt });

    const other = await givenProject(server());
    await use(server(), segment, other);
    await givenReview(server(), other, 'production');
    const refused = await setState(server().admin, projectId, id, 'Applied');
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain('Only 0 of the 1 required approvals count');
    server().clock.advance(3_600_001);
    await server().app.service.schedules.runDue();
    expect((await readRequest(server(), projectId, id)).schedule).toMatchObject({
      status: 'suspended',
      reason: expect.stringContaining('Only 0 of the 1 required approvals count'),
    });
    expect(await constraintsOf(server(), segment)).toBe(1);
  });

  it.each([
    ['addStrategy', (strategy: object) => strategy],
    ['updateStrategy', (strategy: object, id: string) => ({ ...strategy, id })],
    [
      'addReleasePlan',
      (strategy: object) => ({ name: 'Rollout', milestones: [{ name: 'First', strategies: [strategy] }] }),
    ],
  ] as const)(
    '%s conflicts when a shared segment of its strategy was changed directly after the approval',
    async (action, payloadOf) => {
      const segment = await givenSegment(server());
      const projectId = await givenProject(server());
      const flag = { ...(await givenFlag(server(), {}, projectId)), environment: 'production' };
      const strategyId = await addStrategy(server(), flag, { name: 'default' });
      await givenReview(server(), projectId, 'production');
      const author = await givenCaller(server(), 'Editor');
      const payload = payloadOf({ name: 'default', segments: [segment.id] }, strategyId);
      const { id } = await requestChanges(author.client, flag, { action, feature: flag.featureName, payload });
      await setRequestState(author.client, projectId, id, 'In review');
      await setRequestState(server().admin, projectId, id, 'Approved');
      expect((await change(author.client, segment)).status).toBe(204);
      const refused = await setState(server().admin, projectId, id, 'Applied');
      expect(refused.status).toBe(409);
      expect(refused.json.message).toContain(`The segment ${segment.name} of the requested strategy has changed`);
    },
  );

  it('is approved when the environments that use the segment require fewer approvals', async () => {
    const { segment, projectId } = await givenUse(server(), { approvals: 2 });
    const own = await givenProject(server());
    const id = await givenSegmentRequest(await givenCaller(server(), 'Editor'), own, segment);
    await setRequestState(server().admin, own, id, 'Approved');
    expect((await readRequest(server(), own, id)).state).toBe('In review');
    await givenReview(server(), projectId, 'production', 1);
    expect((await readRequest(server(), own, id)).state).toBe('Approved');
  });
});
