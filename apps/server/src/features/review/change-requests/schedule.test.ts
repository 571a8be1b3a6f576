import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import { givenCaller, givenGroup, givenRole, giveRoles } from '#testing/access.ts';
import {
  type GivenPlace,
  type GivenRequest,
  givenApproved,
  givenDraft,
  givenReview,
  givenScheduled,
  readRequest,
  setRequestState,
} from '#testing/change-requests.ts';
import { addStrategy, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { createStorage, engine, startServer, type TestServer, type TestStorage, useServer } from '#testing/server.ts';

const hour = 3_600_000;
const strategy =
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId';

const isOn = async (server: TestServer, { params }: GivenPlace) => {
  const route = 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment';
  return (await server.admin.call(route, { params })).json.enabled as boolean;
};
const show = (server: TestServer, { at }: GivenRequest) => readRequest(server, at.projectId, at.id);
const typesOf = (events: Awaited<ReturnType<typeof eventsAfter>>) => events.map(({ type }) => type);
const expectSuspended = async (server: TestServer, request: GivenRequest, reason: RegExp) => {
  const { state, schedule } = await show(server, request);
  expect(state).toBe('Scheduled');
  expect(schedule).toMatchObject({ status: 'suspended', reason: expect.stringMatching(reason) });
  server.clock.advance(2 * hour);
  await server.app.service.schedules.runDue();
  expect((await show(server, request)).state).toBe('Scheduled');
};

describe('a scheduled change request', () => {
  const server = useServer({ strategyLimit: 2 });

  it('is applied when it is due and not before, as the account that scheduled it', async () => {
    const owner = await givenCaller(server());
    const request = await givenApproved(server());
    await giveRoles(server(), request.at.projectId, [4], { users: [owner.id] });
    const scheduledAt = new Date(server().clock.now() + hour).toISOString();
    await setRequestState(owner.client, request.at.projectId, request.id, 'Scheduled', { scheduledAt });
    const before = await lastEventId(server());
    server().clock.advance(hour - 60_000);
    expect(await server().app.service.schedules.runDue()).toBe(0);
    expect(await isOn(server(), request)).toBe(false);
    server().clock.advance(60_000);
    expect(await server().app.service.schedules.runDue()).toBe(1);
    expect(await isOn(server(), request)).toBe(true);
    const group = { groupType: 'change-request', groupId: String(request.id), createdByUserId: owner.id };
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-strategy-add', ...group },
      { type: 'feature-environment-enabled', ...group },
      { type: 'change-request-applied', ...group },
      { type: 'change-request-scheduled-application-success', ...group },
    ]);
    expect(await show(server(), request)).toMatchObject({ state: 'Applied' });
    expect(await server().app.service.schedules.runDue()).toBe(0);
  });

  it('changes a segment with the rights of the account that scheduled it', async () => {
    const { params, ...request } = await givenScheduled(server(), {}, async ({ params: { projectId: project } }) => {
      const { id, name } = await givenSegment(server(), { project });
      return { action: 'updateSegment', payload: { id, name, project, constraints: [], description: 'by schedule' } };
    });
    server().clock.advance(hour);
    expect(await server().app.service.schedules.runDue()).toBe(1);
    expect(await readRequest(server(), params.projectId, request.id)).toMatchObject({ state: 'Applied' });
  });

  it('stays scheduled while the database is unavailable, and is applied afterwards', async () => {
    const request = await givenScheduled(server());
    let isAvailable = false;
    server().app.database.beforeCommit(async (_tx, { events }) => {
      if (!isAvailable && events.some(({ type }) => type === 'change-request-applied'))
        throw new Problem('ServiceUnavailableError', 'The database is unavailable.');
    });
    server().clock.advance(hour);
    await server().app.service.schedules.runDue();
    expect(await show(server(), request)).toMatchObject({ state: 'Scheduled', schedule: { status: 'pending' } });
    isAvailable = true;
    server().clock.advance(60_000);
    await server().app.service.schedules.runDue();
    expect(await show(server(), request)).toMatchObject({ state: 'Applied' });
  });

  it('is applied by the running server without a request', async () => {
    const request = await givenScheduled(server(), { inMs: 150 });
    server().clock.advance(150);
    for (let i = 0; i < 100 && !(await isOn(server(), request)); i++) await pause(20);
    expect(await isOn(server(), request)).toBe(true);
  });

  it('can be rescheduled, and applied before it is due', async () => {
    const request = await givenScheduled(server());
    const scheduledAt = new Date(server().clock.now() + 3 * hour).toISOString();
    const before = await lastEventId(server());
    await setRequestState(server().admin, request.at.projectId, request.id, 'Scheduled', { scheduledAt });
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'change-request-scheduled',
        preData: { scheduledDate: expect.any(String) },
        data: { scheduledDate: scheduledAt },
      },
    ]);
    server().clock.advance(2 * hour);
    expect(await server().app.service.schedules.runDue()).toBe(0);
    await setRequestState(server().admin, request.at.projectId, request.id, 'Applied');
    expect(await isOn(server(), request)).toBe(true);
  });

  it('records no event when its account schedules it for the same time again', async () => {
    const scheduledAt = new Date(server().clock.now() + hour).toISOString();
    const request = await givenScheduled(server(), { inMs: hour });
    const before = await lastEventId(server());
    await setRequestState(server().admin, request.at.projectId, request.id, 'Scheduled', { scheduledAt });
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect((await show(server(), request)).schedule).toMatchObject({ status: 'pending' });
  });

  it('needs no approval in an environment without review', async () => {
    const request = await givenDraft(server(), 0);
    const { projectId } = request.at;
    await setRequestState(request.author.client, projectId, request.id, 'In review');
    const scheduledAt = new Date(server().clock.now() + hour).toISOString();
    await setRequestState(request.author.client, projectId, request.id, 'Scheduled', { scheduledAt });
    server().clock.advance(hour);
    await server().app.service.schedules.runDue();
    expect(await isOn(server(), request)).toBe(true);
  });

  it('changes nothing and shows the reason when it cannot be applied', async () => {
    const request = await givenScheduled(server(), {}, async ({ params }) => [
      { action: 'updateEnabled', feature: params.featureName, payload: { enabled: true } },
      { action: 'addStrategy', feature: params.featureName, payload: { name: 'default' } },
    ]);
    await addStrategy(server(), request.params, { name: 'default' });
    await addStrategy(server(), request.params, { name: 'default' });
    const before = await lastEventId(server());
    server().clock.advance(hour);
    await server().app.service.schedules.runDue();
    expect(await isOn(server(), request)).toBe(false);
    const reason = expect.stringMatching(/ has 2 strategies in .*, and the limit is 2\./);
    expect(await show(server(), request)).toMatchObject({ state: 'Scheduled', schedule: { status: 'failed', reason } });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'change-request-scheduled-application-failure', data: { changeRequestId: request.id, reason } },
    ]);
    expect(await server().app.service.schedules.runDue()).toBe(0);
  });

  const changingTitle = async ({ params }: GivenPlace) => {
    const id = await addStrategy(server(), params, { name: 'default' });
    return { action: 'updateStrategy', feature: params.featureName, payload: { id, title: 'later' } };
  };

  it('is suspended in the same transaction as a conflicting change', async () => {
    const request = await givenScheduled(server(), {}, changingTitle);
    const [change] = (await show(server(), request)).features[0].changes;
    const before = await lastEventId(server());
    const params = { ...request.params, strategyId: change.payload.id };
    await server().admin.call(strategy, { params, body: { title: 'now' } });
    const events = await eventsAfter(server(), before);
    expect(events).toMatchObject([
      { type: 'feature-strategy-update' },
      { type: 'change-request-schedule-suspended', data: { changeRequestId: request.id } },
    ]);
    await expectSuspended(server(), request, /has changed since/);
  });

  it('is suspended when another request for the same strategy is applied first; both show the schedule conflict', async () => {
    const request = await givenScheduled(server(), {}, changingTitle);
    const { features } = await show(server(), request);
    const { id, action } = features[0].changes[0].payload;
    const second = await request.author.client.call(
      'POST /api/admin/projects/:projectId/environments/:environment/change-requests',
      {
        params: request.params,
        body: { action: action ?? 'deleteStrategy', feature: request.params.featureName, payload: { id } },
      },
    );
    expect(second.json.features[0].changes[0].scheduleConflicts).toMatchObject({
      changeRequests: [{ id: request.id }],
    });
    const { projectId } = request.at;
    await setRequestState(request.author.client, projectId, second.json.id, 'In review');
    await setRequestState(server().admin, projectId, second.json.id, 'Approved');
    await setRequestState(server().admin, projectId, second.json.id, 'Applied');
    await expectSuspended(server(), request, /was deleted/);
  });

  it('is suspended when its flag is archived or moved to another project', async () => {
    const first = await givenScheduled(server());
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: first.params });
    await expectSuspended(server(), first, /archived/);
    const second = await givenScheduled(server());
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/changeProject', {
      params: second.params,
      body: { newProjectId: await givenProject(server()) },
    });
    await expectSuspended(server(), second, /no longer has a flag/);
  });

  it('is suspended when the account that scheduled it loses its role or is deleted', async () => {
    for (const how of ['role', 'account'] as const) {
      const request = await givenApproved(server());
      const { projectId } = request.at;
      const [owner, another] = [await givenCaller(server()), await givenCaller(server())];
      await giveRoles(server(), projectId, [4], { users: [owner.id, another.id] });
      const scheduledAt = new Date(server().clock.now() + hour).toISOString();
      await setRequestState(owner.client, projectId, request.id, 'Scheduled', { scheduledAt });
      if (how === 'role') {
        await server().admin.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
          params: { projectId, userId: owner.id },
        });
      } else await server().admin.call('DELETE /api/admin/service-account/:id', { params: { id: owner.id } });
      await expectSuspended(
        server(),
        request,
        how === 'role' ? /lacks the permission APPLY_CHANGE_REQUEST/ : /no longer exists/,
      );
    }
  });

  it('is suspended when the role or group of the account that scheduled it changes', async () => {
    const permissions = [{ name: 'APPLY_CHANGE_REQUEST' }];
    const role = await givenRole(server(), { permissions });
    const ways = {
      role: () =>
        server().admin.call('PUT /api/admin/roles/:roleId', {
          params: { roleId: role.id },
          body: { name: role.name, permissions: [] },
        }),
      group: (group: { id: number; name: string }) =>
        server().admin.call('PUT /api/admin/groups/:groupId', {
          params: { groupId: group.id },
          body: { name: group.name, users: [] },
        }),
    };
    for (const how of ['group', 'role'] as const) {
      const request = await givenApproved(server());
      const { projectId } = request.at;
      const owner = await givenCaller(server());
      const group = await givenGroup(server(), [owner.id]);
      await giveRoles(server(), projectId, [role.id], { groups: [group.id] });
      const scheduledAt = new Date(server().clock.now() + hour).toISOString();
      await setRequestState(owner.client, projectId, request.id, 'Scheduled', { scheduledAt });
      expect((await ways[how](group)).status).toBeLessThan(300);
      await expectSuspended(server(), request, /lacks the permission APPLY_CHANGE_REQUEST/);
    }
  });

  it('goes back to review when more approvals are required', async () => {
    const request = await givenScheduled(server());
    const before = await lastEventId(server());
    await givenReview(server(), request.at.projectId, 'development', 2);
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'change-request-configuration-updated' },
      {
        type: 'change-request-schedule-suspended',
        data: { reason: 'The change request has 1 of 2 approvals.' },
      },
    ]);
    expect(await show(server(), request)).toMatchObject({ state: 'In review', minApprovals: 2 });
  });

  it('is applied once when several runs of the scheduler overlap', async () => {
    const request = await givenScheduled(server());
    const before = await lastEventId(server());
    server().clock.advance(hour);
    const { schedules } = server().app.service;
    await Promise.all([schedules.runDue(), schedules.runDue(), schedules.runDue()]);
    const events = await eventsAfter(server(), before);
    expect(typesOf(events).filter((type) => type === 'change-request-applied')).toHaveLength(1);
    expect(await isOn(server(), request)).toBe(true);
  });
});

