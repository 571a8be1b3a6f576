import { describe, expect, it } from 'vitest';
import { freshName, givenEnabled, givenProject } from '#testing/flags.ts';
import { errorsBelow, reportErrors, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, planOf, rolloutTo } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';

import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

const pass = (minutes: number) => passMinutes(server(), minutes);

async function givenGated() {
  const condition = { intervalMinutes: 60, metric: errorsBelow(5) };
  const milestones = [{ ...rolloutTo(10), transitionCondition: condition }, rolloutTo(100)];
  return givenPlan(server(), milestones, await givenEnabled(server(), await givenProject(server())));
}

describe('the metric of a milestone', () => {
  it('keeps the gate closed while it is beyond the threshold, and its value is in the event of the next', async () => {
    startMinute(server());
    await reportErrors(server(), 0);
    const { params } = await givenGated();
    await pass(60);
    await reportErrors(server(), 7);
    await pass(2);
    const text = 'unleash_counter_gate_errors (count) is 7, not below 5';
    expect((await planOf(server(), params)).progress).toMatchObject({
      state: 'gated',
      waitsFor: [{ gate: 'metric', text }],
    });
    await pass(4);
    await reportErrors(server(), 2);
    const before = await lastEventId(server());
    await pass(2);
    const [started] = await eventsAfter(server(), before);
    const gates = [{ gate: 'metric', text: 'unleash_counter_gate_errors (count) is 2, below 5' }];
    expect(started).toMatchObject({ type: 'release-plan-milestone-started', data: { trigger: 'time', gates } });
  });

  it('may be one that no SDK has reported yet, but has the name of an impact metric', async () => {
    const flag = await givenEnabled(server(), await givenProject(server()));
    const { impactMetric, condition } = errorsBelow(5);
    const metric = { impactMetric: { ...impactMetric, metricName: 'errors_total' }, condition };
    const milestones = [{ ...rolloutTo(10), transitionCondition: { intervalMinutes: 1, metric } }, rolloutTo(100)];
    const { status, json } = await server().admin.call(`POST ${environment}/release-plans`, {
      params: flag,
      body: { milestones },
    });
    expect(status).toBe(400);
    expect(json.details[0].path).toBe('milestones.0.transitionCondition.metric.impactMetric.metricName');
  });

  it('of a template is read in the environment of the plan, unless its labels name one', async () => {
    await reportErrors(server(), 0);
    const { condition, impactMetric } = errorsBelow(5);
    const gated = (labelSelectors: object) => ({
      ...rolloutTo(10),
      transitionCondition: {
        intervalMinutes: 60,
        metric: { condition, impactMetric: { ...impactMetric, labelSelectors, dividedBy } },
      },
    });
    const dividedBy = { metricName: impactMetric.metricName, labelSelectors: { appName: ['shop'] } };
    const milestones = [gated({}), gated({ environment: ['production'] }), rolloutTo(100)];
    const body = { name: freshName('template'), milestones };
    const { json: template } = await server().admin.call('POST /api/admin/release-plan-templates', { body });
    const params = await givenEnabled(server(), await givenProject(server()));
    const made = await server().admin.call(`POST ${environment}/release-plans`, {
      params,
      body: { templateId: template.id },
    });
    const metrics = made.json.milestones.map(
      ({ transitionCondition }: { transitionCondition: { metric?: object } | null }) => transitionCondition?.metric,
    );
    const own = { appName: ['shop'], environment: ['development'] };
    expect(metrics).toMatchObject([
      { impactMetric: { labelSelectors: { environment: ['development'] }, dividedBy: { labelSelectors: own } } },
      { impactMetric: { labelSelectors: { environment: ['production'] } } },
      undefined,
    ]);
  });
});
