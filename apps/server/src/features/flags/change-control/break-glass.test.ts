import { describe, expect, it } from 'vitest';
import { givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { isOn } from '#testing/actions.ts';
import {
  givenBreakGlassRole,
  givenPerson,
  givenReviewed,
  glass,
  type Person,
  breakGlassPermission as permission,
  switchOn,
  usesSeenBy,
} from '#testing/break-glass.ts';
import { givenReview, givenSent, setRequestState } from '#testing/change-requests.ts';
import { addStrategy, type FlagEnvironmentParams, givenFlag, givenProject } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const ownerRole = 4;
const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
const acknowledge = 'POST /api/admin/change-requests/break-glass/:id/acknowledge';
const justified = { verdict: 'justified' };
const config = 'GET /api/admin/projects/:projectId/change-requests/config';

describe('binding review', () => {
  const server = useServer({ bindingReview: true });

  it('answers 403 to administrators, Owners and tokens alike', async () => {
    const params = await givenReviewed(server());
    const owner = await givenPerson(server(), params.projectId, [ownerRole]);
    const administrator = await givenPerson(server(), params.projectId, [], 'Admin');
    for (const { headers } of [owner, administrator]) {
      const refused = await switchOn(server(), params, { ...headers, ...glass('No right to it') });
      expect(refused.status).toBe(403);
      expect(refused.json).toMatchObject({ name: 'PermissionError', permissions: [permission] });
      expect(refused.json).not.toHaveProperty('breakGlass');
    }
    expect((await server().admin.call(on, { params, headers: glass('Of a token') })).status).toBe(403);
    const automation = await givenMember(server(), params.projectId, await givenBreakGlassRole(server()));
    await giveRoles(server(), params.projectId, [ownerRole], { users: [automation.id] });
    expect((await automation.client.call(on, { params, headers: glass('Of no person') })).status).toBe(403);
    expect((await switchOn(server(), { ...params, environment: 'development' }, owner.headers)).status).toBe(200);
  });

  it('lets an approved change request be applied', async () => {
    const { params, id } = await givenSent(server());
    const reviewer = await givenPerson(server(), params.projectId, [ownerRole]);
    const approved = await server().anonymous.call('PUT /api/admin/projects/:projectId/change-requests/:id/state', {
      params: { projectId: params.projectId, id },
      headers: reviewer.headers,
      body: { state: 'Approved' },
    });
    expect(approved.status).toBe(200);
    expect(await isOn(server(), params)).toBe(false);
    await setRequestState(server().admin, params.projectId, id, 'Applied');
    expect(await isOn(server(), params)).toBe(true);
  });

  it('lets review settings be tightened directly, but not relaxed', async () => {
    const { projectId } = await givenReviewed(server());
    const change = (body: object) =>
      server().admin.call('PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config', {
        params: { projectId, environment: 'production' },
        body,
      });
    expect((await change({ changeRequestsEnabled: true, requiredApprovals: 3 })).status).toBe(204);
    for (const body of [{ changeRequestsEnabled: false }, { changeRequestsEnabled: true, requiredApprovals: 2 }]) {
      const refused = await change(body);
      expect(refused.status).toBe(403);
      expect(refused.json).toMatchObject({
        permissions: [permission],
        message: `Changes in production require review. Make a change request. A direct change needs the permission ${permission} there.`,
      });
    }
    const [, production] = (await server().admin.call(config, { params: { projectId } })).json;
    expect(production).toMatchObject({ requiredApprovals: 3, directChanges: 'refused' });
  });

  it('is shown as a missing permission in a state plan', async () => {
    const { projectId, featureName } = await givenReviewed(server());
    const flags = { [featureName]: { environments: { production: { enabled: true } } } };
    const body = { state: { version: 1, projects: { [projectId]: { flags } } } };
    const planned = await server().admin.call('POST /api/admin/state/plan', { body });
    expect(planned.json.errors).toEqual([]);
    expect(planned.json.permissions).toEqual([
      { message: `You need the permission ${permission} in ${projectId}, production`, names: [featureName] },
    ]);
    const refused = await server().admin.call('POST /api/admin/state/apply', { body });
    expect(refused.json).toMatchObject({ name: 'PermissionError', permissions: [permission] });

    const breaker = await givenPerson(server(), projectId, [ownerRole, await givenBreakGlassRole(server())]);
    expect(
      (await server().anonymous.call('POST /api/admin/state/apply', { body, headers: breaker.headers })).json,
    ).toEqual(expect.objectContaining({ name: 'PermissionError', permissions: [permission], breakGlass: true }));
    const headers = { ...breaker.headers, ...glass('State as code') };
    expect((await server().anonymous.call('POST /api/admin/state/apply', { body, headers })).status).toBe(200);
    expect(await usesSeenBy(server(), breaker.headers)).toMatchObject([{ reason: 'State as code' }]);
  });
});

describe('breaking glass', () => {
  const server = useServer({ bindingReview: true });

  const givenBreaker = async (params: FlagEnvironmentParams) =>
    givenPerson(server(), params.projectId, [ownerRole, await givenBreakGlassRole(server())]);

  it('needs a reason, records an event and is listed until another user acknowledges it', async () => {
    const params = await givenReviewed(server());
    const { projectId, featureName } = params;
    const breaker = await givenBreaker(params);
    const colleague = await givenPerson(server(), projectId, [ownerRole]);
    const refused = await switchOn(server(), params, breaker.headers);
    const message =
      'Changes in production require review. Make a change request. In an emergency, repeat the request with a reason in the header Yardarm-Break-Glass.';
    expect(refused.json).toMatchObject({
      name: 'PermissionError',
      permissions: [permission],
      breakGlass: true,
      message,
      details: [{ message }],
    });
    for (const reason of [' ', 'x'.repeat(1001)]) {
      const wrong = await switchOn(server(), params, { ...breaker.headers, ...glass(reason) });
      expect(wrong.status).toBe(400);
      expect(wrong.json).toMatchObject({ name: 'BadDataError', details: [{ path: 'Yardarm-Break-Glass' }] });
    }
    const torn = await switchOn(server(), params, { ...breaker.headers, 'yardarm-break-glass': '%E0%A4%A' });
    expect(torn.status).toBe(400);

    const before = await lastEventId(server());
    const reason = 'Checkout is down – rolling back, INC-7';
    expect((await switchOn(server(), params, { ...breaker.headers, ...glass(reason) })).status).toBe(200);
    const events = await eventsAfter(server(), before);
    expect(events.filter(({ type }) => type === 'break-glass-used')).toMatchObject([
      { project: projectId, environment: 'production', createdByUserId: breaker.id, data: { reason } },
    ]);
    expect(events.map(({ type }) => type)).toContain('feature-environment-enabled');
    const use = { project: projectId, environments: ['production'], reason };
    expect(await usesSeenBy(server(), breaker.headers)).toMatchObject([{ ...use, own: true }]);
    const [listed] = await usesSeenBy(server(), colleague.headers);
    expect(listed).toMatchObject({ ...use, own: false });
    expect(listed?.changes).toContainEqual({
      type: 'feature-environment-enabled',
      label: expect.any(String),
      name: featureName,
      environment: 'production',
    });

    const acknowledged = (headers: Person['headers']) =>
      server().anonymous.call(acknowledge, { params: { id: listed?.id ?? 0 }, headers, body: justified });
    expect((await acknowledged(breaker.headers)).status).toBe(403);
    expect((await server().admin.call(acknowledge, { params: { id: listed?.id ?? 0 }, body: justified })).status).toBe(
      403,
    );
    const at = await lastEventId(server());
    expect((await acknowledged(colleague.headers)).status).toBe(204);
    expect(await eventsAfter(server(), at)).toMatchObject([
      {
        type: 'break-glass-acknowledged',
        project: projectId,
        environment: 'production',
        createdByUserId: colleague.id,
        data: {
          id: listed?.id,
          verdict: 'justified',
          note: '',
          usedBy: listed?.createdBy.username,
          usedAt: listed?.createdAt,
        },
      },
    ]);
    expect(await usesSeenBy(server(), colleague.headers)).toEqual([]);
    expect((await acknowledged(colleague.headers)).status).toBe(409);
  });

  it('is listed for users who may approve there and answers 404 to others', async () => {
    const params = await givenReviewed(server());
    const breaker = await givenBreaker(params);
    await switchOn(server(), params, { ...breaker.headers, ...glass('Emergency') });
    const [use] = await usesSeenBy(server(), breaker.headers);
    const elsewhere = await givenPerson(server(), await givenProject(server()), [ownerRole]);
    expect(await usesSeenBy(server(), elsewhere.headers)).toEqual([]);
    const reply = await server().anonymous.call(acknowledge, {
      params: { id: use?.id ?? 0 },
      headers: elsewhere.headers,
      body: justified,
    });
    expect(reply.status).toBe(404);
  });

  it('in several environments is shown to and acknowledged by users who may approve in all of them', async () => {
    const params = await givenReviewed(server());
    await givenReview(server(), params.projectId, 'development');
    const breaker = await givenBreaker(params);
    const archive = 'DELETE /api/admin/projects/:projectId/features/:featureName';
    // A reason of the maximum length.
    const reason = 'x'.repeat(1000);
    const before = await lastEventId(server());
    expect(
      (await server().anonymous.call(archive, { params, headers: { ...breaker.headers, ...glass(reason) } })).status,
    ).toBe(202);
    const inNoneAlone = async (after: number, type: string) =>
      expect((await eventsAfter(server(), after)).filter((event) => event.type === type)).toMatchObject([
        { environment: null },
      ]);
    await inNoneAlone(before, 'break-glass-used');
    const approving = async (...environments: string[]) => {
      const permissions = environments.map((environment) => ({ name: 'APPROVE_CHANGE_REQUEST', environment }));
      return givenPerson(server(), params.projectId, [(await givenRole(server(), { permissions })).id]);
    };
    const [developmentApprover, approverOfBoth] = [
      await approving('development'),
      await approving('development', 'production'),
    ];
    expect(await usesSeenBy(server(), developmentApprover.headers)).toEqual([]);
    const [use] = await usesSeenBy(server(), approverOfBoth.headers);
    expect(use).toMatchObject({ environments: ['development', 'production'], reason });
    expect(use?.changes).toMatchObject([{ type: 'feature-archived', name: params.featureName, environment: null }]);
    const acknowledgedAfter = await lastEventId(server());
    const acknowledged = async ({ headers }: Person) =>
      (await server().anonymous.call(acknowledge, { params: { id: use?.id ?? 0 }, headers, body: justified })).status;
    expect([await acknowledged(developmentApprover), await acknowledged(approverOfBoth)]).toEqual([404, 204]);
    await inNoneAlone(acknowledgedAfter, 'break-glass-acknowledged');
  });

  it('is hidden from users without a role in the private project, also when they may approve everywhere', async () => {
    const params = await givenReviewed(server());
    const breaker = await givenBreaker(params);
    await switchOn(server(), params, { ...breaker.headers, ...glass('Emergency') });
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', { params, body: { mode: 'private' } });
    const outsider = await givenPerson(server(), await givenProject(server()), [ownerRole], 'Editor');
    expect(await usesSeenBy(server(), outsider.headers)).toEqual([]);
    expect(await usesSeenBy(server(), breaker.headers)).toHaveLength(1);
  });

  it('to move a flag is listed in the project that it leaves, and lists no change twice', async () => {
    const params = await givenReviewed(server());
    const newProjectId = await givenProject(server());
    const breaker = await givenBreaker(params);
    await giveRoles(server(), newProjectId, [ownerRole], { users: [breaker.id] });
    const move = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject';
    const headers = { ...breaker.headers, ...glass('Wrong project') };
    expect((await server().anonymous.call(move, { params, headers, body: { newProjectId } })).status).toBe(200);
    const uses = await usesSeenBy(server(), breaker.headers);
    expect(uses).toMatchObject([{ project: params.projectId, environments: ['production'] }]);
    expect(uses[0]?.changes).toMatchObject([{ type: 'feature-project-change', name: params.featureName }]);
  });

  it('is listed newest first', async () => {
    const params = await givenReviewed(server());
    const breaker = await givenBreaker(params);
    for (const [state, reason] of [
      ['on', 'first'],
      ['off', 'second'],
    ] as const) {
      const route =
        `POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/${state}` as const;
      await server().anonymous.call(route, { params, headers: { ...breaker.headers, ...glass(reason) } });
    }
    expect((await usesSeenBy(server(), breaker.headers)).map(({ reason }) => reason)).toEqual(['second', 'first']);
  });

  it('is listed with its first 50 changes, and the newest 200 uses are', async () => {
    const params = await givenReviewed(server());
    const { projectId } = params;
    const breaker = await givenBreaker(params);
    const flags = [
      params,
      ...(await Promise.all(Array.from({ length: 50 }, () => givenFlag(server(), {}, projectId)))),
    ];
    const features = flags.map(({ featureName }) => featureName);
    const headers = { ...breaker.headers, ...glass('All of them') };
    const all = 'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on';
    expect((await server().anonymous.call(all, { params, headers, body: { features } })).status).toBe(200);
    const [use] = await usesSeenBy(server(), breaker.headers);
    expect(use?.changes).toHaveLength(50);

    const route = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment';
    for (let use = 1; use <= 200; use++) {
      const state = use % 2 === 1 ? 'off' : 'on';
      const headers = { ...breaker.headers, ...glass(`Use ${use}`) };
      await server().anonymous.call(`${route}/${state}`, { params, headers });
    }
    const listed = await usesSeenBy(server(), breaker.headers);
    expect([listed.length, listed[0]?.reason, listed.at(-1)?.reason]).toEqual([200, 'Use 200', 'Use 1']);
  });

  it('is not recorded where nothing is reviewed', async () => {
    const params = { ...(await givenReviewed(server())), environment: 'development' };
    const breaker = await givenBreaker(params);
    expect((await switchOn(server(), params, { ...breaker.headers, ...glass('Not needed') })).status).toBe(200);
    expect(await usesSeenBy(server(), breaker.headers)).toEqual([]);
  });

  it('for a shared segment is listed for each project that uses it', async () => {
    const segment = await givenSegment(server());
    const role = await givenBreakGlassRole(server());
    const places = [await givenReviewed(server()), await givenReviewed(server())];
    const breaker = await givenPerson(server(), places[0]?.projectId ?? '', [role], 'Editor');
    for (const { projectId } of places) {
      const flag = { ...(await givenFlag(server(), {}, projectId)), environment: 'staging' };
      await server().admin.call('POST /api/admin/environments', { body: { name: 'staging', type: 'test' } });
      await server().admin.call('POST /api/admin/projects/:projectId/environments', {
        params: { projectId },
        body: { environment: 'staging' },
      });
      await addStrategy(server(), flag, { name: 'default', segments: [segment.id] });
      await givenReview(server(), projectId, 'staging');
    }
    const change = () =>
      server().anonymous.call('PUT /api/admin/segments/:id', {
        params: { id: segment.id },
        body: { name: segment.name, constraints: [] },
        headers: { ...breaker.headers, ...glass('Wrong country') },
      });
    const refused = await change();
    expect(refused.status).toBe(403);
    expect(refused.json.message).toBe(
      `The segment is used in staging, where changes require review. Make a change request in a project. A direct change needs the permission ${permission} in every reviewed environment that uses the segment.`,
    );
    await giveRoles(server(), places[1]?.projectId ?? '', [role], { users: [breaker.id] });
    expect((await change()).status).toBe(204);
    const uses = await usesSeenBy(server(), breaker.headers);
    expect(uses.map(({ project, environments }) => [project, environments]).sort()).toEqual(
      places.map(({ projectId }) => [projectId, ['staging']]).sort(),
    );
    for (const { changes } of uses)
      expect(changes).toEqual([
        { type: 'segment-updated', label: expect.any(String), name: segment.name, environment: null },
      ]);
  });
});

describe('the permission to break glass', () => {
  const server = useServer();

  it('is in no predefined role, and only administrators can grant it', async () => {
    const params = await givenReviewed(server());
    const owner = await givenPerson(server(), params.projectId, [ownerRole]);
    const role = await givenBreakGlassRole(server());
    const give = (headers: Person['headers']) =>
      server().anonymous.call('POST /api/admin/projects/:projectId/access', {
        params: { projectId: params.projectId },
        body: { roles: [role], users: [owner.id], groups: [] },
        headers,
      });
    expect((await give(owner.headers)).status).toBe(403);
    const administrator = await givenPerson(server(), params.projectId, [], 'Admin');
    expect((await give(administrator.headers)).status).toBe(200);
  });

  it('also works without the permission to skip review where review is not binding', async () => {
    const params = await givenReviewed(server());
    const member = await givenPerson(server(), params.projectId, [5, await givenBreakGlassRole(server())]);
    expect((await switchOn(server(), params, member.headers)).json).toMatchObject({ breakGlass: true });
    const [, production] = (await server().anonymous.call(config, { params, headers: member.headers })).json;
    expect(production.directChanges).toBe('break-glass');
    expect((await switchOn(server(), params, { ...member.headers, ...glass('On call') })).status).toBe(200);
    expect(await usesSeenBy(server(), member.headers)).toHaveLength(1);
  });
});
