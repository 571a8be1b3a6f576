import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { passQuerying } from '../../apps/server/testing/prometheus.ts';
import { servedPercentages } from '../../apps/server/testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '../../apps/server/testing/safeguards.ts';
import { createEmptyStorage, startServer, type TestServer } from '../../apps/server/testing/server.ts';
import { findInstalled } from '../../examples/alertmanager/programs.ts';
import { type Program, startProgram } from './program.ts';

/**
 * The period of the queries. The clock of the server runs ahead of that of Prometheus, and the period covers the
 * difference.
 */
const minutes = 60;
/** The monitored application. Between two scrapes it counts 20 requests, of which 2 fail. */
const shop = createServer((_request, response) => {
  scrapes++;
  const bucket = (le: string, share: number) => `shop_seconds_bucket{le="${le}"} ${scrapes * 20 * share}\n`;
  response.end(`# TYPE shop_requests_total counter
shop_requests_total{code="200",path="/a|b"} ${scrapes * 18}
shop_requests_total{code="500",path="/\\"c\\\\"} ${scrapes * 2}
# TYPE shop_queue gauge
shop_queue 7
# TYPE shop_seconds histogram
${bucket('0.1', 0.5)}${bucket('1', 1)}${bucket('+Inf', 1)}shop_seconds_sum ${scrapes * 4}
shop_seconds_count ${scrapes * 20}
`);
});
let scrapes = 0;
let prometheus: Program;
let server: TestServer;
const storage = createEmptyStorage();

beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port: shopPort } = shop.address() as AddressInfo;
  prometheus = await startProgram(findInstalled().prometheus, ({ port, directory }) => {
    const file = join(directory, 'prometheus.yml');
    writeFileSync(
      file,
      `scrape_configs:
  - job_name: shop
    scrape_interval: 1s
    static_configs: [{targets: ['127.0.0.1:${shopPort}']}]
`,
    );
    return [
      ...[`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'data')}`],
      `--web.listen-address=127.0.0.1:${port}`,
    ];
  });
  server = await startServer(storage, {
    prometheusUrl: `http://127.0.0.1:${prometheus.port}`,
    allowedIntegrationHosts: ['127.0.0.1'],
  });
  await vi.waitFor(() => expect(scrapes).toBeGreaterThan(5), { timeout: 30_000, interval: 200 });
});
afterAll(async () => {
  await server?.stop();
  await storage.remove();
  await prometheus?.stop();
  shop.closeAllConnections();
  await new Promise((resolve) => shop.close(resolve));
});

/** Creates a safeguard, lets the server check it once, and returns its status. */
async function statusOf(more: object) {
  const params = await givenEnabled(server);
  const { metricName = 'shop_requests_total', threshold = 1e9, ...rest } = more as Record<string, never>;
  await setSafeguard(
    server,
    params,
    moreThan(threshold, metricName, { source: 'external', labelSelectors: {}, minutes, ...rest }),
  );
  await passQuerying(server, 2);
  const [{ status }] = await safeguardsOf(server, params);
  return { params, status };
}

describe('metrics of Prometheus', () => {
  const requests = { dividedBy: { metricName: 'shop_requests_total', labelSelectors: { job: ['shop'] } } };

  it('trigger a safeguard by a share, read with labels that need escapes', async () => {
    const labelSelectors = { code: ['500', '503'], path: ['/"c\\', '/d'] };
    const { params, status } = await statusOf({ labelSelectors, ...requests, threshold: 0.05 });
    expect(status).toMatchObject({ state: 'triggered', reason: null });
    expect(status.value).toBeCloseTo(0.1, 3);
    expect(await servedPercentages(server, params)).toBeUndefined();
  });

  it.each([
    ['a rate', { aggregationMode: 'rps' }, 0.005, 30],
    ['a count', { aggregationMode: 'count' }, 20, 10_000],
    ['a gauge', { metricName: 'shop_queue', aggregationMode: 'avg' }, 7, 7],
    ['the sum of a gauge', { metricName: 'shop_queue', aggregationMode: 'sum' }, 7, 7],
    ['the average of a histogram', { metricName: 'shop_seconds', aggregationMode: 'avg' }, 0.2, 0.2],
    ['the count of a histogram', { metricName: 'shop_seconds', aggregationMode: 'count' }, 20, 10_000],
    ['the median of a histogram', { metricName: 'shop_seconds', aggregationMode: 'p50' }, 0.1, 0.1],
  ])('are read as %s', async (_, more, least, most) => {
    const { status } = await statusOf(more);
    expect(status).toMatchObject({ state: 'within', reason: null });
    expect(status.value).toBeGreaterThan(least - 1e-6);
    expect(status.value).toBeLessThan(most + 1e-6);
  });

  it('that do not exist are no data, and so is a query that Prometheus refuses', async () => {
    const { status } = await statusOf({ metricName: 'shop_nothing_total' });
    expect(status).toMatchObject({
      state: 'no-data',
      reason: 'The Prometheus server has no values of it in this time.',
    });
    const refused = await statusOf({ labelSelectors: { __name__: ['up'] } });
    expect(refused.status.reason).toMatch(/^The Prometheus server answered 400: .*metric name/);
  });

  it('are listed, and drawn as a curve for each value of a label', async () => {
    const { json } = await server.admin.call('GET /api/admin/impact-metrics/names', { query: { source: 'external' } });
    const types = new Map(json.metrics.map(({ metricName, type }: Record<string, string>) => [metricName, type]));
    expect(types.get('shop_seconds')).toBe('histogram');
    expect(types.get('shop_requests_total')).toBe('counter');
    const query = { metricName: 'shop_requests_total', range: 'hour', aggregationMode: 'rps', source: 'external' };
    const curves = await server.admin.call('GET /api/admin/impact-metrics', { query: { ...query, groupBy: 'code' } });
    expect(curves.status).toBe(200);
    const codes = curves.json.series.map(({ metric }: { metric: Record<string, string> }) => metric['code']);
    expect(codes.toSorted()).toEqual(['200', '500']);
  });
});
