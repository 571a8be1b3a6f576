import { describe, expect, it } from 'vitest';
import type { FlagEnvironmentParams } from '#testing/flags.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, planOf, rolloutTo, servedPercentages } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const pass = async (minutes: number) => {
  for (let minute = 0; minute < minutes; minute++) await passMinutes(server(), 1);
};
const served = (params: FlagEnvironmentParams) => servedPercentages(server(), params);
const progressOf = async (params: FlagEnvironmentParams) => (await planOf(server(), params)).progress;

/** Starts a plan with steps of a minute, which a safeguard guards, and returns how to report its metric. */
async function given(more: object = {}) {
  const name = metricNamed('failed');
  startMinute(server());
  const { params } = await givenPlan(server(), [rolloutTo(1, 1), rolloutTo(10, 1), rolloutTo(100)]);
  const metric = `unleash_counter_${name}`;
  await setSafeguard(server(), params, { ...moreThan(10, metric), ...more });
  const report = async (value: number) => {
    await reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
    await pass(1);
  };
  return { params, metric, report };
}

describe('a plan with a safeguard', () => {
  it('waits for a first value of a metric that nothing has reported yet, and then goes on', async () => {
    const { params, metric, report } = await given();
    await pass(60);
    const text = `Waits for a first value of ${metric} (count)`;
    expect(await progressOf(params)).toMatchObject({ state: 'gated', waitsFor: [{ gate: 'safeguard', text }] });
    expect(await served(params)).toEqual(['1']);
    expect((await safeguardsOf(server(), params))[0].status.state).toBe('no-data');
    await report(0);
    await pass(2);
    expect(await served(params)).toEqual(['10']);
  });

  it('waits at each milestone for a value that was taken wholly since the milestone started', async () => {
    const { params, report } = await given();
    for (let minute = 0; minute < 3; minute++) await report(0);
    expect(await served(params)).toEqual(['10']);
    // The value of the milestone before says nothing about this one.
    await pass(30);
    expect([await served(params), (await progressOf(params)).state]).toEqual([['10'], 'gated']);
    await report(0);
    await pass(2);
    expect(await served(params)).toEqual(['100']);
  });

  it('waits while the value is beyond the threshold, also after a person has resumed it', async () => {
    const { params, metric, report } = await given();
    for (let minute = 0; minute < 2; minute++) await report(20);
    expect((await progressOf(params)).state).toBe('paused');
    const resume =
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/resume';
    await server().admin.call(resume, { params });
    await report(20);
    await report(20);
    const text = expect.stringMatching(`^Safeguard: ${metric} \\(count\\) is \\d+, above 10$`);
    expect(await progressOf(params)).toMatchObject({ state: 'gated', waitsFor: [{ gate: 'safeguard', text }] });
    for (let minute = 0; minute < 8; minute++) await report(0);
    expect(await served(params)).not.toEqual(['1']);
  });

  it('records the value of the safeguard with the milestone that started', async () => {
    const { metric, report } = await given();
    const before = await lastEventId(server());
    for (let minute = 0; minute < 3; minute++) await report(4);
    const started = (await eventsAfter(server(), before)).find(({ type }) => type === 'release-plan-milestone-started');
    const text = expect.stringMatching(`^Safeguard: ${metric} \\(count\\) is \\d+, not above 10$`);
    expect(started?.data).toMatchObject({ trigger: 'time', gates: [{ gate: 'safeguard', text }] });
  });
});

describe('a step that is shorter than a safeguard needs for a first value', () => {
  const at = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
  const text = (names: string) =>
    `Shorter than a safeguard needs: ${names}. The next milestone also waits for a first value of each safeguard, which takes about 2 minutes.`;

  it('is named in a warning when the safeguard is set, and when the gates are', async () => {
    const { params } = await givenPlan(server(), [
      rolloutTo(1, 1),
      rolloutTo(10, 60),
      rolloutTo(50, 1),
      rolloutTo(100),
    ]);
    const name = metricNamed('failed');
    await reportMetrics(server(), [{ name, samples: [{ value: 0 }] }], 'development');
    const [one, ten] = (await planOf(server(), params)).milestones;
    const setGates = async (id: string, intervalMinutes: number) => {
      const body = { transitionCondition: { intervalMinutes } };
      const answer = await server().admin.call(`PUT ${at}/progressions/:id`, { params: { ...params, id }, body });
      return [answer.status, answer.headers.get('x-warning')];
    };
    expect(await setGates(ten.id, 1)).toEqual([200, null]);
    expect(await setGates(ten.id, 60)).toEqual([200, null]);
    const guard = { params, body: moreThan(10, `unleash_counter_${name}`) };
    const set = await server().admin.call(`PUT ${at}/release-plans/:planId/safeguards`, guard);
    expect([set.status, set.headers.get('x-warning')]).toEqual([204, text(`${one.name}, 50 %`)]);
    expect(await setGates(ten.id, 1)).toEqual([200, text(ten.name)]);
    expect(await setGates(ten.id, 2)).toEqual([200, null]);
  });
});
