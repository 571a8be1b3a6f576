import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { holdingAlerts } from '#testing/alerts.ts';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { type GivenPlan, givenPlan, passMinutes, planOf, rolloutTo, sentPercentages } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

interface Watched extends GivenPlan {
  readonly place: ActionPlace;
  readonly setId: number;
}

/** Adds a plan of 10, 50 and 100 % to a flag that is on, and an action that holds the flag at a milestone. */
async function givenWatched(effect: object, plan: object = {}): Promise<Watched> {
  const place = await givenActionPlace(server());
  await server().admin.call(`POST ${environment}/on`, { params: place.flag });
  const added = await givenPlan(server(), undefined, place.flag, plan);
  const { id } = await givenSet(server(), holdingAlerts(place, { params: { effect: 'milestone', ...effect } }), place);
  return { ...added, place, setId: id };
}

const alert = async ({ place }: Watched, status: 'firing' | 'resolved') =>
  signal(server(), place, { alerts: [{ status, fingerprint: 'a' }] });

const start = ({ params, milestoneIds }: GivenPlan, index: number) =>
  server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
    params: { ...params, milestoneId: milestoneIds[index] ?? 'none' },
  });

const holdsOf = async ({ projectId, featureName }: FlagEnvironmentParams) =>
  (
    await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', {
      params: { projectId, featureName },
    })
  ).json.leases;

/** Returns the flag that SDKs receive. */
async function flagOf({ featureName, environment: name }: FlagEnvironmentParams) {
  const { secret } = await givenToken(server(), { environment: name });
  const { features } = (await server().client(secret).call('GET /api/client/features')).json;
  return features.find((feature: { name: string }) => feature.name === featureName);
}

const served = (params: FlagEnvironmentParams) => sentPercentages(server(), params);

