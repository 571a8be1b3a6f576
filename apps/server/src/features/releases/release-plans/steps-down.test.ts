import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import type { FlagEnvironmentParams } from '#testing/flags.ts';
import { releaseHold } from '#testing/holds.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const flagPath = '/api/admin/projects/:projectId/features/:featureName' as const;
const milestones = [rolloutTo(1), rolloutTo(10), rolloutTo(50), rolloutTo(100)];
const patient = { stepDownMinutes: 5, restMinutes: 10 };

const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) {
    await passMinutes(server(), 1);
    await server().app.service.expiries.runDue();
    await server().app.service.stepDowns.runDue();
    await server().app.service.actions.settled();
  }
};
/** Returns the percentages that SDKs receive; "off" while the flag is off for them. */
async function served({ projectId, featureName, environment }: FlagEnvironmentParams): Promise<string> {
  const { secret } = await givenToken(server(), { environment, projects: [projectId] });
  const { features } = (await server().client(secret).call('GET /api/client/features')).json;
  const flag = features.find(({ name }: { name: string }) => name === featureName);
  const rollouts = flag.strategies.map(({ parameters }: { parameters: { rollout: string } }) => parameters.rollout);
  return flag.enabled ? rollouts.join() : 'off';
}
const holdOf = async (params: FlagEnvironmentParams) =>
  (await server().admin.call(`GET ${flagPath}/leases`, { params })).json.leases[0];

/** Returns the sentences of the events about a flag's holds, oldest first, without their author and place. */
async function told({ featureName }: FlagEnvironmentParams): Promise<readonly string[]> {
  const query = { feature: `IS:${featureName}`, limit: 100 };
  const { events } = (await server().admin.call('GET /api/admin/search/events', { query })).json;
  return events
    .filter(({ type }: { type: string }) => type.startsWith('feature-lease-'))
    .map(({ type, summary }: { type: string; summary: string }) => `${type}${summary.split(')').slice(1).join(')')}`)
    .toReversed();
}

/** Starts a plan at its third milestone. */
async function atHalf(flag?: FlagEnvironmentParams, more: object = patient) {
  const { params, milestoneIds } = await givenPlan(server(), milestones, flag, more);
  const start =
    `POST ${flagPath}/environments/:environment/release-plans/:planId/milestones/:milestoneId/start` as const;
  await server().admin.call(start, { params: { ...params, milestoneId: String(milestoneIds[2]) } });
  expect(await served(params)).toBe('50');
  return params;
}

/** Starts a plan that a safeguard holds, and returns how to report its metric for some minutes. */
async function guarded({ holdAt = 'previous', minutes = 5, more = patient } = {}) {
  const name = metricNamed('failed');
  startMinute(server());
  const report = async (value: number, times = 1) => {
    for (let time = 0; time < times; time++) {
      await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
      await pass(1);
    }
  };
  await report(0);
  const params = await atHalf(undefined, more);
  await setSafeguard(server(), params, { ...moreThan(10, `unleash_counter_${name}`, { minutes }), holdAt });
  return { params, report };
}

/** Starts a plan that an action holds while an alert fires, and returns how to send the alert. */
async function alerted(more: object = patient) {
  const place: ActionPlace = await givenAlertPlace(server());
  const params = await atHalf(place.flag, more);
  const set = await givenSet(server(), holdingAlerts(place, { params: { effect: 'milestone', minutes: 0 } }), place);
  const alert = (status: 'firing' | 'resolved', occurrence = 1) => {
    const startsAt = `2026-01-01T0${occurrence}:00:00Z`;
    return signal(server(), place, { status, alerts: [{ status, fingerprint: 'a1', startsAt }] });
  };
  return { params, set, alert };
}

