import { describe, expect, it } from 'vitest';
import { givenEnabled, givenProject } from '#testing/flags.ts';
import { startMinute } from '#testing/impact-metrics.ts';
import { answerValue, passQuerying, startFakePrometheus } from '#testing/prometheus.ts';
import { givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const prometheus = await startFakePrometheus();
const server = useServer({ prometheusUrl: `http://${prometheus.host}`, allowPrivateIntegrationUrls: true });

const metricName = 'http_errors_total';
const metric = {
  impactMetric: {
    ...{ metricName, aggregationMode: 'count', timeRange: 'hour', minutes: 5 },
    ...{ labelSelectors: {}, source: 'external' },
  },
  condition: { operator: '<', threshold: 5 },
};

async function givenGated() {
  startMinute(server());
  const milestones = [{ ...rolloutTo(10), transitionCondition: { intervalMinutes: 10, metric } }, rolloutTo(100)];
  const { params } = await givenPlan(server(), milestones, await givenEnabled(server(), await givenProject(server())));
  await passQuerying(server(), 9);
  return params;
}

describe('the metric of a milestone, at a Prometheus server', () => {
  it('keeps the gate closed while it is beyond the threshold, and its value is in the event of the next', async () => {
    const params = await givenGated();
    prometheus.answer((response) => answerValue(response, 7));
    await passQuerying(server(), 2);
    const text = `${metricName} (count, external) is 7, not below 5`;
    expect((await planOf(server(), params)).progress).toMatchObject({
      state: 'gated',
      waitsFor: [{ gate: 'metric', text }],
    });
    const before = await lastEventId(server());
    prometheus.answer((response) => answerValue(response, 2));
    await passQuerying(server(), 2);
    const [started] = await eventsAfter(server(), before);
    const gates = [{ gate: 'metric', text: `${metricName} (count, external) is 2, below 5` }];
    expect(started).toMatchObject({ type: 'release-plan-milestone-started', data: { trigger: 'time', gates } });
  });

  it('opens nothing while the server gives no answer, and the plan says why', async () => {
    const params = await givenGated();
    const waitsFor = async () => (await planOf(server(), params)).progress.waitsFor;
    prometheus.answer(() => undefined);
    await passQuerying(server(), 2);
    expect(await waitsFor()).toEqual([
      {
        gate: 'metric',
        text: `No data of ${metricName} (count, external): The Prometheus server did not answer in 5 s`,
      },
    ]);
    prometheus.answer((response) => void response.end('hello'));
    await passQuerying(server(), 2);
    expect((await waitsFor())[0].text).toMatch(/: The server did not answer as a Prometheus server does$/);
    expect((await planOf(server(), params)).progress.state).toBe('gated');
  });

  it('is asked once in a minute for plans that started together', async () => {
    startMinute(server());
    const project = await givenProject(server());
    const milestones = [{ ...rolloutTo(10), transitionCondition: { intervalMinutes: 2, metric } }, rolloutTo(100)];
    for (let n = 0; n < 4; n++) await givenPlan(server(), milestones, await givenEnabled(server(), project));
    prometheus.answer((response) => answerValue(response, 9));
    prometheus.queries.splice(0);
    await passQuerying(server(), 4);
    const times = prometheus.queries.map(({ form }) => `${form['time']} ${form['query']}`);
    expect(times.length).toBeGreaterThanOrEqual(2);
    expect(new Set(times).size).toBe(times.length);
  });
});
