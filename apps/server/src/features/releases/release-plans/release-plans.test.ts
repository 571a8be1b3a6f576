import { compileDocument, readyContext } from '@yardarm/evaluation';
import { describe, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenEnabled, givenFlagIn } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { givenPlan, inThreeSteps, passMinutes, planOf, rolloutTo, servedPercentages } from '#testing/release-plans.ts';
import { testScenarios } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { releasePlanListScenarios } from './list.scenarios.ts';
import { releasePlanScenarios } from './release-plans.scenarios.ts';

const minuteMs = 60_000;
const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

describe('routes of release plans', () =>
  testScenarios(server, [...releasePlanScenarios, ...releasePlanListScenarios]));

const pass = (minutes: number) => passMinutes(server(), minutes);

const change = (verb: 'pause' | 'resume', params: FlagEnvironmentParams & { readonly planId: string }) =>
  server().admin.call(`POST ${environment}/progressions/:planId/${verb}`, { params });
const turn = (state: 'on' | 'off', params: FlagEnvironmentParams) =>
  server().admin.call(`POST ${environment}/${state}`, { params });
const percentages = (params: FlagEnvironmentParams) => servedPercentages(server(), params);
const progressOf = async (params: FlagEnvironmentParams) => (await planOf(server(), params)).progress;