describe('a flag that an alert holds at a milestone of its release plan', () => {
  it('has the strategies of the milestone before, and those of its own milestone when the alert ends', async () => {
    const watched = await givenWatched({});
    await passMinutes(server(), 60);
    const before = await lastEventId(server());
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(['10']);
    expect((await planOf(server(), watched.params)).progress).toMatchObject({ state: 'held' });
    const milestone = { id: watched.milestoneIds[0], name: '10 %' };
    expect(await holdsOf(watched.params)).toMatchObject([{ effect: 'milestone', rollout: 10, milestone }]);
    const events = (await eventsAfter(server(), before)).filter(({ featureName }) => featureName !== null);
    expect(events).toMatchObject([
      { type: 'feature-lease-placed', data: { effect: 'milestone', milestone } },
      { type: 'feature-effective-state-changed' },
      { type: 'release-plan-progressions-paused' },
    ]);
    await passMinutes(server(), 30);
    await alert(watched, 'resolved');
    expect(await served(watched.params)).toEqual(['50']);
    await passMinutes(server(), 59);
    expect(await served(watched.params)).toEqual(['50']);
    await passMinutes(server(), 1);
    expect(await served(watched.params)).toEqual(['100']);
  });

  it('keeps its own strategies beside those of the milestone', async () => {
    const watched = await givenWatched({ milestone: 'first' });
    const body = { name: 'flexibleRollout', parameters: { rollout: '3', stickiness: 'userId', groupId: 'own' } };
    await server().admin.call(`POST ${environment}/strategies`, { params: watched.params, body });
    await start(watched, 2);
    expect((await served(watched.params)).toSorted()).toEqual(['100', '3']);
    await alert(watched, 'firing');
    expect((await served(watched.params)).toSorted()).toEqual(['10', '3']);
  });

  it.each([
    ['first', 2, ['10']],
    ['50 %', 2, ['50']],
    ['50 %', 0, ['10']],
    ['previous', 0, undefined],
    ['no such milestone', 1, undefined],
  ])('is held at %s from the milestone with the index %i with %j', async (milestone, index, percentages) => {
    const watched = await givenWatched({ milestone });
    await start(watched, index);
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(percentages);
  });

  it('stays at the milestone when the alert repeats, whatever milestone a person starts meanwhile', async () => {
    const watched = await givenWatched({});
    await start(watched, 2);
    await alert(watched, 'firing');
    await start(watched, 1);
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(['50']);
    expect(await holdsOf(watched.params)).toMatchObject([{ milestone: { name: '50 %' } }]);
  });

  it('keeps the strategies of the beginning of the hold when the alert repeats after a change of the milestone', async () => {
    const staff = (...values: string[]) => ({
      name: 'flexibleRollout',
      parameters: { rollout: '100', stickiness: 'userId' },
      constraints: [{ contextName: 'userId', operator: 'IN', values }],
    });
    const watched = await givenWatched(
      {},
      { milestones: [{ name: 'Staff', strategies: [staff('ann')] }, rolloutTo(50)] },
    );
    const { params, strategyIds } = watched;
    await start(watched, 1);
    await alert(watched, 'firing');
    const change = { params: { ...params, strategyId: strategyIds[0] ?? 'none' }, body: staff('ann', 'bob') };
    expect((await server().admin.call(`PUT ${environment}/milestone-strategies/:strategyId`, change)).status).toBe(200);
    await alert(watched, 'firing');
    // Any change of the flag makes the server read it again.
    const described = { params, body: { name: params.featureName, description: 'read again' } };
    await server().admin.call('PUT /api/admin/projects/:projectId/features/:featureName', described);
    expect((await flagOf(params)).strategies[0].constraints[0].values).toEqual(['ann']);
    await alert(watched, 'resolved');
    await start(watched, 0);
    expect((await flagOf(params)).strategies[0].constraints[0].values).toEqual(['ann', 'bob']);
  });

  it('stays off when the alert repeats, also when a person starts a later milestone meanwhile', async () => {
    const watched = await givenWatched({});
    await alert(watched, 'firing');
    await start(watched, 2);
    await alert(watched, 'firing');
    expect(await served(watched.params)).toBeUndefined();
  });

  it('is held at the first milestone when the plan was halted too often', async () => {
    const watched = await givenWatched(
      {},
      { maxHalts: 1, milestones: [10, 25, 50, 100].map((share) => rolloutTo(share)) },
    );
    await start(watched, 2);
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(['10']);
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(['10']);
    await alert(watched, 'resolved');
    expect(await served(watched.params)).toEqual(['10']);
    expect((await planOf(server(), watched.params)).progress).toMatchObject({ state: 'paused' });
  });

  it('is held at the milestone before while the plan is paused, which does not go back then', async () => {
    const milestones = [10, 25, 50, 100].map((share) => rolloutTo(share));
    const watched = await givenWatched({}, { maxHalts: 1, milestones });
    await start(watched, 2);
    await server().admin.call(`POST ${environment}/progressions/:planId/pause`, { params: watched.params });
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(['25']);
    await alert(watched, 'resolved');
    expect(await served(watched.params)).toEqual(['50']);
  });

  it('gets no other plan while it is held at a milestone of the one that was removed', async () => {
    const watched = await givenWatched({});
    await start(watched, 1);
    await alert(watched, 'firing');
    const removal = { params: watched.params, query: { strategies: 'keep' } };
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, removal);
    const body = { milestones: [rolloutTo(1)], strategies: 'remove' };
    const add = () => server().admin.call(`POST ${environment}/release-plans`, { params: watched.params, body });
    const { status, json } = await add();
    expect([status, json.message]).toEqual([
      409,
      expect.stringContaining('is held in development at the milestone 10 %'),
    ]);
    expect(await served(watched.params)).toEqual(['10']);
    const elsewhere = { ...watched.params, environment: 'production' };
    expect((await server().admin.call(`POST ${environment}/release-plans`, { params: elsewhere, body })).status).toBe(
      200,
    );
    await alert(watched, 'resolved');
    expect((await add()).status).toBe(200);
    expect(await served(watched.params)).toEqual(['1']);
  });

  it('keeps the segments of that milestone: they are not deleted, nor moved to another project', async () => {
    const segment = await givenSegment(server());
    const strategies = [{ ...rolloutTo(100).strategies[0], segments: [segment.id] }];
    const watched = await givenWatched({}, { milestones: [{ name: 'Norway', strategies }, rolloutTo(50)] });
    const other = await givenProject(server());
    const params = { id: segment.id };
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO'] }];
    const remove = () => server().admin.call('DELETE /api/admin/segments/:id', { params });
    const move = () =>
      server().admin.call('PUT /api/admin/segments/:id', {
        params,
        body: { name: segment.name, constraints, project: other },
      });
    await start(watched, 1);
    await alert(watched, 'firing');
    const { featureName } = watched.params;
    const message = expect.stringContaining(`${featureName} (development)`);
    expect(await remove()).toMatchObject({ status: 409, json: { message } });
    expect(await move()).toMatchObject({ status: 400, json: { message: expect.stringContaining(featureName) } });
    await alert(watched, 'resolved');
    expect((await move()).status).toBe(204);
    expect((await remove()).status).toBe(204);
  });

  it('stays paused in the event log when the hold ends and a person has paused the plan meanwhile', async () => {
    const watched = await givenWatched({});
    await start(watched, 1);
    await alert(watched, 'firing');
    await server().admin.call(`POST ${environment}/progressions/:planId/pause`, { params: watched.params });
    const before = await lastEventId(server());
    await alert(watched, 'resolved');
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).not.toContain('release-plan-progressions-resumed');
    expect((await planOf(server(), watched.params)).progress).toMatchObject({ state: 'paused' });
  });

  it('stays off while it is configured off', async () => {
    const watched = await givenWatched({});
    await start(watched, 1);
    await server().admin.call(`POST ${environment}/off`, { params: watched.params });
    await alert(watched, 'firing');
    expect(await served(watched.params)).toBeUndefined();
  });

  it('is held off or at a lower percentage by another hold', async () => {
    const watched = await givenWatched({});
    await start(watched, 1);
    await alert(watched, 'firing');
    await givenHold(server(), watched.params, { effect: 'rollout', rollout: 20, key: 'twenty' });
    expect(await served(watched.params)).toEqual(['10']);
    await givenHold(server(), watched.params, { effect: 'rollout', rollout: 5, key: 'five' });
    expect(await served(watched.params)).toEqual(['5']);
    await givenHold(server(), watched.params, { effect: 'off', key: 'off' });
    expect(await served(watched.params)).toBeUndefined();
  });

  it('counts a milestone for a segment or with constraints as a percentage of 0', async () => {
    const strategy = {
      name: 'flexibleRollout',
      parameters: { rollout: '100', stickiness: 'userId' },
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ann'] }],
    };
    const staff = { name: 'Staff', strategies: [strategy] };
    const watched = await givenWatched({}, { milestones: [staff, rolloutTo(50)] });
    await start(watched, 1);
    await alert(watched, 'firing');
    await givenHold(server(), watched.params, { effect: 'rollout', rollout: 20 });
    expect(await holdsOf(watched.params)).toMatchObject([
      { effect: 'rollout', inForce: false },
      { effect: 'milestone', rollout: 0, inForce: true },
    ]);
    expect(await served(watched.params)).toEqual(['100']);
    await givenHold(server(), watched.params, { effect: 'rollout', rollout: 0 });
    expect(await served(watched.params)).toEqual(['0']);
  });

  it.each([
    ['is released', 'remove', ['3']],
    ['stays held', 'keep', ['10', '3']],
  ])('%s when its plan is removed, with the strategies of the plan: %s', async (_, strategies, percentages) => {
    const watched = await givenWatched({});
    const body = { name: 'flexibleRollout', parameters: { rollout: '3', stickiness: 'userId', groupId: 'own' } };
    await server().admin.call(`POST ${environment}/strategies`, { params: watched.params, body });
    await start(watched, 1);
    await alert(watched, 'firing');
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, {
      params: watched.params,
      query: { strategies },
    });
    expect((await served(watched.params)).toSorted()).toEqual(percentages);
    await alert(watched, 'resolved');
    expect(await holdsOf(watched.params)).toEqual([]);
  });

  it('stays in its project while the milestone has a segment of the project, also of a removed plan', async () => {
    const watched = await givenWatched({});
    const { flag } = watched.place;
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, { params: watched.params });
    const { id } = await givenSegment(server(), { project: flag.projectId });
    const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '100' }, segments: [id] }];
    const plan = await givenPlan(server(), [{ name: 'Staff', strategies }, rolloutTo(50)], flag);
    await start(plan, 1);
    await alert(watched, 'firing');
    const move = async () =>
      server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/changeProject', {
        params: flag,
        body: { newProjectId: await givenProject(server()) },
      });
    expect((await move()).status).toBe(403);
    const keeping = { params: plan.params, query: { strategies: 'keep' } };
    expect((await server().admin.call(`DELETE ${environment}/release-plans/:planId`, keeping)).status).toBe(200);
    expect((await move()).status).toBe(403);
    await alert(watched, 'resolved');
    expect((await move()).status).toBe(200);
  });

  it('is not held without a release plan, and the run says why', async () => {
    const watched = await givenWatched({});
    const params = { params: watched.params, query: { strategies: 'keep' } };
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, params);
    await alert(watched, 'firing');
    expect(await served(watched.params)).toEqual(['10']);
    const [run] = await runsOf(server(), { projectId: watched.place.projectId, id: watched.setId });
    const { featureName } = watched.params;
    const reason = `The flag ${featureName} has no release plan in development, so nothing is held.`;
    expect(run).toMatchObject({ state: 'skipped', reason });
  });
});

