import { describe, expect, it } from 'vitest';
import { givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { type FlagEnvironmentParams, freshName, givenEnabled, givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import {
  type GivenPlan,
  givenPlan,
  inThreeSteps,
  passMinutes,
  planOf,
  servedPercentages,
} from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const pass = (minutes: number) => passMinutes(server(), minutes);
const percentages = (params: FlagEnvironmentParams) => servedPercentages(server(), params);
const progressOf = async (params: FlagEnvironmentParams) => (await planOf(server(), params)).progress;

const shadow = { shadow: true, strategies: 'keep' };

/** Adds a plan in shadow mode to a flag that its own strategy serves to 3 %. */
async function givenShadow(flag?: FlagEnvironmentParams): Promise<GivenPlan> {
  const place = flag ?? (await givenEnabled(server()));
  await replaceStrategies(place);
  return givenPlan(server(), inThreeSteps, place, shadow);
}

async function replaceStrategies(place: FlagEnvironmentParams): Promise<void> {
  const strategies = `${environment}/strategies` as const;
  const { json } = await server().admin.call(`GET ${strategies}`, { params: place });
  const body = { name: 'flexibleRollout', parameters: { rollout: '3', stickiness: 'userId', groupId: 'own' } };
  await server().admin.call(`POST ${strategies}`, { params: place, body });
  for (const { id } of json) {
    const params = { ...place, strategyId: id };
    await server().admin.call(`DELETE ${strategies}/:strategyId`, { params });
  }
}

const start = ({ params, milestoneIds }: GivenPlan, index: number, query: Readonly<Record<string, string>> = {}) =>
  server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
    params: { ...params, milestoneId: milestoneIds[index] ?? 'none' },
    query,
  });

