import { describe, expect, it } from 'vitest';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { metricChartScenarios } from './metric-charts.scenarios.ts';

const server = useServer();
const route = '/api/admin/projects/:projectId/features/:featureName/impact-metrics/config' as const;

describe('routes of charts of impact metrics', () => testScenarios(server, metricChartScenarios));

describe('a chart of a flag', () => {
  const body = {
    metricName: 'unleash_histogram_latency',
    timeRange: 'hour',
    aggregationMode: 'p95',
    labelSelectors: {},
    yAxisMin: 'auto',
  };

  it('moves with its flag to another project, and ends with the flag', async () => {
    const flag = await givenFlag(server(), {}, await givenProject(server()));
    const { json: chart } = await server().admin.call(`POST ${route}`, { params: flag, body });
    const newProjectId = await givenProject(server());
    const moved = { ...flag, projectId: newProjectId };
    await server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/changeProject', {
      params: flag,
      body: { newProjectId },
    });
    const { json } = await server().admin.call(`GET ${route}`, { params: moved });
    expect(json.configs).toEqual([chart]);
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: moved });
    await server().admin.call('POST /api/admin/projects/:projectId/delete', {
      params: moved,
      body: { features: [flag.featureName] },
    });
    const again = await givenFlag(server(), { name: flag.featureName }, newProjectId);
    expect((await server().admin.call(`GET ${route}`, { params: again })).json.configs).toEqual([]);
  });
});
