import { describe, expect, it } from 'vitest';
import { givenEnabled, switchFlag } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, planOf, rolloutTo, servedPercentages } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { safeguardScenarios } from './safeguards.scenarios.ts';

const minuteMs = 60_000;
const server = useServer();

describe('routes of safeguards', () => testScenarios(server, safeguardScenarios));

/** Returns the newest event of a type of a flag. */
async function newestEvent(type: string, { featureName }: { readonly featureName: string }) {
  const query = { feature: `IS:${featureName}`, type: `IS:${type}` };
  return (await server().admin.call('GET /api/admin/search/events', { query })).json.events[0];
}

/** Reports `value` errors and 100 requests in each of the next `minutes` minutes, and advances the clock. */
async function errors(name: string, value: number, minutes = 1): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await reportMetrics(
      server(),
      [
        { name, samples: [{ value }] },
        { name: `${name}_requests`, samples: [{ value: 100 }] },
      ],
      'development',
    );
    await pass(1);
  }
}

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    server().clock.advance(minuteMs);
    await server().app.service.jobs.runDue();
  }
}

/** Starts a plan at a full minute, with a safeguard at more than `threshold` errors in five minutes. */
async function givenGuardedPlan(threshold = 10) {
  const name = metricNamed('failed');
  startMinute(server());
  await reportMetrics(server(), [{ name, samples: [{ value: 0 }] }], 'development');
  const { params } = await givenPlan(server(), [rolloutTo(10, 30), rolloutTo(50, 30), rolloutTo(100)]);
  await setSafeguard(server(), params, moreThan(threshold, `unleash_counter_${name}`));
  return { name, params };
}

interface Guard {
  readonly impactMetric: { readonly metricName: string };
}

describe('a safeguard of a plan', () => {
  it('pauses the plan when its threshold is crossed, and says at what value', async () => {
    const { name, params } = await givenGuardedPlan();
    await errors(name, 2, 4);
    expect((await planOf(server(), params)).progress.state).toBe('running');
    await errors(name, 9, 2);
    const { progress } = await planOf(server(), params);
    expect(progress).toMatchObject({ state: 'paused', nextAt: null });
    expect(progress.reason).toMatch(/^Safeguard: unleash_counter_failed_\w+ \(count\) is \d+, above 10\.$/);
    const [{ status }] = await safeguardsOf(server(), params);
    expect(status).toMatchObject({ state: 'triggered', triggeredAt: expect.any(String), lookedAt: expect.any(String) });
    const triggered = await newestEvent('safeguard-triggered', params);
    expect(triggered).toMatchObject({ environment: 'development', data: { triggerCondition: { threshold: 10 } } });
    expect(progress.reason).toContain(` is ${triggered.data.value}, `);
    await pass(60);
    expect(await servedPercentages(server(), params)).toEqual(['10']);
  });

  it('leaves a plan that a person resumes alone, until the value was within the threshold', async () => {
    const { name, params } = await givenGuardedPlan();
    const state = async () => (await planOf(server(), params)).progress.state;
    const resume =
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/resume';
    await errors(name, 20, 2);
    expect(await state()).toBe('paused');
    await server().admin.call(resume, { params });
    await errors(name, 20, 2);
    expect(await state()).toBe('running');
    await errors(name, 0, 7);
    expect((await safeguardsOf(server(), params))[0].status).toMatchObject({ state: 'within', value: 0 });
    await errors(name, 20, 2);
    expect(await state()).toBe('paused');
  });

  it('does nothing while the metric is not reported', async () => {
    const { params } = await givenGuardedPlan();
    await pass(10);
    expect((await safeguardsOf(server(), params))[0].status).toMatchObject({ state: 'no-data', value: null });
    expect((await planOf(server(), params)).progress.state).toBe('running');
  });

  it('counts only what was reported since the milestone started', async () => {
    const name = metricNamed('failed');
    startMinute(server());
    await errors(name, 100, 3);
    const { params } = await givenPlan(server(), [rolloutTo(10, 30), rolloutTo(100)]);
    await setSafeguard(server(), params, moreThan(10, `unleash_counter_${name}`));
    await errors(name, 1, 3);
    expect((await planOf(server(), params)).progress.state).toBe('running');
  });

  it('counts only what was reported since a hold ended, after which the milestone starts anew', async () => {
    const { name, params } = await givenGuardedPlan();
    const hold = await givenHold(server(), params);
    await errors(name, 9);
    await releaseHold(server(), params, hold.id);
    await errors(name, 1);
    await errors(name, 4, 2);
    expect((await safeguardsOf(server(), params))[0].status).toMatchObject({ state: 'within', value: 8 });
    expect((await planOf(server(), params)).progress.state).toBe('running');
  });

  it('reads a share, such as errors by requests', async () => {
    const { name, params } = await givenGuardedPlan(1000);
    const requests = { metricName: `unleash_counter_${name}_requests`, labelSelectors: {} };
    await errors(name, 1);
    const body = moreThan(0.05, `unleash_counter_${name}`, { dividedBy: requests });
    await setSafeguard(server(), params, body);
    await errors(name, 2, 2);
    const status = async () => (await safeguardsOf(server(), params))[1].status;
    expect(await status()).toMatchObject({ state: 'within' });
    await errors(name, 20, 3);
    expect(await status()).toMatchObject({ state: 'triggered' });
    expect((await status()).value).toBeGreaterThan(0.05);
    expect((await status()).value).toBeLessThan(0.2);
  });

  it('takes a quotient beyond the range of numbers for no data', async () => {
    const { params } = await givenGuardedPlan();
    const [big, tiny] = [metricNamed('big'), metricNamed('tiny')];
    const report = async () => {
      const metrics = [
        { name: big, samples: [{ value: 1e100 }] },
        { name: tiny, samples: [{ value: 5e-324 }] },
      ];
      await reportMetrics(server(), metrics, 'development');
      await pass(1);
    };
    await report();
    const dividedBy = { metricName: `unleash_counter_${tiny}`, labelSelectors: {} };
    await setSafeguard(server(), params, moreThan(1, `unleash_counter_${big}`, { dividedBy }));
    for (let minute = 0; minute < 3; minute++) await report();
    const all = await safeguardsOf(server(), params);
    const { status } = all.find((guard: Guard) => guard.impactMetric.metricName === `unleash_counter_${big}`);
    expect(status).toMatchObject({ state: 'no-data', lookedAt: expect.any(String) });
    const path = 'GET /api/admin/projects/:projectId/features/:featureName';
    expect((await server().admin.call(path, { params })).status).toBe(200);
  });

  it('ends with its plan', async () => {
    const { params } = await givenGuardedPlan();
    const remove =
      'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId';
    expect((await server().admin.call(remove, { params })).status).toBe(200);
    expect(await safeguardsOf(server(), params)).toEqual([]);
  });
});

