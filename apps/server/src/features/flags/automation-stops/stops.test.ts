import { afterEach, describe, expect, it } from 'vitest';
import { runsOf, signal } from '#testing/actions.ts';
import { givenScheduled, readRequest } from '#testing/change-requests.ts';
import { type FlagEnvironmentParams, givenDependency, givenEnabled } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import {
  givenApprovingSet,
  givenPlan,
  inThreeSteps,
  passMinutes,
  planOf,
  rolloutTo,
  servedPercentages,
} from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { endOverride, freeze, maintain, override } from '#testing/stops.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const pass = (minutes: number) => passMinutes(server(), minutes);
const progressOf = async (params: FlagEnvironmentParams) => (await planOf(server(), params)).progress;
const served = (params: FlagEnvironmentParams) => servedPercentages(server(), params);
const setFreeze = (frozen: boolean) => freeze(server(), frozen);

afterEach(async () => {
  await setFreeze(false);
  await maintain(server(), false);
});

const halts = {
  freeze: { set: (_: FlagEnvironmentParams, on: boolean) => setFreeze(on), reason: 'Automation is frozen.' },
  maintenance: { set: (_: FlagEnvironmentParams, on: boolean) => maintain(server(), on), reason: /maintenance mode/ },
  override: {
    set: (params: FlagEnvironmentParams, on: boolean) => (on ? override : endOverride)(server(), params),
    reason: 'A person overrides automation.',
  },
} as const;

describe.each(Object.entries(halts))('a release plan under: %s', (_, { set, reason }) => {
  it('is halted with the reason, and goes on afterwards with the time that was left', async () => {
    const { params } = await givenPlan(server(), inThreeSteps);
    await pass(40);
    await set(params, true);
    expect(await progressOf(params)).toMatchObject({
      ...{ state: 'halted', reason: expect.stringMatching(reason) },
      ...{ elapsedMinutes: 40, nextAt: null },
    });
    await pass(1000);
    expect([await served(params), (await progressOf(params)).elapsedMinutes]).toEqual([['10'], 40]);
    await set(params, false);
    await pass(19);
    expect([await served(params), (await progressOf(params)).state]).toEqual([['10'], 'running']);
    await pass(1);
    expect(await served(params)).toEqual(['50']);
  });

  it('is listed as halted, unless a person has paused it', async () => {
    const { params } = await givenPlan(server());
    const { params: paused } = await givenPlan(server());
    await server().admin.call(`POST ${environment}/progressions/:planId/pause`, { params: paused });
    await set(params, true);
    await set(paused, true);
    const { releasePlans } = (await server().admin.call('GET /api/admin/release-plans', { query: { state: 'halted' } }))
      .json;
    const listed = releasePlans.map(({ id }: { id: string }) => id);
    expect([listed.includes(params.planId), listed.includes(paused.planId)]).toEqual([true, false]);
    expect((await progressOf(paused)).state).toBe('paused');
    await set(params, false);
    await set(paused, false);
  });

  it('starts anew when a hold ends meanwhile, and stays halted until both have ended', async () => {
    const { params } = await givenPlan(server());
    await pass(40);
    const { id } = await givenHold(server(), params, { effect: 'off' });
    await set(params, true);
    expect((await progressOf(params)).state).toBe('held');
    // As the administrator: a person may release under every stop but maintenance.
    if (reason instanceof RegExp) await set(params, false);
    await releaseHold(server(), params, id);
    if (reason instanceof RegExp) await set(params, true);
    expect(await progressOf(params)).toMatchObject({ state: 'halted' });
    await set(params, false);
    expect(await progressOf(params)).toMatchObject({ state: 'running', elapsedMinutes: 0 });
  });
});

describe('a release plan', () => {
  it('that is added, or whose milestone a person starts, while automation is frozen stands still until the end', async () => {
    await setFreeze(true);
    const { params, milestoneIds } = await givenPlan(server());
    expect((await progressOf(params)).state).toBe('halted');
    await server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
      params: { ...params, milestoneId: milestoneIds[1] ?? '' },
    });
    await pass(500);
    expect([await served(params), (await progressOf(params)).state]).toEqual([['50'], 'halted']);
    await setFreeze(false);
    await pass(60);
    expect(await served(params)).toEqual(['100']);
  });

  it('records an override as a pause with the reason, and its end at its time as a resumption', async () => {
    const { params } = await givenPlan(server());
    const before = await lastEventId(server());
    await override(server(), params, { endsAt: new Date(server().clock.now() + 600_000).toISOString() });
    await pass(11);
    const events = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('release-plan'));
    expect(events.map(({ type, data }) => [type, (data as { reason: string }).reason])).toEqual([
      ['release-plan-progressions-paused', 'A person overrides automation.'],
      ['release-plan-progressions-resumed', 'The override has ended.'],
    ]);
  });

  it('records nothing for a freeze, which has one event for all', async () => {
    await givenPlan(server());
    const before = await lastEventId(server());
    await setFreeze(true);
    await setFreeze(false);
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('release-plan'))).toEqual([]);
    expect(types).toContain('automation-frozen');
  });

  it('is halted by a freeze also behind the plans that are read at once', async () => {
    const plans = Array.from({ length: 51 });
    for (const _ of plans) await givenPlan(server());
    const query = { state: 'running', limit: 1 };
    const running = async () => (await server().admin.call('GET /api/admin/release-plans', { query })).json.total;
    expect(await running()).toBeGreaterThan(50);
    await setFreeze(true);
    expect(await running()).toBe(0);
    await setFreeze(false);
    expect(await running()).toBeGreaterThan(50);
  });

  it('in shadow mode on a flag that is off is halted, too', async () => {
    const flag = await givenEnabled(server());
    await server().admin.call(`POST ${environment}/off`, { params: flag });
    const { params } = await givenPlan(server(), inThreeSteps, flag, { shadow: true, strategies: 'keep' });
    await setFreeze(true);
    expect((await progressOf(params)).state).toBe('halted');
    await setFreeze(false);
    expect((await progressOf(params)).state).toBe('running');
  });
});

