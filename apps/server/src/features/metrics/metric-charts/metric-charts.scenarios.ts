import { expect } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { refused, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';

const ofFlag = '/api/admin/projects/:projectId/features/:featureName/impact-metrics/config' as const;
const ofInstance = '/api/admin/impact-metrics/config' as const;

const errors = {
  metricName: 'unleash_counter_errors_total',
  timeRange: 'hour',
  aggregationMode: 'rps',
  labelSelectors: { environment: ['production'] },
  yAxisMin: 'zero',
} as const;

async function givenChart(server: TestServer, body: Record<string, unknown> = {}) {
  const params = await givenFlag(server);
  const { json } = await server.admin.call(`POST ${ofFlag}`, { params, body: { ...errors, ...body } });
  return { ...params, id: json.id };
}

async function givenInstanceChart(server: TestServer) {
  const { json } = await server.admin.call(`POST ${ofInstance}`, { body: errors });
  return { id: json.id };
}

export const metricChartScenarios: readonly Scenario[] = [
  {
    route: `POST ${ofFlag}`,
    name: 'adds a chart of a metric that is not reported yet',
    as: 'editor',
    given: async (server) => ({ params: await givenFlag(server), body: { ...errors, groupBy: 'new-checkout' } }),
    answer: {
      ...errors,
      title: '',
      source: 'internal',
      groupBy: 'new-checkout',
      type: 'counter',
      displayName: 'errors_total',
      step: '1m',
    },
    check: async ({ json }, server) => {
      const [event] = (await server.admin.call('GET /api/admin/events', { query: { limit: '1' } })).json.events;
      const flag = { projectId: event.project, featureName: event.featureName };
      expect((await server.admin.call(`GET ${ofFlag}`, { params: flag })).json.configs).toEqual([json]);
    },
    events: [{ type: 'impact-metric-created', project: 'default', data: { ...errors, groupBy: 'new-checkout' } }],
  },
  {
    route: `POST ${ofFlag}`,
    name: 'changes the chart with the id',
    as: 'editor',
    given: async (server) => {
      const { id, ...params } = await givenChart(server);
      return { params, body: { ...errors, id, title: ' Errors ', timeRange: 'day' } };
    },
    answer: { title: 'Errors', step: '15m' },
    events: [
      { type: 'impact-metric-updated', preData: errors, data: { ...errors, title: 'Errors', timeRange: 'day' } },
    ],
  },
  {
    route: `POST ${ofFlag}`,
    name: 'records no event when nothing changes',
    given: async (server) => {
      const { id, ...params } = await givenChart(server);
      return { params, body: { ...errors, id } };
    },
  },
  ...refused(`POST ${ofFlag}`, 404, {
    'answers 404 for a chart of another flag': async (server) => ({
      params: await givenFlag(server),
      body: { ...errors, id: (await givenChart(server)).id },
    }),
  }),
  ...refused(`POST ${ofFlag}`, 400, {
    'answers 400 when the aggregation does not fit the type of the metric': async (server) => ({
      params: await givenFlag(server),
      body: { ...errors, aggregationMode: 'p95' },
    }),
    'answers 400 for a metric of a Prometheus server when none is set': async (server) => ({
      params: await givenFlag(server),
      body: { ...errors, source: 'external' },
    }),
    'rejects a twenty-first chart': async (server) => {
      const params = await givenFlag(server);
      for (let n = 0; n < 20; n++) await server.admin.call(`POST ${ofFlag}`, { params, body: errors });
      return { params, body: errors };
    },
  }),
  {
    route: `GET ${ofFlag}`,
    name: 'lists the charts of a flag, oldest first',
    as: 'viewer',
    given: async (server) => ({ params: await givenChart(server, { title: 'First' }) }),
    answer: { configs: [{ title: 'First' }] },
  },
  {
    route: `DELETE ${ofFlag}/:id`,
    name: 'deletes a chart',
    as: 'editor',
    given: async (server) => ({ params: await givenChart(server) }),
    events: [{ type: 'impact-metric-deleted', preData: errors, data: null }],
  },
  ...refused(`DELETE ${ofFlag}/:id`, 404, {
    'answers 404 for a chart of another flag': async (server) => ({
      params: { ...(await givenChart(server)), ...(await givenFlag(server)) },
    }),
  }),
  {
    route: `POST ${ofInstance}`,
    name: 'adds a chart of the instance',
    call: { body: { ...errors, title: 'Errors of all flags' } },
    answer: { title: 'Errors of all flags' },
    events: [{ type: 'impact-metric-created', project: null, data: { title: 'Errors of all flags' } }],
  },
  {
    route: `POST ${ofInstance}`,
    name: 'changes the chart with the id',
    given: async (server) => ({ body: { ...errors, ...(await givenInstanceChart(server)), title: 'Errors' } }),
    events: [{ type: 'impact-metric-updated', project: null, preData: { title: '' }, data: { title: 'Errors' } }],
  },
  ...refused(`POST ${ofInstance}`, 404, {
    'answers 404 for a chart of a flag': async (server) => ({ body: { ...errors, id: (await givenChart(server)).id } }),
  }),
  {
    route: `GET ${ofInstance}`,
    name: 'lists the charts of the instance, without those of flags',
    as: 'viewer',
    given: async (server) => {
      await givenChart(server, { title: 'of a flag' });
      await givenInstanceChart(server);
      return {};
    },
    check: ({ json }) => {
      const titles = json.configs.map(({ title }: { title: string }) => title);
      expect(titles).toContain('');
      expect(titles).not.toContain('of a flag');
    },
  },
  {
    route: `DELETE ${ofInstance}/:id`,
    name: 'deletes a chart of the instance',
    given: async (server) => ({ params: await givenInstanceChart(server) }),
    events: [{ type: 'impact-metric-deleted', preData: errors, data: null }],
  },
];
