import { describe, expect, it } from 'vitest';
import { givenEnabled } from '#testing/flags.ts';
import { givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';

const server = useServer();
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const { impactMetric } = moreThan(10, 'http_errors_total', { source: 'external' });
const metric = { impactMetric, condition: { operator: '<', threshold: 5 } };
const milestones = [{ ...rolloutTo(10), transitionCondition: { intervalMinutes: 1, metric } }, rolloutTo(100)];

describe('an external query, while no Prometheus server is set,', () => {
  it('is refused in a safeguard', async () => {
    const { status, json } = await server().admin.call(`PUT ${environment}/safeguards`, {
      params: await givenEnabled(server()),
      body: moreThan(10, 'http_errors_total', { source: 'external' }),
    });
    expect(status).toBe(400);
    const message = 'impactMetric.source must be internal: no Prometheus server is set (YARDARM_PROMETHEUS_URL)';
    expect(json.details).toEqual([{ path: 'impactMetric.source', message }]);
  });

  it('is refused in a plan and a template', async () => {
    const path = 'milestones.0.transitionCondition.metric.impactMetric.source';
    const params = await givenEnabled(server());
    const plan = await server().admin.call(`POST ${environment}/release-plans`, { params, body: { milestones } });
    expect(plan).toMatchObject({ status: 400, json: { details: [{ path }] } });
    const template = await server().admin.call('POST /api/admin/release-plan-templates', {
      body: { name: 'External', milestones },
    });
    expect(template).toMatchObject({ status: 400, json: { details: [{ path }] } });
  });

  it('is refused in the gates of a milestone', async () => {
    const { params } = await givenPlan(server(), [rolloutTo(10), rolloutTo(100)]);
    const [{ id }] = (await planOf(server(), params)).milestones;
    const { status, json } = await server().admin.call(`PUT ${environment}/progressions/:id`, {
      params: { ...params, id },
      body: { transitionCondition: { intervalMinutes: 1, metric } },
    });
    expect({ status, path: json.details?.[0].path }).toEqual({
      status: 400,
      path: 'transitionCondition.metric.impactMetric.source',
    });
  });

  it('is refused in a chart', async () => {
    const query = { metricName: 'http_errors_total', range: 'hour', aggregationMode: 'count', source: 'external' };
    const { status, json } = await server().admin.call('GET /api/admin/impact-metrics', { query });
    expect({ status, path: json.details?.[0].path }).toEqual({ status: 400, path: 'source' });
  });
});