describe('a release plan in shadow mode', () => {
  it('starts its milestones by its gates and records them, while the flag keeps its own strategies', async () => {
    const before = await lastEventId(server());
    const { params, milestoneIds } = await givenShadow();
    await pass(60);
    await pass(60);
    expect(await percentages(params)).toEqual(['3']);
    expect(await planOf(server(), params)).toMatchObject({ shadow: true, activeMilestoneId: milestoneIds[2] });
    const started = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('release-plan-'));
    expect(started).toMatchObject([
      { type: 'release-plan-added', data: { shadow: true } },
      { type: 'release-plan-milestone-started', data: { shadow: true, trigger: 'added' } },
      { type: 'release-plan-milestone-started', data: { shadow: true, trigger: 'time' } },
      { type: 'release-plan-milestone-started', data: { shadow: true, trigger: 'time' } },
    ]);
  });

  it('goes on while the flag is off, and is halted by a hold', async () => {
    const params = await givenFlagIn(server(), 'development');
    const plan = await givenPlan(server(), inThreeSteps, params, shadow);
    await pass(60);
    expect(await planOf(server(), params)).toMatchObject({ activeMilestoneId: plan.milestoneIds[1] });
    const { id } = await givenHold(server(), params);
    expect(await progressOf(params)).toMatchObject({ state: 'held' });
    await releaseHold(server(), params, id);
    expect(await progressOf(params)).toMatchObject({ state: 'running' });
  });

  it('leaves the strategies of the flag open to changes, and is in no list of plans', async () => {
    const { params } = await givenShadow();
    await replaceStrategies(params);
    expect(await percentages(params)).toEqual(['3']);
    const { json } = await server().admin.call('GET /api/admin/release-plans', {
      query: { project: params.projectId },
    });
    const named = json.releasePlans.filter((plan: { featureName: string }) => plan.featureName === params.featureName);
    expect(named).toEqual([]);
    const flag = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName', { params });
    const [state] = flag.json.environments.filter(({ name }: { name: string }) => name === params.environment);
    expect(state.milestoneName ?? null).toBeNull();
  });

  it.each([
    ['keeps', 'keep', ['3', '50']],
    ['replaces', 'remove', ['50']],
  ])('is started for real by a person, and then %s the strategies of the flag', async (_, strategies, served) => {
    const plan = await givenShadow();
    const name = await setSafeguardOf(plan);
    const { status } = await start(plan, 1, { shadow: 'false', strategies });
    expect(status).toBe(200);
    expect((await percentages(plan.params)).toSorted()).toEqual(served.toSorted());
    expect(await planOf(server(), plan.params)).toMatchObject({
      shadow: false,
      activeMilestoneId: plan.milestoneIds[1],
    });
    expect(await safeguardsOf(server(), plan.params)).toHaveLength(1);
    await pass(58);
    // The safeguard lets the next milestone start with a value.
    for (let minute = 0; minute < 4; minute++) {
      await reportMetrics(server(), [{ name, samples: [{ value: 0 }] }], 'development');
      await pass(1);
    }
    expect(await percentages(plan.params)).toContain('100');
  });

  it.each([
    ['switched on', (params: FlagEnvironmentParams) => switchTo(params, 'on')],
    ['released', async (params: FlagEnvironmentParams, holdId: number) => releaseHold(server(), params, holdId)],
  ])('is started for real while the flag is off, and waits until it is %s', async (how, go) => {
    const params = await givenEnabled(server());
    const plan = await givenShadow(params);
    const holdId = how === 'released' ? (await givenHold(server(), params)).id : 0;
    if (how !== 'released') await switchTo(params, 'off');
    expect((await start(plan, 0, { shadow: 'false', strategies: 'remove' })).status).toBe(200);
    const at = async () => plan.milestoneIds.indexOf((await planOf(server(), params)).activeMilestoneId);
    for (let hour = 0; hour < 3; hour++) await pass(60);
    expect([await at(), await progressOf(params)]).toMatchObject([0, { state: expect.not.stringMatching('running') }]);
    await go(params, holdId);
    expect([await at(), await progressOf(params)]).toMatchObject([0, { state: 'running' }]);
    await pass(59);
    expect(await at()).toBe(0);
    await pass(1);
    expect([await at(), await percentages(params)]).toEqual([1, ['50']]);
  });

  const switchTo = (params: FlagEnvironmentParams, state: 'on' | 'off') =>
    server().admin.call(`POST ${environment}/${state}`, { params });

  async function setSafeguardOf({ params }: GivenPlan, more: object = {}): Promise<string> {
    const name = metricNamed('failed');
    startMinute(server());
    await reportMetrics(server(), [{ name, samples: [{ value: 0 }] }], 'development');
    await setSafeguard(server(), params, { ...moreThan(10, `unleash_counter_${name}`), ...more });
    return name;
  }

  it('stays in shadow mode when a person starts a milestone without ending it', async () => {
    const plan = await givenShadow();
    await start(plan, 1);
    expect(await percentages(plan.params)).toEqual(['3']);
    expect(await planOf(server(), plan.params)).toMatchObject({
      shadow: true,
      activeMilestoneId: plan.milestoneIds[1],
    });
  });

  it('changes nothing for users when a strategy of its milestone is changed, or when it is removed', async () => {
    const { params, strategyIds } = await givenShadow();
    const body = { parameters: { rollout: '20', stickiness: 'userId', groupId: 'g' } };
    const change = { params: { ...params, strategyId: strategyIds[0] ?? 'none' }, body };
    expect((await server().admin.call(`PUT ${environment}/milestone-strategies/:strategyId`, change)).status).toBe(200);
    expect(await percentages(params)).toEqual(['3']);
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, {
      params,
      query: { strategies: 'remove' },
    });
    expect(await percentages(params)).toEqual(['3']);
  });

  it('records a safeguard that would hold the flag, and holds nothing', async () => {
    const plan = await givenShadow();
    const name = await setSafeguardOf(plan, { holdAt: 'off' });
    const before = await lastEventId(server());
    await reportMetrics(server(), [{ name, samples: [{ value: 50 }] }], 'development');
    await pass(1);
    await pass(1);
    const events = (await eventsAfter(server(), before)).filter(({ featureName }) => featureName !== null);
    expect(events.map(({ type }) => type)).toEqual(['safeguard-triggered']);
    expect(await percentages(plan.params)).toEqual(['3']);
  });

  it('is held by its safeguard when shadow mode ends while the threshold is crossed', async () => {
    const plan = await givenShadow();
    const name = await setSafeguardOf(plan, { holdAt: 'off' });
    const failed = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await reportMetrics(server(), [{ name, samples: [{ value: 50 }] }], 'development');
        await pass(1);
      }
    };
    const before = await lastEventId(server());
    await failed(4);
    const triggered = (await eventsAfter(server(), before)).filter(({ type }) => type === 'safeguard-triggered');
    expect(triggered).toHaveLength(1);
    await start(plan, 0, { shadow: 'false', strategies: 'remove' });
    expect(await percentages(plan.params)).toEqual(['10']);
    await failed(4);
    expect(await percentages(plan.params)).toBeUndefined();
    expect((await safeguardsOf(server(), plan.params))[0].status).toMatchObject({ state: 'triggered' });
  });

  it('is pulled and applied as state in shadow mode', async () => {
    const project = await givenProject(server());
    const { params } = await givenShadow(await givenEnabled(server(), project));
    const { json } = await server().admin.call('GET /api/admin/state', { query: { projects: project } });
    const flag = json.projects[project].flags[params.featureName];
    const { releasePlan } = flag.environments[params.environment];
    expect(releasePlan).toMatchObject({ shadow: true });
    const copied = await givenProject(server());
    const name = freshName('flag');
    const state = { version: 1, projects: { [copied]: { flags: { [name]: flag } } } };
    expect((await server().admin.call('POST /api/admin/state/apply', { body: { state } })).status).toBe(200);
    const copy = { ...params, projectId: copied, featureName: name };
    expect(await planOf(server(), copy)).toMatchObject({ shadow: true });
    expect(await percentages(copy)).toEqual(['3']);
  });

  it('is not held at a milestone by an action, whose run says why', async () => {
    const place = await givenActionPlace(server());
    await server().admin.call(`POST ${environment}/on`, { params: place.flag });
    await givenShadow(place.flag);
    const { projectId: project, flag } = place;
    const executionParams = { project, featureName: flag.featureName, environment: 'development', effect: 'milestone' };
    const set = await givenSet(
      server(),
      { actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }] },
      place,
    );
    await signal(server(), place);
    const reason = 'The release plan Release gradually is in shadow mode, so nothing is held.';
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'skipped', reason }]);
  });
});