describe('the approval of a milestone by an action', () => {
  it.each(['freeze', 'override'] as const)('is skipped under: %s', async (stop) => {
    const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 1, approval: { by: 'action' } } };
    const { params } = await givenPlan(server(), [gated, rolloutTo(100)]);
    const set = await givenApprovingSet(server(), params);
    await halts[stop].set(params, true);
    await signal(server(), set);
    await halts[stop].set(params, false);
    await pass(5);
    expect([(await runsOf(server(), set))[0].state, await served(params)]).toEqual(['skipped', ['10']]);
    await signal(server(), set);
    await pass(1);
    expect(await served(params)).toEqual(['100']);
  });
});

describe('a safeguard while automation is frozen', () => {
  /** Starts a plan at its second milestone, of which a safeguard has seen errors since a freeze. */
  async function guarded(first: object, holdAt: string, flag?: FlagEnvironmentParams) {
    const name = metricNamed('failed');
    const errors = async (value: number, minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
        await pass(1);
      }
    };
    startMinute(server());
    await errors(0, 1);
    const { params, milestoneIds } = await givenPlan(server(), [first, rolloutTo(50, 60), rolloutTo(100)], flag);
    await server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
      params: { ...params, milestoneId: milestoneIds[1] ?? '' },
    });
    await setSafeguard(server(), params, { ...moreThan(10, `unleash_counter_${name}`), holdAt });
    await setFreeze(true);
    await errors(20, 3);
    return { params, errors };
  }
  const heldAs = async ({ projectId, featureName }: FlagEnvironmentParams) => {
    const params = { projectId, featureName };
    const path = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    const { leases } = (await server().admin.call(path, { params })).json;
    return leases.map(({ effect, milestone }: { effect: string; milestone: { name: string } | null }) =>
      [effect, milestone?.name].join(' ').trim(),
    );
  };
  const stateOf = async (params: FlagEnvironmentParams) => (await safeguardsOf(server(), params))[0].status.state;

  it('holds the flag at an earlier milestone that serves it to fewer users', async () => {
    const { params } = await guarded(rolloutTo(10), 'previous');
    expect([await heldAs(params), await stateOf(params)]).toEqual([['milestone 10 %'], 'triggered']);
    await setFreeze(false);
  });

  it('holds the flag off instead of at a milestone that may serve it to other users', async () => {
    const staff = { ...rolloutTo(10), strategies: [{ name: 'userWithId', parameters: { userIds: 'ann,ben' } }] };
    const { params } = await guarded(staff, 'previous');
    expect([await heldAs(params), await stateOf(params)]).toEqual([['off'], 'triggered']);
    await setFreeze(false);
  });

  it('does nothing to a flag whose child is on while the flag is off, and acts when the freeze ends', async () => {
    const { projectId, parent } = await givenDependency(server(), { enabled: false });
    const flag = { projectId, featureName: parent, environment: 'development' };
    await server().admin.call(`POST ${environment}/on`, { params: flag });
    const { params, errors } = await guarded(rolloutTo(10), 'off', flag);
    expect([await heldAs(params), await stateOf(params)]).toEqual([[], 'crossed']);
    await setFreeze(false);
    await errors(20, 2);
    expect([await heldAs(params), await stateOf(params)]).toEqual([['off'], 'triggered']);
  });

  it('keeps its hold when the value is back, and releases it when the freeze ends', async () => {
    const { params, errors } = await guarded(rolloutTo(10), 'off');
    await errors(0, 8);
    expect([await heldAs(params), await stateOf(params)]).toEqual([['off'], 'triggered']);
    await setFreeze(false);
    await errors(0, 1);
    expect([await heldAs(params), await stateOf(params)]).toEqual([[], 'within']);
  });
});

it('a scheduled change request says why it waits under a freeze', async () => {
  const { at, params } = await givenScheduled(server(), { inMs: 60_000 });
  await setFreeze(true);
  server().clock.advance(120_000);
  expect(await server().app.service.schedules.runDue()).toBe(1);
  expect(await server().app.service.schedules.runDue()).toBe(0);
  expect(await readRequest(server(), at.projectId, at.id)).toMatchObject({
    state: 'Scheduled',
    schedule: { status: 'pending', reason: 'Waits: Automation is frozen: Incident 7.' },
  });
  await setFreeze(false);
  await server().app.service.schedules.runDue();
  expect(await readRequest(server(), params.projectId, at.id)).toMatchObject({ state: 'Applied' });
});
