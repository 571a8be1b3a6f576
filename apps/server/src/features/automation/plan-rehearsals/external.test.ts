import { beforeEach, describe, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenEnabled, givenProject } from '#testing/flags.ts';
import { startMinute } from '#testing/impact-metrics.ts';
import { answerByTime, passQuerying, startFakePrometheus } from '#testing/prometheus.ts';
import { givenPlan, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const prometheus = await startFakePrometheus();
const server = useServer({ prometheusUrl: `http://${prometheus.host}`, allowPrivateIntegrationUrls: true });
const without = useServer();
const route =
  'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/rehearse' as const;

const errors = { source: 'external', labelSelectors: {} };
const { impactMetric } = moreThan(5, 'http_errors_total', errors);
const metric = { impactMetric, condition: { operator: '<', threshold: 5 } };
const gated = { ...rolloutTo(10), transitionCondition: { intervalMinutes: 10, metric } };
const milestones = [gated, rolloutTo(50, 10), rolloutTo(100)];
const minuteMs = 60_000;

interface Step {
  readonly at: string;
  readonly step: string;
  readonly milestone: string;
  readonly text: string;
}

async function rehearse({ projectId, featureName, environment }: FlagEnvironmentParams, body: object) {
  const params = { projectId, featureName, environment };
  const { status, json } = await server().admin.call(route, { params, body: { hours: 1, ...body } });
  expect(status).toBe(200);
  const { state, milestone, waitsFor } = json;
  const steps: readonly Step[] = json.steps;
  return { state, milestone, waitsFor, steps, words: steps.map(({ step, milestone }) => `${milestone} ${step}`) };
}

async function givenFlag() {
  return givenEnabled(server(), await givenProject(server()));
}

/** Returns the range queries that the server received. */
function ranges() {
  return prometheus.queries.filter(({ path }) => path === '/api/v1/query_range').map(({ form }) => form);
}

beforeEach(() => {
  startMinute(server());
  prometheus.queries.splice(0);
});

describe('the rehearsal of a plan that reads a Prometheus server', () => {
  it('says what the plan did on the same metrics, and sends each query once', async () => {
    const begins = server().clock.now();
    // The errors of minute 5 to 14 are beyond the threshold.
    const valueAt = (at: number) => (at > begins + 5 * minuteMs && at <= begins + 15 * minuteMs ? 7 : 2);
    prometheus.answer((response, { path, form }) => answerByTime(response, { path, form }, valueAt));
    const before = await lastEventId(server());
    const { params } = await givenPlan(server(), milestones, await givenFlag());
    await passQuerying(server(), 60);
    const { json } = await server().admin.call('GET /api/admin/events', { query: { after: before, limit: 1000 } });
    const events: { readonly type: string; readonly createdAt: string }[] = json.events;
    const starts = events.filter(({ type }) => type === 'release-plan-milestone-started').slice(-2);
    prometheus.queries.splice(0);
    const { words, steps, state } = await rehearse(params, { milestones });
    expect(words).toEqual(['10 % started', '10 % gated', '50 % started', '100 % started']);
    expect(state).toBe('completed');
    expect(steps[1]?.text).toBe('http_errors_total (count, external) is 7, not below 5.');
    expect(steps[2]?.text).toBe('http_errors_total (count, external) is 2, below 5.');
    const rehearsed = steps.filter(({ step }) => step === 'started').slice(1);
    // The jobs of this test run once a minute, so the plan may act up to a minute later than the rehearsal.
    const late = rehearsed.map(({ at }, index) => Date.parse(starts[index]?.createdAt ?? '') - Date.parse(at));
    expect(late.every((ms) => Math.abs(ms) <= minuteMs)).toBe(true);
    expect(ranges()).toMatchObject([{ query: 'sum(increase(http_errors_total[300s]))', step: '60' }]);
  });

  it('pauses when a safeguard is crossed, which reads no time before the milestone', async () => {
    const { params } = await givenPlan(
      server(),
      [rolloutTo(10, 20), rolloutTo(50, 60), rolloutTo(100)],
      await givenFlag(),
    );
    await setSafeguard(server(), params, moreThan(10, 'http_errors_total', { ...errors, minutes: 30 }));
    const from = server().clock.now();
    server().clock.advance(60 * minuteMs);
    prometheus.queries.splice(0);
    prometheus.answer((response, query) => answerByTime(response, query, (at) => (at > from + 40 * minuteMs ? 12 : 1)));
    const { state, milestone, steps } = await rehearse(params, { planId: params.planId });
    expect({ state, milestone }).toEqual({ state: 'paused', milestone: '50 %' });
    expect(steps.at(-1)).toMatchObject({
      step: 'paused',
      text: 'Safeguard: http_errors_total (count, external) is 12, above 10.',
    });
    const lengths = ranges().map(({ query }) => Number(/\[(\d+)s\]/.exec(query ?? '')?.[1]) / 60);
    expect(lengths).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20]);
  });

  it('takes no errors as a share of 0, as the plan does', async () => {
    const params = await givenFlag();
    server().clock.advance(60 * minuteMs);
    const dividedBy = { metricName: 'http_requests_total', labelSelectors: {} };
    const share = { impactMetric: { ...impactMetric, dividedBy }, condition: { operator: '<', threshold: 0.1 } };
    const transitionCondition = { intervalMinutes: 10, metric: share };
    prometheus.answer((response, query) =>
      answerByTime(response, query, () => (query.form['query']?.includes('requests') === true ? 8 : undefined)),
    );
    const { steps } = await rehearse(params, {
      milestones: [{ ...rolloutTo(10), transitionCondition }, rolloutTo(100)],
    });
    expect(steps.at(-1)?.text).toBe('http_errors_total / http_requests_total (count, external) is 0, below 0.1.');
  });

  it.each([
    [undefined, 'The Prometheus server has no values of it in this time'],
    ['NaN', 'Its value at the Prometheus server is not a number'],
  ])('keeps a gate closed when the value is %s, and says so', async (value, reason) => {
    prometheus.answer((response, query) => answerByTime(response, query, () => value));
    const { words, waitsFor } = await rehearse(await givenFlag(), { milestones });
    expect(words).toEqual(['10 % started', '10 % gated']);
    expect(waitsFor).toEqual([{ gate: 'metric', text: `No data of http_errors_total (count, external): ${reason}` }]);
  });

  it('says that queries failed, and does not send them again', async () => {
    const { params } = await givenPlan(server(), milestones, await givenFlag());
    await setSafeguard(server(), params, moreThan(10, 'http_failing_total', { ...errors, minutes: 1 }));
    prometheus.answer((response) => void response.writeHead(503).end('no'));
    const { steps } = await rehearse(params, { planId: params.planId });
    const failed = 'The Prometheus server answered 503.';
    expect(steps.map(({ step, text }) => [step, text])).toEqual([
      ['started', 'The plan starts.'],
      ['no-data', `Safeguard: No data of http_failing_total (count, external): ${failed}`],
      [
        'gated',
        `No data of http_errors_total (count, external): ${failed} Waits for a first value of http_failing_total (count, external): ${failed}`,
      ],
    ]);
    expect(ranges()).toHaveLength(2);
  });

  it('sends 100 queries at most', async () => {
    const { params } = await givenPlan(server(), [rolloutTo(10)], await givenFlag());
    for (let each = 0; each < 8; each++)
      await setSafeguard(server(), params, moreThan(10, `http_${each}_total`, { ...errors, minutes: 50 }));
    prometheus.answer((response, query) => answerByTime(response, query, () => 1));
    const { steps } = await rehearse(params, { planId: params.planId });
    expect(ranges()).toHaveLength(100);
    const limit = 'The rehearsal has sent 100 queries to the Prometheus server, which is the limit.';
    expect(steps.map(({ text }) => text)).toContain(`Safeguard: No data of http_7_total (count, external): ${limit}`);
  });

  it('says that no server is set', async () => {
    const params = await givenEnabled(without());
    const { json } = await without().admin.call(route, { params, body: { milestones, hours: 1 } });
    expect(json.waitsFor[0].text).toMatch(/: No Prometheus server is set$/);
  });
});
