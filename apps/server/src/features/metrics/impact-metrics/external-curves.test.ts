import { beforeEach, describe, expect, it } from 'vitest';
import { answerData, startFakePrometheus } from '#testing/prometheus.ts';
import { useServer } from '#testing/server.ts';

const prometheus = await startFakePrometheus();
const token = 'T0PSECRET-token';
const server = useServer({
  prometheusUrl: `http://${prometheus.host}`,
  prometheusToken: token,
  allowedIntegrationHosts: ['127.0.0.1'],
});
const withoutAllowance = useServer({ prometheusUrl: `http://${prometheus.host}` });

beforeEach(() => void prometheus.queries.splice(0));

const query = { metricName: 'http_seconds', range: 'hour', aggregationMode: 'p95', source: 'external' };
const curve = (more: object = {}) =>
  server().admin.call('GET /api/admin/impact-metrics', { query: { ...query, ...more } });

describe('the curve of a metric of a Prometheus server', () => {
  it('is asked with the token, in the steps of the answer', async () => {
    prometheus.answer((response, { form }) => {
      const first = Number(form['start']);
      const values = [
        [first, '0.25'],
        [first + 60, 'NaN'],
        [first + 120, '0.5'],
      ];
      answerData(response, { resultType: 'matrix', result: [{ metric: { code: '500' }, values }] });
    });
    const { status, json } = await curve({ groupBy: 'code', labels: '{"job":["shop"]}' });
    expect(status).toBe(200);
    const [start, end] = [Number(json.start), Number(json.end)];
    expect(json).toMatchObject({ step: '60', labels: {} });
    expect(json.series).toEqual([
      {
        metric: { code: '500' },
        data: [
          [start, 0.25],
          [start + 120, 0.5],
        ],
      },
    ]);
    expect(prometheus.queries).toMatchObject([
      {
        path: '/api/v1/query_range',
        headers: { authorization: `Bearer ${token}` },
        form: {
          query: 'histogram_quantile(0.95, sum by (le, code) (rate(http_seconds_bucket{job="shop"}[60s])))',
          start: String(start + 60),
          end: String(end),
          step: '60',
        },
      },
    ]);
  });

  it.each([
    [{ metricName: 'up{}' }, 'metricName'],
    [{ groupBy: 'a-b' }, 'groupBy'],
    [{ labels: '{"a-b":["c"]}' }, 'labelSelectors.a-b'],
    [{ metricName: 'http_requests_total' }, 'aggregationMode'],
  ])('is refused with 400 for %o', async (more, path) => {
    const { status, json } = await curve(more);
    expect({ status, path: json.details?.[0].path }).toEqual({ status: 400, path });
    expect(prometheus.queries).toEqual([]);
  });

  it('is answered with 502 and the reason when the server fails', async () => {
    prometheus.answer((response) => void response.writeHead(401).end(`no token ${token}`));
    const { status, json } = await curve();
    expect({ status, message: json.message }).toEqual({
      status: 502,
      message: 'The Prometheus server answered 401.',
    });
  });

  it('is not asked at a private address that is not allowed', async () => {
    const { status, json } = await withoutAllowance().admin.call('GET /api/admin/impact-metrics', { query });
    expect({ status, message: json.message }).toEqual({
      status: 502,
      message: 'The Prometheus server has a private address, which is not allowed.',
    });
    expect(prometheus.queries).toEqual([]);
  });

  it('is not asked by more than 16 requests at a time', async () => {
    const waiting: (() => void)[] = [];
    prometheus.answer(
      (response) => void waiting.push(() => answerData(response, { resultType: 'matrix', result: [] })),
    );
    const asked = Promise.all(Array.from({ length: 16 }, () => curve()));
    await expect.poll(() => waiting.length).toBe(16);
    expect((await curve()).status).toBe(503);
    for (const answer of waiting) answer();
    expect(new Set((await asked).map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('the metrics of a Prometheus server', () => {
  it('are listed with what their names tell', async () => {
    const names = ['up', 'http_seconds_bucket', 'http_seconds_count', 'http_seconds_sum', 'http_requests_total'];
    prometheus.answer((response) => answerData(response, names));
    const { json } = await server().admin.call('GET /api/admin/impact-metrics/names', {
      query: { source: 'external' },
    });
    expect(json.metrics.map(({ metricName, type }: Record<string, string>) => [metricName, type])).toEqual([
      ['http_requests_total', 'counter'],
      ['http_seconds', 'histogram'],
      ['up', 'gauge'],
    ]);
    expect(prometheus.queries[0]?.path).toBe('/api/v1/label/__name__/values');
  });

  it('are asked for by an administrator who tries the setting, and an error is answered in words', async () => {
    const validate = () => server().admin.call('POST /api/admin/impact-metrics/external-source/validate');
    prometheus.answer((response) => answerData(response, ['up']));
    expect((await validate()).json).toEqual({ metricNames: ['up'] });
    prometheus.answer((response) => void response.writeHead(500).end());
    expect((await validate()).json).toEqual({ error: 'The Prometheus server answered 500.' });
    const { json } = await server().admin.call('GET /api/admin/impact-metrics/external-source');
    expect(json).toEqual({ enabled: true, url: `http://${prometheus.host}` });
    expect((await server().admin.call('GET /api/admin/ui-config')).json.prometheusAPIAvailable).toBe(true);
  });
});