describe('a safeguard of a flag', () => {
  it('switches the flag off, and leaves it on when a person switches it on again', async () => {
    const name = metricNamed('failed');
    startMinute(server());
    await errors(name, 0);
    const params = await givenEnabled(server());
    await setSafeguard(server(), params, moreThan(10, `unleash_counter_${name}`));
    await errors(name, 20, 2);
    expect(await servedPercentages(server(), params)).toBeUndefined();
    expect(await newestEvent('feature-environment-disabled', params)).toMatchObject({ environment: 'development' });
    await switchFlag(server(), params, 'on');
    await errors(name, 20, 2);
    expect(await servedPercentages(server(), params)).toBeDefined();
  });

  it('says that it is crossed while the flag is off, and switches it off when it is switched on', async () => {
    const name = metricNamed('failed');
    startMinute(server());
    await errors(name, 0);
    const params = await givenEnabled(server());
    const switched = (state: 'on' | 'off') =>
      server().admin.call(
        `POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/${state}`,
        { params },
      );
    await switched('off');
    await setSafeguard(server(), params, moreThan(10, `unleash_counter_${name}`));
    await errors(name, 20, 2);
    expect((await safeguardsOf(server(), params))[0].status).toMatchObject({ state: 'crossed' });
    await switched('on');
    await errors(name, 20);
    expect(await servedPercentages(server(), params)).toBeUndefined();
  });

  it('switches off no flag on which a person overrides automation, until the override ends', async () => {
    const name = metricNamed('failed');
    startMinute(server());
    await errors(name, 0);
    const params = await givenEnabled(server());
    await setSafeguard(server(), params, moreThan(10, `unleash_counter_${name}`));
    const override =
      '/api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override' as const;
    await server().admin.call(`PUT ${override}`, { params, body: { reason: 'The metric is wrong' } });
    await errors(name, 20, 2);
    expect(await servedPercentages(server(), params)).toBeDefined();
    expect((await safeguardsOf(server(), params))[0].status).toMatchObject({ state: 'crossed' });
    await server().admin.call(`DELETE ${override}`, { params });
    await errors(name, 20);
    expect(await servedPercentages(server(), params)).toBeUndefined();
  });
});