describe('a change request scheduled with authentication off', () => {
  const server = useServer({ authType: 'none' });

  it('is applied when it is due', async () => {
    const request = await givenDraft(server(), 0);
    const { projectId } = request.at;
    await setRequestState(request.author.client, projectId, request.id, 'In review');
    const scheduledAt = new Date(server().clock.now() + hour).toISOString();
    await setRequestState(server().anonymous, projectId, request.id, 'Scheduled', { scheduledAt });
    server().clock.advance(hour);
    await server().app.service.schedules.runDue();
    expect(await show(server(), request)).toMatchObject({ state: 'Applied' });
    expect(await isOn(server(), request)).toBe(true);
  });
});

describe('a change request that becomes due while no server runs', () => {
  let storage: TestStorage;
  const servers: TestServer[] = [];
  const start = async (clock?: TestServer['clock']) => {
    const server = await startServer(storage, { initAdminTokens: [`*:*.${'a'.repeat(56)}`] }, clock);
    servers.push(server);
    return server;
  };
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
    await storage.remove();
  });

  it('is applied once by the next server, or by one of two that start together', async () => {
    storage = await createStorage();
    const first = await start();
    const request = await givenScheduled(first);
    await servers.pop()?.stop();
    first.clock.advance(hour);
    const next = await start(first.clock);
    const others = engine === 'postgres' ? [await start(first.clock)] : [];
    await Promise.all([next, ...others].map(({ app }) => app.service.schedules.runDue()));
    expect(await isOn(next, request)).toBe(true);
    const log = (await next.admin.call('GET /api/admin/events', { query: { limit: 100 } })).json.events;
    expect(log.filter(({ type }: { type: string }) => type === 'change-request-applied')).toHaveLength(1);
  });
});