describe('a release plan', () => {
  it('starts each milestone when the time at the one before is over, and ends at the last', async () => {
    const { params } = await givenPlan(server());
    expect(await percentages(params)).toEqual(['10']);
    await pass(59);
    expect(await percentages(params)).toEqual(['10']);
    await pass(1);
    expect(await percentages(params)).toEqual(['50']);
    await pass(60);
    expect(await percentages(params)).toEqual(['100']);
    await pass(10_000);
    const plan = await planOf(server(), params);
    expect(plan.progress).toMatchObject({ state: 'completed', nextAt: null });
    expect(plan.milestones.map(({ progressionExecutedAt: at }: { progressionExecutedAt: string }) => at)).toEqual([
      expect.any(String),
      expect.any(String),
      null,
    ]);
  });

  it('gives each milestone its full time when the server was away for longer', async () => {
    const { params } = await givenPlan(server());
    await pass(500);
    expect(await percentages(params)).toEqual(['50']);
    await pass(59);
    expect(await percentages(params)).toEqual(['50']);
    await pass(1);
    expect(await percentages(params)).toEqual(['100']);
  });

  it('reaches SDKs with each milestone, by a new revision', async () => {
    const sdk = await givenSdk(server());
    const { params } = await givenPlan(server());
    const read = async () => {
      const reply = await sdk.call('GET /api/client/features');
      const flag = reply.json.features.find(({ name }: { name: string }) => name === params.featureName);
      return { etag: reply.headers.get('etag'), rollout: flag.strategies[0].parameters.rollout };
    };
    const before = await read();
    await pass(60);
    const after = await read();
    expect([before.rollout, after.rollout]).toEqual(['10', '50']);
    expect(after.etag).not.toBe(before.etag);
  });

  it('puts each user of a lower percentage into the higher one: the group is the flag in each milestone', async () => {
    const { params } = await givenPlan(server());
    const { milestones } = await planOf(server(), params);
    const groups = milestones.map(({ strategies }: { strategies: { parameters: object }[] }) => ({
      ...strategies[0]?.parameters,
      rollout: '',
    }));
    const same = { rollout: '', stickiness: 'userId', groupId: params.featureName };
    expect(groups).toEqual([same, same, same]);
  });

  it('never takes the flag from a user on the way up: over 10,000 users', async () => {
    const sdk = await givenSdk(server());
    const { params } = await givenPlan(server(), [
      rolloutTo(1, 60),
      rolloutTo(10, 60),
      rolloutTo(50, 60),
      rolloutTo(100),
    ]);
    let before: ReadonlySet<number> = new Set();
    for (const share of [1, 10, 50, 100]) {
      const { json } = await sdk.call('GET /api/client/features');
      const flags = compileDocument(json);
      const flag = flags.get(params.featureName);
      if (flag === undefined) throw new Error('the flag is not served');
      const users = Array.from({ length: 10_000 }, (_, index) => index).filter(
        (user) =>
          flags.evaluate(flag, readyContext({ userId: `user-${user}` }, { now: 0, random: Math.random })).enabled,
      );
      const now = new Set(users);
      expect([...before].filter((user) => !now.has(user))).toEqual([]);
      expect(Math.abs(now.size - share * 100)).toBeLessThan(200);
      before = now;
      await pass(60);
    }
  });

  it('replaces the placeholder of the flag in a group', async () => {
    const grouped = {
      ...rolloutTo(10),
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '10', groupId: '{{featureName}}-a' } }],
    };
    const { params } = await givenPlan(server(), [grouped]);
    const { milestones } = await planOf(server(), params);
    expect(milestones[0].strategies[0].parameters.groupId).toBe(`${params.featureName}-a`);
  });

  it('waits for a person where a milestone has no time', async () => {
    const { params, milestoneIds } = await givenPlan(server(), [rolloutTo(10), rolloutTo(100)]);
    await pass(10_000);
    expect(await percentages(params)).toEqual(['10']);
    expect(await progressOf(params)).toMatchObject({ state: 'waiting', nextAt: null });
    const ref = { ...params, milestoneId: milestoneIds[1] ?? '' };
    await server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
      params: ref,
    });
    expect(await percentages(params)).toEqual(['100']);
  });

  it('counts no time while it is paused, and goes on with the rest', async () => {
    const { params } = await givenPlan(server());
    await pass(40);
    await change('pause', params);
    await pass(500);
    expect(await percentages(params)).toEqual(['10']);
    expect(await progressOf(params)).toMatchObject({ state: 'paused', elapsedMinutes: 40, nextAt: null });
    await change('resume', params);
    await pass(19);
    expect(await percentages(params)).toEqual(['10']);
    await pass(1);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('counts no time while the flag is off', async () => {
    const { params } = await givenPlan(server());
    await pass(40);
    await turn('off', params);
    await pass(500);
    expect(await progressOf(params)).toMatchObject({ state: 'off', elapsedMinutes: 40 });
    await turn('on', params);
    expect(await percentages(params)).toEqual(['10']);
    await pass(20);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('starts its first milestone on a flag that is off, and counts the time from when it is on', async () => {
    const { params } = await givenPlan(server(), inThreeSteps, await givenFlagIn(server()));
    await pass(500);
    expect(await progressOf(params)).toMatchObject({ state: 'off', elapsedMinutes: 0 });
    await turn('on', params);
    expect(await percentages(params)).toEqual(['10']);
    await pass(60);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('halts while a hold is in force, and gives the milestone its full time when the hold ends', async () => {
    const { params } = await givenPlan(server());
    await pass(59);
    const hold = await givenHold(server(), params);
    await pass(500);
    expect(await progressOf(params)).toMatchObject({ state: 'held', nextAt: null });
    await releaseHold(server(), params, hold.id);
    expect(await percentages(params)).toEqual(['10']);
    await pass(59);
    expect(await percentages(params)).toEqual(['10']);
    await pass(1);
    expect(await percentages(params)).toEqual(['50']);
    const { events } = (await server().admin.call('GET /api/admin/events', { query: { limit: 20 } })).json;
    const ofPlan = events.filter(({ type }: { type: string }) => type.startsWith('release-plan-progressions'));
    expect(ofPlan).toMatchObject([
      { type: 'release-plan-progressions-resumed', data: { reason: 'The flag is no longer held.' } },
      { type: 'release-plan-progressions-paused', data: { reason: 'The flag is held.' } },
    ]);
  });

  it('follows a time that is changed while it runs', async () => {
    const { params, milestoneIds } = await givenPlan(server());
    await pass(10);
    const body = { transitionCondition: { intervalMinutes: 15 } };
    await server().admin.call(`PUT ${environment}/progressions/:id`, {
      params: { ...params, id: milestoneIds[0] ?? '' },
      body,
    });
    await pass(5);
    expect(await percentages(params)).toEqual(['50']);
  });

  it('climbs within the hours of a milestone only, also when the server was away when it was due', async () => {
    const hours = { days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '16:00', timeZone: 'UTC' };
    const within = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, hours } };
    const minutesTo = (iso: string) => (Date.parse(iso) - server().clock.now()) / minuteMs;
    // The first Friday that is at least a week from now.
    const friday = new Date(server().clock.now() + 7 * 1440 * minuteMs);
    friday.setUTCDate(friday.getUTCDate() + ((12 - friday.getUTCDay()) % 7));
    const [day = ''] = friday.toISOString().split('T');
    const dayAfter = (days: number) => new Date(friday.getTime() + days * 1440 * minuteMs).toISOString().slice(0, 10);
    await pass(minutesTo(`${day}T10:00:00.000Z`));
    const { params } = await givenPlan(server(), [within, rolloutTo(100)]);
    expect((await progressOf(params)).nextAt).toBe(`${dayAfter(3)}T09:00:00.000Z`);
    await pass(60);
    expect(await percentages(params)).toEqual(['10']);
    // The time passes in one step, as if the server was away from Monday morning until Monday evening.
    await pass(minutesTo(`${dayAfter(3)}T20:00:00.000Z`));
    expect(await percentages(params)).toEqual(['10']);
    await pass(minutesTo(`${dayAfter(4)}T09:00:00.000Z`));
    expect(await percentages(params)).toEqual(['100']);
  });

  it('serves a changed strategy at once when its milestone is active, and otherwise when it starts', async () => {
    const { params, strategyIds } = await givenPlan(server());
    const set = (index: number, rollout: string) =>
      server().admin.call(`PUT ${environment}/milestone-strategies/:strategyId`, {
        params: { ...params, strategyId: strategyIds[index] ?? '' },
        body: { parameters: { rollout, stickiness: 'userId', groupId: params.featureName } },
      });
    await set(0, '12');
    await set(1, '40');
    expect(await percentages(params)).toEqual(['12']);
    await pass(60);
    expect(await percentages(params)).toEqual(['40']);
  });

  it('locks its strategies against other hands, until it is removed', async () => {
    const { params, strategyIds } = await givenPlan(server());
    const ref = { ...params, strategyId: strategyIds[0] ?? '' };
    const edit = () =>
      server().admin.call(`PUT ${environment}/strategies/:strategyId`, { params: ref, body: { title: 'Mine' } });
    const refused = [
      await edit(),
      await server().admin.call(`DELETE ${environment}/strategies/:strategyId`, { params: ref }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect(refused[0]?.json.message).toMatch(/^The release plan Release gradually of the flag .+ runs this strategy/);
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, {
      params,
      query: { strategies: 'keep' },
    });
    expect((await edit()).status).toBe(200);
    expect(await percentages(params)).toEqual(['10']);
  });

  it('leaves the strategies of the flag beside those of its milestones', async () => {
    const flag = await givenEnabled(server());
    await server().admin.call(`POST ${environment}/release-plans`, {
      params: flag,
      body: { milestones: inThreeSteps },
    });
    expect(await percentages(flag)).toEqual(['100', '10']);
    await pass(60);
    expect(await percentages(flag)).toEqual(['100', '50']);
  });

  it('is paused with the reason when its next milestone cannot start, and goes on when it can', async () => {
    const { id } = await givenSegment(server());
    const withSegment = { ...rolloutTo(50, 60), strategies: [{ name: 'default', segments: [id] }] };
    const { params, strategyIds } = await givenPlan(server(), [rolloutTo(10, 60), withSegment]);
    await server().admin.call('DELETE /api/admin/segments/:id', { params: { id: String(id) } });
    await pass(60);
    expect(await percentages(params)).toEqual(['10']);
    expect(await progressOf(params)).toMatchObject({
      state: 'paused',
      reason: expect.stringMatching(/^The milestone 50 % could not start: .*segment/),
    });
    await server().admin.call(`PUT ${environment}/milestone-strategies/:strategyId`, {
      params: { ...params, strategyId: strategyIds[1] ?? '' },
      body: { segments: [] },
    });
    await change('resume', params);
    await pass(0);
    expect((await planOf(server(), params)).progress.state).toBe('completed');
  });

  it('stops when its flag is archived, and ends with the flag', async () => {
    const { params } = await givenPlan(server());
    const { projectId, featureName } = params;
    const flag = { params: { projectId, featureName } };
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', flag);
    await pass(500);
    expect(await progressOf(params)).toMatchObject({ state: 'off', elapsedMinutes: 0 });
    await server().admin.call('DELETE /api/admin/archive/:featureName', { params: { featureName } });
    await pass(500);
    expect((await server().admin.call(`GET ${environment}/release-plans`, { params })).status).toBe(404);
  });
});

describe('the job of a release plan', () => {
  type Planned = Awaited<ReturnType<typeof givenPlan>>;
  const jobsOf = async ({ params }: Planned): Promise<unknown[]> => {
    const rows = await server().app.database.db.selectFrom('jobs').select('payload').execute();
    return rows.filter(({ payload }) => payload.includes(params.planId));
  };
  const stopAndGoOn: Readonly<Record<string, (plan: Planned) => Promise<unknown>>> = {
    'switched off and on': async ({ params }) => {
      await turn('off', params);
      await turn('on', params);
    },
    'paused and resumed': async ({ params }) => {
      await change('pause', params);
      await change('resume', params);
    },
    'held and released': async ({ params }) => {
      const { id } = await givenHold(server(), params);
      await releaseHold(server(), params, id);
    },
    'started anew': ({ params, milestoneIds }) =>
      server().admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
        params: { ...params, milestoneId: milestoneIds[0] ?? '' },
      }),
  };

  it.each(Object.entries(stopAndGoOn))('is a single one, however often it is %s', async (_, again) => {
    const plan = await givenPlan(server());
    for (let times = 0; times < 5; times++) {
      await pass(1);
      await again(plan);
    }
    expect(await jobsOf(plan)).toHaveLength(1);
    await pass(60);
    expect(await percentages(plan.params)).toEqual(['50']);
    expect(await jobsOf(plan)).toHaveLength(1);
  });

  it('is gone while the time does not count, after the last milestone, and with the plan', async () => {
    const plans = [await givenPlan(server()), await givenPlan(server()), await givenPlan(server())] as const;
    const [off, removed, completed] = plans;
    await turn('off', off.params);
    await server().admin.call(`DELETE ${environment}/release-plans/:planId`, {
      params: removed.params,
      query: { strategies: 'keep' },
    });
    expect((await Promise.all(plans.map(jobsOf))).map((jobs) => jobs.length)).toEqual([0, 0, 1]);
    await pass(60);
    await pass(60);
    expect((await progressOf(completed.params)).state).toBe('completed');
    expect(await jobsOf(completed)).toEqual([]);
  });
});