describe('a hold of a safeguard that does not help', () => {
  it('goes one milestone further down every five minutes, at last off, each step with the value', async () => {
    const { params, report } = await guarded();
    await report(40, 2);
    expect(await served(params)).toBe('10');
    await report(40, 4);
    expect(await served(params)).toBe('10');
    await report(40, 2);
    expect(await served(params)).toBe('1');
    await report(40, 5);
    expect(await served(params)).toBe('off');
    await report(40, 20);
    expect(await told(params)).toEqual([
      expect.stringMatching(/^feature-lease-placed \*\*at the milestone 10 %\*\*: Safeguard: .+ is \d+, above 10\.$/),
      expect.stringMatching(
        /^feature-lease-stepped-down \*\*at the milestone 1 %\*\*: Safeguard: .+ is \d+, above 10\.$/,
      ),
      expect.stringMatching(/^feature-lease-stepped-down \*\*off\*\*: Safeguard: .+ is \d+, above 10\.$/),
    ]);
  });

  it('waits for the whole time range of the metric, whose value says nothing about the hold before', async () => {
    const { params, report } = await guarded({ minutes: 20 });
    await report(40, 2);
    await report(40, 17);
    expect(await served(params)).toBe('10');
    await report(40, 4);
    expect(await served(params)).toBe('1');
  });

  it('stays where the plan says so', async () => {
    const { params, report } = await guarded({ more: { ...patient, stepDownMinutes: null as unknown as number } });
    await report(40, 30);
    expect([await served(params), (await holdOf(params)).stepsDownAt]).toEqual(['10', undefined]);
  });

  it('lasts for ten minutes, and longer while the value is beyond the threshold again', async () => {
    const { params, report } = await guarded();
    await report(11, 2);
    expect(await served(params)).toBe('10');
    await report(0, 6);
    const { reason, expiresAt } = await holdOf(params);
    expect(reason).toMatch(/above 10\. This is over; the milestone rests until the hold ends\.$/);
    expect(Date.parse(expiresAt)).toBeGreaterThan(server().clock.now());
    expect(await served(params)).toBe('10');
    await report(11);
    expect(await holdOf(params)).toMatchObject({ expiresAt: null, milestone: { name: '10 %' } });
    await report(0, 8);
    expect(await served(params)).toBe('10');
    await report(0, 4);
    expect([await served(params), await holdOf(params)]).toEqual(['50', undefined]);
  });

  it('goes at once when its safeguard is deleted', async () => {
    const { params, report } = await guarded();
    await report(40, 2);
    const [{ id: safeguardId }] = (
      await server().admin.call(`GET ${flagPath}/environments/:environment/safeguards`, { params })
    ).json.safeguards;
    const route = `DELETE ${flagPath}/environments/:environment/release-plans/:planId/safeguards/:safeguardId` as const;
    await server().admin.call(route, { params: { ...params, safeguardId } });
    expect(await served(params)).toBe('50');
  });
});

describe('a hold of an action at a milestone', () => {
  it('goes one milestone further down while its alert fires, however often the alert is repeated', async () => {
    const { params, alert } = await alerted();
    await alert('firing');
    expect(await served(params)).toBe('10');
    for (let minute = 0; minute < 4; minute++) {
      await pass(1);
      await alert('firing');
    }
    expect(await served(params)).toBe('10');
    await pass(1);
    expect(await served(params)).toBe('1');
    await pass(5);
    expect(await served(params)).toBe('off');
    expect((await told(params)).slice(-2)).toEqual([
      'feature-lease-stepped-down **at the milestone 1 %**: The alert has not ended after 5 minutes.',
      'feature-lease-stepped-down **off**: The alert has not ended after 10 minutes.',
    ]);
    await pass(9);
    await alert('resolved');
    expect(await served(params)).toBe('off');
    await pass(1);
    expect([await served(params), (await planOf(server(), params)).progress.state]).toEqual(['50', 'waiting']);
  });

  it('lasts for ten minutes, goes no further down meanwhile, and stays when the alert fires again', async () => {
    const { params, set, alert } = await alerted();
    await alert('firing');
    await pass(1);
    await alert('resolved');
    await pass(7);
    await alert('resolved');
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'skipped',
      reason: 'Nothing to release: the hold ends when the milestone has rested.',
    });
    expect(await served(params)).toBe('10');
    await alert('firing', 2);
    await pass(3);
    expect([await served(params), (await holdOf(params)).expiresAt]).toEqual(['10', null]);
    await alert('resolved', 2);
    await pass(8);
    expect(await holdOf(params)).toBeUndefined();
  });

  it('ends with its alert where the plan has no rest', async () => {
    const { params, alert } = await alerted({ ...patient, restMinutes: 0 });
    await alert('firing');
    await alert('resolved');
    expect(await served(params)).toBe('50');
  });

  it('is released by a person at once', async () => {
    const { params, alert } = await alerted();
    await alert('firing');
    await releaseHold(server(), params, (await holdOf(params)).id);
    expect(await served(params)).toBe('50');
  });
});

it('a plan that names neither has five and ten minutes', async () => {
  const params = await atHalf(undefined, { stepDownMinutes: undefined, restMinutes: undefined });
  expect(await planOf(server(), params)).toMatchObject({ stepDownMinutes: 5, restMinutes: 10 });
});