it('is not held by an action of another project, whose run does not tell of its plan', async () => {
  const hidden = await givenProject(server(), { mode: 'private' });
  const flag = await givenEnabled(server(), hidden);
  await givenPlan(server(), undefined, flag, { name: 'Secret plan', shadow: true });
  const place = await givenActionPlace(server());
  const { projectId: project } = place;
  const { environment: name } = flag;
  const executionParams = { project, environment: name, featureName: '{{flag}}', effect: 'milestone' };
  const actions = [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }];
  const { id } = await givenSet(server(), { actions, allow: { flags: ['*'] } }, place);
  const reasonFor = async (featureName: string) => {
    await signal(server(), place, { flag: featureName });
    const [run] = await runsOf(server(), { projectId: project, id });
    expect(run.state).toBe('failed');
    return run.reason.replaceAll(featureName, 'a flag');
  };
  expect(await reasonFor(flag.featureName)).toBe(await reasonFor('no-such-flag'));
});

describe('taking back the release of a flag that was held at a milestone', () => {
  const takeBack = 'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back';

  async function givenReleased(effect: object = {}, active = 1) {
    const watched = await givenWatched(effect);
    await start(watched, active);
    await alert(watched, 'firing');
    await alert(watched, 'resolved');
    const [run] = await runsOf(server(), { projectId: watched.place.projectId, id: watched.setId });
    const params = { projectId: watched.place.projectId, actionSetId: watched.setId, runId: run.id };
    return { watched, takesBack: () => server().admin.call(takeBack, { params }) };
  }

  it('holds it there again', async () => {
    const { watched, takesBack } = await givenReleased();
    expect(await served(watched.params)).toEqual(['50']);
    expect(await takesBack()).toMatchObject({ status: 200 });
    expect(await served(watched.params)).toEqual(['10']);
  });

  it('holds it at the active milestone when the plan has gone back since', async () => {
    const { watched, takesBack } = await givenReleased({ milestone: '50 %' }, 2);
    await start(watched, 0);
    expect(await takesBack()).toMatchObject({ status: 200 });
    expect(await served(watched.params)).toEqual(['10']);
    expect(await holdsOf(watched.params)).toMatchObject([{ rollout: 10, milestone: { name: '10 %' } }]);
  });

  it('is refused when the plan is gone', async () => {
    const { watched, takesBack } = await givenReleased();
    const params = { params: watched.params, query: { strategies: 'keep' } };
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, params);
    const { status, json } = await takesBack();
    expect(status).toBe(409);
    expect(json.message).toContain(
      'was held at the milestone 10 %, which its release plan in development no longer has',
    );
  });
});
