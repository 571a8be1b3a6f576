import { expect } from 'vitest';
import { metricNamed, reportMetrics } from '#testing/impact-metrics.ts';
import { refused, type Scenario } from '#testing/scenario.ts';

const list = 'GET /api/admin/impact-metrics';

/** Reports a counter with 12 in this minute, and waits until the minute is over. */
async function givenCounter(server: Parameters<NonNullable<Scenario['given']>>[0]): Promise<string> {
  const name = metricNamed('requests_total');
  await reportMetrics(server, [{ name, samples: [{ value: 12, labels: { flag: 'enabled' } }] }]);
  server.clock.advance(60_000);
  return `unleash_counter_${name}`;
}

export const impactMetricScenarios: readonly Scenario[] = [
  {
    route: list,
    name: 'returns the values of each step, and the labels of the metric',
    given: async (server) => ({
      query: { metricName: await givenCounter(server), range: 'hour', aggregationMode: 'rps' },
    }),
    as: 'viewer',
    answer: {
      step: '60',
      series: [{ metric: {}, data: [[expect.any(Number), 0.2]] }],
      labels: { appName: ['shop'], environment: ['production'], flag: ['enabled'], origin: ['sdk'] },
    },
  },
  ...refused(list, 404, {
    'answers 404 when no SDK has reported the metric': {
      query: { metricName: 'unleash_counter_nothing', range: 'hour', aggregationMode: 'rps' },
    },
  }),
  {
    route: 'GET /api/admin/impact-metrics/names',
    name: 'lists the metrics with their types and labels',
    given: async (server) => {
      await givenCounter(server);
      return {};
    },
    as: 'viewer',
    check: ({ json }) => {
      const labels = { appName: ['shop'], environment: ['production'], flag: ['enabled'], origin: ['sdk'] };
      const aggregationModes = ['count', 'rps', 'sum'];
      const metricName = expect.stringMatching(/^unleash_counter_requests_total_/);
      expect(json.metrics).toContainEqual({
        metricName,
        type: 'counter',
        help: expect.any(String),
        aggregationModes,
        labels,
      });
    },
  },
  ...refused(list, 400, {
    'answers 400 when the aggregation does not fit the type of the metric': async (server) => ({
      query: { metricName: await givenCounter(server), range: 'hour', aggregationMode: 'p95' },
    }),
    'answers 400 when the labels are not JSON': async (server) => ({
      query: { metricName: await givenCounter(server), range: 'hour', aggregationMode: 'rps', labels: '{environment' },
    }),
    'answers 400 for the Prometheus server while none is set': {
      query: { metricName: 'up', range: 'hour', aggregationMode: 'avg', source: 'external' },
    },
  }),
  {
    route: 'GET /api/admin/impact-metrics/external-source',
    name: 'shows that no Prometheus server is set',
    answer: { enabled: false, url: '' },
  },
  {
    route: 'POST /api/admin/impact-metrics/external-source/validate',
    name: 'says why the Prometheus server gave no names',
    answer: { error: expect.stringContaining('no Prometheus server is set') },
  },
  {
    route: 'GET /internal-backstage/impact/metrics',
    name: 'returns the metrics as text, to callers with a token',
    given: async (server) => {
      await givenCounter(server);
      return {};
    },
    as: 'viewer',
    check: ({ text }) =>
      expect(text).toMatch(/^unleash_counter_requests_total_\w+\{.*environment="production".*\} 12$/m),
  },
];
