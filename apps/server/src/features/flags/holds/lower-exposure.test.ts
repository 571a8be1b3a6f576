import { beforeAll, describe, expect, it } from 'vitest';
import { type Caller, givenCaller, givenRole } from '#testing/access.ts';
import { givenRunHold } from '#testing/actions.ts';
import { givenReview } from '#testing/change-requests.ts';
import { type FlagEnvironmentParams, givenDependency, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { type GivenPlan, givenPlan, passMinutes, planOf, sentPercentages } from '#testing/release-plans.ts';
import { useServer } from '#testing/server.ts';
import { maintain } from '#testing/stops.ts';

const server = useServer();
const inFlag = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const holding = `POST ${inFlag}/leases` as const;
const inAnHour = () => new Date(server().clock.now() + 3_600_000).toISOString();
const stopping = (more: object = {}) => ({ effect: 'off', reason: 'Checkout fails', expiresAt: inAnHour(), ...more });

let onCall: Caller;
beforeAll(async () => {
  onCall = await givenCaller(server(), 'On call');
});

const hold = (params: FlagEnvironmentParams, body: object) => onCall.client.call(holding, { params, body });

const release = (params: FlagEnvironmentParams, leaseId: number) =>
  onCall.client.call(`DELETE ${inFlag}/leases/:leaseId`, { params: { ...params, leaseId } });

const start = ({ params, milestoneIds }: GivenPlan, index: number) =>
  onCall.client.call(`POST ${inFlag}/release-plans/:planId/milestones/:milestoneId/start`, {
    params: { ...params, milestoneId: milestoneIds[index] ?? 'none' },
  });

/** Gives a flag that is on and has a plan of 10, 50 and 100 %, at 50 %. */
async function givenAtHalf(): Promise<GivenPlan> {
  const plan = await givenPlan(server(), undefined, await givenEnabled(server()));
  await passMinutes(server(), 60);
  return plan;
}

describe('who may only lower exposure', () => {
  it('holds a flag off with an end and a reason, and gives it back', async () => {
    const params = await givenEnabled(server());
    const placed = await hold(params, stopping());
    expect(placed.status).toBe(201);
    expect(placed.json).toMatchObject({ effect: 'off', reason: 'Checkout fails', expiresAt: expect.any(String) });
    expect((await release(params, placed.json.id)).status).toBe(200);
  });

  it.each(['reason', 'expiresAt'])('gives the %s of a hold', async (field) => {
    const refused = await hold(await givenEnabled(server()), stopping({ [field]: null }));
    expect(refused).toMatchObject({ status: 400, json: { details: [{ path: field }] } });
  });

  it.each([{ effect: 'on' }, { effect: 'rollout', rollout: 1 }])('holds no flag %s', async (effect) => {
    const refused = await hold(await givenEnabled(server()), stopping(effect));
    expect(refused).toMatchObject({ status: 403, json: { permissions: ['UPDATE_FEATURE_ENVIRONMENT'] } });
  });

  it('holds a flag off where changes are reviewed', async () => {
    const params = await givenEnabled(server(), await givenProject(server()));
    await givenReview(server(), params.projectId, params.environment);
    expect((await hold(params, stopping())).status).toBe(201);
  });

  it('holds no flag off that a child of it needs to be off', async () => {
    const { projectId, parent } = await givenDependency(server(), { enabled: false });
    const params = { projectId, featureName: parent, environment: 'development' };
    expect((await server().admin.call(`POST ${inFlag}/on`, { params })).status).toBe(200);
    const refused = await hold(params, stopping());
    expect(refused.status).toBe(403);
    expect(refused.json.message).toContain('LOWER_EXPOSURE');
    const { json } = await server().admin.call('GET /api/admin/leases');
    expect(json.leases.filter(({ featureName }: { featureName: string }) => featureName === parent)).toEqual([]);
  });

  it('releases no hold of another person', async () => {
    const params = await givenEnabled(server());
    const { id } = await givenHold(server(), params);
    expect((await release(params, id)).status).toBe(403);
  });

  it('releases no hold of automation by this permission alone', async () => {
    const params = await givenRunHold(server());
    const role = await givenRole(server(), {
      type: 'root-custom',
      permissions: [{ name: 'LOWER_EXPOSURE' }],
    });
    const { client } = await givenCaller(server(), role.id);
    const { json } = await server().admin.call('GET /api/admin/leases');
    const [{ id: leaseId }] = json.leases;
    const reply = await client.call(`DELETE ${inFlag}/leases/:leaseId`, { params: { ...params, leaseId } });
    expect(reply.status).toBe(403);
  });
});

describe('a person who holds a flag at an earlier milestone of its plan', () => {
  it('serves that milestone until the hold ends, where the plan goes on', async () => {
    const { params } = await givenAtHalf();
    const placed = await hold(params, stopping({ effect: 'milestone', milestone: 'previous' }));
    expect(placed).toMatchObject({ status: 201, json: { effect: 'milestone', milestone: { name: '10 %' } } });
    expect(await sentPercentages(server(), params)).toEqual(['10']);
    expect((await planOf(server(), params)).progress).toMatchObject({ state: 'held' });
    expect((await release(params, placed.json.id)).status).toBe(200);
    expect(await sentPercentages(server(), params)).toEqual(['50']);
  });

  it.each(['50 %', '100 %', 'nowhere'])('names none that is not earlier: %s', async (milestone) => {
    const { params } = await givenAtHalf();
    const refused = await hold(params, stopping({ effect: 'milestone', milestone }));
    expect(refused).toMatchObject({ status: 400, json: { details: [{ path: 'milestone' }] } });
    expect(refused.json.details[0].message).toContain('10 %');
  });

  it.each(['previous', 'first'])('is told that there is none before the first: %s', async (milestone) => {
    const { params } = await givenPlan(server(), undefined, await givenEnabled(server()));
    const refused = await hold(params, stopping({ effect: 'milestone', milestone }));
    expect(refused).toMatchObject({ status: 400, json: { details: [{ path: 'milestone' }] } });
  });

  it('is told when the flag has no plan', async () => {
    const refused = await hold(await givenEnabled(server()), stopping({ effect: 'milestone', milestone: 'previous' }));
    expect(refused.status).toBe(409);
  });
});

describe('who may only lower exposure, with a release plan', () => {
  it('pauses it, and does not resume it', async () => {
    const { params } = await givenAtHalf();
    const pausing = `POST ${inFlag}/progressions/:planId` as const;
    expect((await onCall.client.call(`${pausing}/pause`, { params })).status).toBe(200);
    expect((await planOf(server(), params)).progress).toMatchObject({ state: 'paused' });
    expect((await onCall.client.call(`${pausing}/resume`, { params })).status).toBe(403);
  });

  it('goes back a milestone, and not on', async () => {
    const plan = await givenAtHalf();
    expect((await start(plan, 2)).status).toBe(403);
    expect((await start(plan, 1)).status).toBe(403);
    expect((await start(plan, 0)).status).toBe(200);
    expect(await sentPercentages(server(), plan.params)).toEqual(['10']);
  });

  it('does not go back a milestone where changes are reviewed, but pauses the plan', async () => {
    const plan = await givenAtHalf();
    await givenReview(server(), plan.params.projectId, plan.params.environment);
    expect((await start(plan, 0)).status).toBe(403);
    const { params } = plan;
    expect((await onCall.client.call(`POST ${inFlag}/progressions/:planId/pause`, { params })).status).toBe(200);
  });
});

describe('during maintenance', () => {
  it('a flag is held off and given back, overridden, and its plan paused; nothing is turned on', async () => {
    const { params } = await givenAtHalf();
    const theirs = await givenEnabled(server());
    await maintain(server(), true);
    const placed = await hold(params, stopping());
    expect(placed.status).toBe(201);
    expect((await release(params, placed.json.id)).status).toBe(200);
    const override = `${inFlag}/automation-override` as const;
    const body = { reason: 'Wrong alert', endsAt: inAnHour() };
    expect((await onCall.client.call(`PUT ${override}`, { params, body })).status).toBe(200);
    expect((await onCall.client.call(`DELETE ${override}`, { params })).status).toBe(200);
    expect((await onCall.client.call(`POST ${inFlag}/progressions/:planId/pause`, { params })).status).toBe(200);
    const admin = async (effect: object) =>
      (await server().admin.call(holding, { params: theirs, body: effect })).status;
    expect(await admin({ effect: 'on' })).toBe(503);
    expect(await admin({ effect: 'rollout', rollout: 1 })).toBe(503);
    expect(await admin({ effect: 'off' })).toBe(201);
    expect((await server().admin.call(`POST ${inFlag}/progressions/:planId/resume`, { params })).status).toBe(503);
    await maintain(server(), false);
  });
});
