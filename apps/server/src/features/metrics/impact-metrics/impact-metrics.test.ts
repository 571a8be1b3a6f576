import { once } from 'node:events';
import { Unleash, UnleashEvents } from 'unleash-client';
import { describe, expect, it } from 'vitest';
import { givenProject } from '#testing/flags.ts';
import { metricNamed, type ReportedMetric, reportMetrics } from '#testing/impact-metrics.ts';
import { testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';
import { impactMetricScenarios } from './impact-metrics.scenarios.ts';

const minuteMs = 60_000;
const buckets = [
  { le: 0.1, count: 50 },
  { le: 0.5, count: 90 },
  { le: '+Inf', count: 100 },
] as const;

const server = useServer();

/** Reports a metric in one minute, and returns the values of a query for the hour that ends with that minute. */
async function valuesOf(
  metric: Omit<ReportedMetric, 'name'>,
  query: Readonly<Record<string, string>>,
): Promise<{ metric: object; values: number[] }[]> {
  const name = metricNamed('tested');
  await reportMetrics(server(), [{ ...metric, name }]);
  server().clock.advance(minuteMs);
  const { json } = await server().admin.call('GET /api/admin/impact-metrics', {
    query: { metricName: `unleash_${metric.type ?? 'counter'}_${name}`, range: 'hour', ...query },
  });
  const series: { metric: object; data: [number, number][] }[] = json.series;
  return series.map(({ metric: labels, data }) => ({ metric: labels, values: data.map(([, value]) => value) }));
}

describe('routes of impact metrics', () => testScenarios(server, impactMetricScenarios));

describe('an impact metric', () => {
  it.each([
    ['rps', 2],
    ['count', 120],
  ])('that counts is read as %s', async (aggregationMode, value) => {
    const samples = [
      { value: 100, labels: { new_checkout: 'enabled' } },
      { value: 20, labels: { new_checkout: 'disabled' } },
    ];
    expect(await valuesOf({ samples }, { aggregationMode })).toEqual([{ metric: {}, values: [value] }]);
  });

  it.each([
    ['avg', 30],
    ['sum', 60],
  ])('that is a gauge is read as %s', async (aggregationMode, value) => {
    const samples = [
      { value: 20, labels: { pool: 'a' } },
      { value: 40, labels: { pool: 'b' } },
    ];
    expect(await valuesOf({ type: 'gauge', samples }, { aggregationMode })).toEqual([{ metric: {}, values: [value] }]);
  });

  it.each([
    ['p50', 0.1],
    ['p95', 0.5],
    ['avg', 0.2],
    ['count', 100],
    ['sum', 20],
  ])('that is a histogram is read as %s', async (aggregationMode, value) => {
    const samples = [{ count: 100, sum: 20, buckets }];
    expect(await valuesOf({ type: 'histogram', samples }, { aggregationMode })).toEqual([
      { metric: {}, values: [value] },
    ]);
  });

  it('is compared with and without a flag by the label of the flag', async () => {
    const samples = [
      { value: 60, labels: { 'new-checkout': 'enabled' } },
      { value: 600, labels: { 'new-checkout': 'disabled' } },
    ];
    const curves = await valuesOf({ samples }, { aggregationMode: 'rps', groupBy: 'new-checkout' });
    expect(curves).toHaveLength(2);
    expect(curves).toContainEqual({ metric: { new_checkout: 'enabled' }, values: [1] });
    expect(curves).toContainEqual({ metric: { new_checkout: 'disabled' }, values: [10] });
  });

  it('counts only with the labels that are asked for', async () => {
    const samples = [{ value: 6, labels: { path: '/pay' } }, { value: 60 }];
    const labels = JSON.stringify({ path: ['/pay', '/buy'] });
    expect(await valuesOf({ samples }, { aggregationMode: 'count', labels })).toEqual([{ metric: {}, values: [6] }]);
  });

  it('bears the environment of the token, whatever the SDK says', async () => {
    const samples = [{ value: 6, labels: { environment: 'development' } }];
    const labels = JSON.stringify({ environment: ['production'] });
    expect(await valuesOf({ samples }, { aggregationMode: 'count', labels })).toEqual([{ metric: {}, values: [6] }]);
  });

  it('adds up the reports of a minute, and of a gauge keeps the last', async () => {
    const [counter, gauge] = [metricNamed('added'), metricNamed('kept')];
    for (const value of [1, 2, 4]) {
      await reportMetrics(server(), [
        { name: counter, samples: [{ value }] },
        { name: gauge, type: 'gauge', samples: [{ value }] },
      ]);
    }
    const { text } = await server().admin.call('GET /internal-backstage/impact/metrics');
    expect(text).toContain(`unleash_counter_${counter}{appName="shop",environment="production",origin="sdk"} 7\n`);
    expect(text).toContain(`unleash_gauge_${gauge}{appName="shop",environment="production",origin="sdk"} 4\n`);
  });

  it('is read without the minute in progress', async () => {
    const name = metricNamed('tested');
    const report = (value: number) => reportMetrics(server(), [{ name, samples: [{ value }] }]);
    await report(1);
    server().clock.advance(minuteMs);
    await report(10);
    const query = { metricName: `unleash_counter_${name}`, range: 'hour', aggregationMode: 'count' };
    const { json } = await server().admin.call('GET /api/admin/impact-metrics', { query });
    expect(json.series[0].data.map(([, value]: [number, number]) => value)).toEqual([1]);
  });

  it('is exposed as Prometheus reads it, with the buckets of a histogram in order', async () => {
    const name = metricNamed('latency');
    const labels = { path: 'a "quoted" \\ path' };
    await reportMetrics(server(), [{ name, type: 'histogram', samples: [{ count: 100, sum: 20, buckets, labels }] }]);
    const { text } = await server().admin.call('GET /internal-backstage/impact/metrics');
    const full = `unleash_histogram_${name}`;
    const common = 'appName="shop",environment="production",origin="sdk",path="a \\"quoted\\" \\\\ path"';
    const from = text.indexOf(`# HELP ${full}`);
    expect(text.slice(from).split('\n').slice(0, 7)).toEqual([
      `# HELP ${full} help of ${name}`,
      `# TYPE ${full} histogram`,
      `${full}_bucket{${common},le="0.1"} 50`,
      `${full}_bucket{${common},le="0.5"} 90`,
      `${full}_bucket{${common},le="+Inf"} 100`,
      `${full}_sum{${common}} 20`,
      `${full}_count{${common}} 100`,
    ]);
  });

  it('is kept for a day, and its name for a week', async () => {
    const samples = [{ value: 6 }];
    const name = metricNamed('forgotten');
    await reportMetrics(server(), [{ name, samples }]);
    const values = async () => {
      const query = { metricName: `unleash_counter_${name}`, range: 'week', aggregationMode: 'count' };
      const { status, json } = await server().admin.call('GET /api/admin/impact-metrics', { query });
      return status === 200 ? json.series[0].data.length : status;
    };
    server().clock.advance(23 * 60 * minuteMs);
    await server().app.service.jobs.runDue();
    expect(await values()).toBe(1);
    server().clock.advance(2 * 60 * minuteMs);
    await server().app.service.jobs.runDue();
    expect(await values()).toBe(0);
    server().clock.advance(7 * 24 * 60 * minuteMs);
    await server().app.service.jobs.runDue();
    expect(await values()).toBe(404);
  });
});

describe('reports of impact metrics', () => {
  it('beyond the limit of series are dropped and counted, and known series go on', async () => {
    const storage = await createStorage();
    const small = await startServer(storage, { impactMetricSeriesLimit: 2 });
    const report = (name: string) => reportMetrics(small, [{ name, samples: [{ value: 1 }] }]);
    for (const name of ['first', 'second', 'third', 'first']) await report(name);
    const { text } = await small.admin.call('GET /internal-backstage/impact/metrics');
    expect(text.split('\n').filter((line) => line.startsWith('unleash_'))).toEqual([
      'unleash_counter_first{appName="shop",environment="production",origin="sdk"} 2',
      'unleash_counter_second{appName="shop",environment="production",origin="sdk"} 1',
    ]);
    const metrics = await small.anonymous.call('GET /metrics');
    expect(metrics.text).toContain('impact_metric_values_dropped_total 1\n');
    await small.stop();
    await storage.remove();
  });

  it('of more series than a statement writes are all added up, and known when there is room for no other', async () => {
    const storage = await createStorage();
    const small = await startServer(storage, { impactMetricSeriesLimit: 600 });
    const samples = Array.from({ length: 300 }, (_, n) => ({ value: 1, labels: { n: String(n) } }));
    const report = () =>
      reportMetrics(
        small,
        ['one', 'two'].map((name) => ({ name, samples })),
      );
    await report();
    small.clock.advance(minuteMs);
    await report();
    small.clock.advance(minuteMs);
    const { text } = await small.admin.call('GET /internal-backstage/impact/metrics');
    const totals = [...text.matchAll(/^unleash_counter_.* (\d+)$/gm)].map(([, total]) => total);
    expect([totals.length, new Set(totals)]).toEqual([600, new Set(['2'])]);
    for (const name of ['one', 'two']) {
      const query = { metricName: `unleash_counter_${name}`, range: 'hour', aggregationMode: 'count' };
      const { json } = await small.admin.call('GET /api/admin/impact-metrics', { query });
      expect(json.series[0].data.map(([, value]: [number, number]) => value)).toEqual([300, 300]);
    }
    await small.stop();
    await storage.remove();
  });

  it('of one project leave half of the series to others', async () => {
    const storage = await createStorage();
    const small = await startServer(storage, { impactMetricSeriesLimit: 5 });
    const report = async (names: readonly string[], projects: readonly string[]) => {
      const metrics = names.map((name) => ({ name, samples: [{ value: 1 }] }));
      await reportMetrics(small, metrics, 'production', projects);
    };
    const stored = async () => {
      const { text } = await small.admin.call('GET /internal-backstage/impact/metrics');
      return text.match(/(?<=^unleash_counter_)[a-z0-9]+/gm);
    };
    const project = await givenProject(small);
    // The first time there is no room in memory, the second time there is none in the store.
    await report(['a1', 'a2', 'a3', 'a4'], [project]);
    await report(['a4', 'a5'], [project]);
    expect(await stored()).toEqual(['a1', 'a2', 'a3']);
    await report(['b1', 'b2', 'b3'], ['*']);
    expect(await stored()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
    const { text } = await small.anonymous.call('GET /metrics');
    expect(text).toContain('impact_metric_values_dropped_total 4\n');
    await small.stop();
    await storage.remove();
  });

  it.each([
    ['a name that is empty', { name: ' ', samples: [] }],
    ['a counter below 0', { name: 'down', samples: [{ value: -1 }] }],
    [
      'too many labels',
      { name: 'many', samples: [{ value: 1, labels: Object.fromEntries(Array(21).fill('x').entries()) }] },
    ],
    ['too many samples', { name: 'long', samples: Array(501).fill({ value: 1 }) }],
    ['an unknown type', { name: 'new', type: 'summary', samples: [] }],
    ['a counter whose sums would overflow', { name: 'huge', samples: [{ value: 1.7e308 }] }],
    ['a gauge whose sums would overflow', { name: 'deep', type: 'gauge', samples: [{ value: -1.7e308 }] }],
    [
      'a histogram whose sums would overflow',
      { name: 'wide', type: 'histogram', samples: [{ count: 1, sum: 1.7e308, buckets: [{ le: '+Inf', count: 1 }] }] },
    ],
  ])('with %s are refused', async (_what, metric) => {
    const { secret } = await givenToken(server());
    const body = { appName: 'shop', bucket: null, impactMetrics: [{ help: '', type: 'counter', ...metric }] };
    const { status, json } = await server().client(secret).call('POST /api/client/metrics', { body });
    expect(status).toBe(400);
    expect(json.details[0].path).toMatch(/^impactMetrics\.0/);
  });

  it('with labels that belong to Prometheus get other ones', async () => {
    const name = metricNamed('labelled');
    await reportMetrics(server(), [{ name, samples: [{ value: 1, labels: { le: 'a', __name__: 'b' } }] }]);
    const { text } = await server().admin.call('GET /internal-backstage/impact/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`unleash_counter_${name}{`));
    expect(line).toContain('exported___name__="b",exported_le="a"');
  });

  it('with the highest values are added up and read', async () => {
    const metric = metricNamed('highest');
    const samples = ['1', '2'].map((copy) => ({ value: 1e100, labels: { copy } }));
    for (let times = 0; times < 2; times++) await reportMetrics(server(), [{ name: metric, samples }]);
    server().clock.advance(minuteMs);
    const query = { metricName: `unleash_counter_${metric}`, aggregationMode: 'sum', range: 'hour' };
    const { status, json } = await server().admin.call('GET /api/admin/impact-metrics', { query });
    expect([status, json.series[0]?.data[0]?.[1]]).toEqual([200, 4e100]);
  });

  it('of a proxy bear its origin, and the applications that it names', async () => {
    const { secret } = await givenToken(server(), { environment: 'production' });
    const name = metricNamed('through_edge');
    const samples = [{ value: 3, labels: { appName: 'office' } }];
    const impactMetrics = [{ name, help: '', type: 'counter', samples }];
    const body = { applications: [], metrics: [], impactMetrics };
    expect((await server().client(secret).call('POST /api/client/metrics/bulk', { body })).status).toBe(202);
    await server().app.service.impactMetrics.flush();
    const { text } = await server().admin.call('GET /internal-backstage/impact/metrics');
    expect(text).toContain(`unleash_counter_${name}{appName="office",environment="production",origin="Edge"} 3\n`);
  });

  it('of the official SDK for Node are stored', async () => {
    const { secret } = await givenToken(server());
    const unleash = new Unleash({
      url: `${server().url}/api/`,
      appName: 'paying',
      customHeaders: { authorization: secret },
      metricsInterval: minuteMs,
      storageProvider: { get: async () => undefined, set: async () => undefined },
      skipInstanceCountWarning: true,
    });
    await once(unleash, UnleashEvents.Synchronized, { signal: AbortSignal.timeout(10_000) });
    const name = metricNamed('paid');
    unleash.impactMetrics.defineCounter(name, 'payments');
    unleash.impactMetrics.incrementCounter(name, 5);
    unleash.impactMetrics.defineHistogram(`${name}_seconds`, 'time to pay', [0.1, 1]);
    unleash.impactMetrics.observeHistogram(`${name}_seconds`, 0.05);
    unleash.impactMetrics.observeHistogram(`${name}_seconds`, 3);
    const sent = once(unleash, UnleashEvents.Sent, { signal: AbortSignal.timeout(10_000) });
    await unleash.flushMetrics();
    await sent;
    unleash.destroy();
    await server().app.service.impactMetrics.flush();
    const { text } = await server().admin.call('GET /internal-backstage/impact/metrics');
    const labels = 'appName="paying",environment="development",origin="sdk"';
    expect(text).toContain(`unleash_counter_${name}{${labels}} 5\n`);
    expect(text).toContain(`unleash_histogram_${name}_seconds_bucket{${labels},le="+Inf"} 2\n`);
    expect(text).toContain(`unleash_histogram_${name}_seconds_sum{${labels}} 3.05\n`);
  });
});
