import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { givenEnabled } from '#testing/flags.ts';
import { startMinute } from '#testing/impact-metrics.ts';
import { answerData, answerValue, passQuerying, startFakePrometheus } from '#testing/prometheus.ts';
import { givenPlan, planOf, rolloutTo, servedPercentages } from '#testing/release-plans.ts';
import { moreThan, safeguardsOf, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';

const prometheus = await startFakePrometheus();
const server = useServer({
  prometheusUrl: `http://reader:p%40ss-T0PSECRET@${prometheus.host}/prom/`,
  allowedIntegrationHosts: ['127.0.0.1'],
});

beforeEach(() => {
  startMinute(server());
  prometheus.queries.splice(0);
});

/** Returns the newest event of a type of a flag. */
async function newestEvent(type: string, { featureName }: { readonly featureName: string }) {
  const query = { feature: `IS:${featureName}`, type: `IS:${type}` };
  return (await server().admin.call('GET /api/admin/search/events', { query })).json.events[0];
}

const external = { source: 'external', labelSelectors: { job: ['shop'] } };
const errors = 'http_errors_total';

async function givenGuardedFlag(more: object = {}) {
  const params = await givenEnabled(server());
  await setSafeguard(server(), params, moreThan(10, errors, { ...external, ...more }));
  const status = async () => (await safeguardsOf(server(), params))[0].status;
  return { params, status };
}

/** Returns the number of queries without a value, by reason. */
async function failures(): Promise<Record<string, number>> {
  const { text } = await server().anonymous.call('GET /metrics');
  const lines = text.matchAll(/^prometheus_query_failures_total\{reason="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, reason, count]) => [reason, Number(count)]));
}

/**
 * Failures of the Prometheus server: name, response, the reason that the safeguard shows, and the reason in the
 * metrics, which is empty where the query did not fail.
 */
const useless: readonly (readonly [string, (response: ServerResponse) => void, string, string])[] = [
  ['hangs', () => undefined, 'The Prometheus server did not answer in 5 s.', 'timeout'],
  [
    'hangs in the middle of an answer',
    (response) => void response.writeHead(200).write('{"status":'),
    'The Prometheus server did not answer in 5 s.',
    'timeout',
  ],
  [
    'closes the connection',
    ({ socket }) => socket?.destroy(),
    'The Prometheus server cannot be reached: ECONNRESET.',
    'unreachable',
  ],
  ['fails', (response) => void response.writeHead(500).end('no'), 'The Prometheus server answered 500.', 'status'],
  [
    'redirects',
    (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    'The Prometheus server answered 302.',
    'status',
  ],
  [
    'refuses the query, and repeats the credentials',
    (response) =>
      void response.writeHead(400).end(JSON.stringify({ status: 'error', error: `bad\u0007query of p@ss-T0PSECRET` })),
    'The Prometheus server answered 400: bad query of *****.',
    'status',
  ],
  [
    'answers with text',
    (response) => void response.end('hello'),
    'The server did not answer as a Prometheus server does.',
    'not-prometheus',
  ],
  [
    'answers with other JSON',
    (response) => answerData(response, { resultType: 'scalar', result: [1, '5'] }),
    'The server did not answer as a Prometheus server does.',
    'not-prometheus',
  ],
  [
    'answers with a huge body',
    (response) => void response.end('x'.repeat(1_000_001)),
    'The answer of the Prometheus server has more than 1000000 bytes.',
    'too-large',
  ],
  ['has no series', (response) => answerValue(response), 'The Prometheus server has no values of it in this time.', ''],
  [
    'answers with NaN',
    (response) => answerValue(response, 'NaN'),
    'Its value at the Prometheus server is not a number.',
    'not-a-number',
  ],
  [
    'answers with infinity',
    (response) => answerValue(response, '+Inf'),
    'Its value at the Prometheus server is not a number.',
    'not-a-number',
  ],
];

describe('a safeguard of a metric of a Prometheus server', () => {
  it('switches the flag off when the threshold is crossed, and its event says where the value is from', async () => {
    const { params, status } = await givenGuardedFlag();
    prometheus.answer((response) => answerValue(response, 9));
    await passQuerying(server(), 1);
    expect(await status()).toMatchObject({ state: 'within', value: 9, reason: null });
    prometheus.answer((response) => answerValue(response, 12.5));
    await passQuerying(server(), 1);
    expect(await status()).toMatchObject({ state: 'triggered', value: 12.5, reason: null });
    expect(await servedPercentages(server(), params)).toBeUndefined();
    const { data } = await newestEvent('safeguard-triggered', params);
    expect(data).toMatchObject({ value: 12.5, impactMetric: { metricName: errors, source: 'external' } });
  });

  it('asks at the path of the setting, with the credentials of its URL in a header', async () => {
    await givenGuardedFlag({ labelSelectors: { job: ['shop'], code: ['500', 'a"b'] } });
    await passQuerying(server(), 1);
    const { path, form, headers } = prometheus.queries.find(({ form }) => form['query']?.includes('a\\"b')) ?? {};
    expect(path).toBe('/prom/api/v1/query');
    expect(form?.['query']).toBe('sum(increase(http_errors_total{job="shop",code=~"500|a\\"b"}[300s]))');
    expect(Number(form?.['time']) % 60).toBe(0);
    expect(headers?.authorization).toBe(`Basic ${Buffer.from('reader:p@ss-T0PSECRET').toString('base64')}`);
  });

  it.each(useless)('does nothing when the server %s, and says and counts it', async (_, how, reason, counted) => {
    const { params, status } = await givenGuardedFlag();
    const before = await failures();
    prometheus.answer(how);
    await passQuerying(server(), 1);
    expect(await status()).toMatchObject({ state: 'no-data', value: null, reason });
    expect(await servedPercentages(server(), params)).toBeDefined();
    const after = await failures();
    const grown = Object.keys(after).filter((each) => (after[each] ?? 0) > (before[each] ?? 0));
    // Queries of the tests before may end meanwhile.
    expect(grown).toEqual(expect.arrayContaining(counted === '' ? [] : [counted]));
    expect(server().logged.join()).not.toContain('T0PSECRET');
  });

  it('counts the queries that had a usable answer, and those that failed', async () => {
    const counted = async (result: string) => {
      const { text } = await server().anonymous.call('GET /metrics');
      return Number(new RegExp(`^prometheus_queries_total{result="${result}"} (\\d+)$`, 'm').exec(text)?.[1]);
    };
    await givenGuardedFlag({ metricName: 'http_counted_total' });
    const [answered, failed] = [await counted('answered'), await counted('failed')];
    prometheus.answer((response) => answerValue(response, 1));
    await passQuerying(server(), 1);
    expect([(await counted('answered')) > answered, await counted('failed')]).toEqual([true, failed]);
    prometheus.answer((response) => void response.writeHead(500).end('no'));
    await passQuerying(server(), 1);
    expect(await counted('failed')).toBeGreaterThan(failed);
  });

  it('holds up no change while the server hangs', async () => {
    await givenGuardedFlag({ metricName: 'http_hangs_total' });
    prometheus.answer(() => undefined);
    const passed = passQuerying(server(), 1);
    await expect.poll(() => prometheus.queries.length).toBeGreaterThan(0);
    const began = performance.now();
    await givenEnabled(server());
    expect(performance.now() - began).toBeLessThan(4000);
    prometheus.answer((response) => answerValue(response, 1));
    await passed;
  });

  it('reads a share, which is 0 where the server has no errors but requests', async () => {
    const dividedBy = { metricName: 'http_requests_total', labelSelectors: { job: ['shop'] } };
    const { status } = await givenGuardedFlag({ dividedBy });
    const requests = (value?: number) =>
      prometheus.answer((response, { form }) =>
        answerValue(response, form['query']?.includes('http_requests_total') ? value : undefined),
      );
    requests(50);
    await passQuerying(server(), 1);
    expect(await status()).toMatchObject({ state: 'within', value: 0 });
    requests(undefined);
    await passQuerying(server(), 1);
    expect(await status()).toMatchObject({ state: 'no-data' });
    requests(0);
    await passQuerying(server(), 1);
    expect(await status()).toMatchObject({ state: 'no-data', reason: 'The metric that it is divided by is 0.' });
  });
});

describe('safeguards with the same query', () => {
  it('ask once in a minute', async () => {
    const same = { metricName: 'http_timeouts_total' };
    for (let n = 0; n < 5; n++) await givenGuardedFlag(same);
    prometheus.answer((response) => answerValue(response, 1));
    await passQuerying(server(), 3);
    const asked = prometheus.queries.filter(({ form }) => form['query']?.includes('http_timeouts_total'));
    expect(asked.length).toBeGreaterThanOrEqual(3);
    expect(new Set(asked.map(({ form }) => form['time'])).size).toBe(asked.length);
  });
});

describe('a safeguard of a plan', () => {
  const resume =
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/progressions/:planId/resume';

  it('reads what was measured since the milestone started, and stays triggered while the server fails', async () => {
    const { params } = await givenPlan(server(), [rolloutTo(10, 30), rolloutTo(100)]);
    await setSafeguard(server(), params, moreThan(10, 'http_aborts_total', external));
    prometheus.answer((response) => answerValue(response, 20));
    await passQuerying(server(), 3);
    const ranges = prometheus.queries.flatMap(
      ({ form }) => /aborts_total.*\[(\d+s)\]/.exec(form['query'] ?? '')?.[1] ?? [],
    );
    expect(ranges).toEqual(['60s', '120s']);
    const progress = async () => (await planOf(server(), params)).progress;
    expect(await progress()).toMatchObject({
      state: 'paused',
      reason: 'Safeguard: http_aborts_total (count, external) is 20, above 10.',
    });
    await server().admin.call(resume, { params });
    prometheus.answer((response) => void response.writeHead(503).end());
    await passQuerying(server(), 1);
    const [{ status }] = await safeguardsOf(server(), params);
    expect(status).toMatchObject({ state: 'triggered', value: null, reason: 'The Prometheus server answered 503.' });
    prometheus.answer((response) => answerValue(response, 20));
    await passQuerying(server(), 1);
    expect(await progress()).toMatchObject({ state: 'running' });
  });

  it('releases the flag that it holds when the value is back after a time in which nothing was looked at', async () => {
    const { params } = await givenPlan(server(), [rolloutTo(10), rolloutTo(100)]);
    await setSafeguard(server(), params, { ...moreThan(10, 'http_resets_total', external), holdAt: 'off' });
    prometheus.answer((response) => answerValue(response, 20));
    await passQuerying(server(), 2);
    expect(await servedPercentages(server(), params)).toBeUndefined();
    // As when the process was stopped.
    server().clock.advance(10 * 60_000);
    await passQuerying(server(), 1);
    expect(await servedPercentages(server(), params)).toBeUndefined();
    server().clock.advance(10 * 60_000);
    prometheus.answer((response) => answerValue(response, 1));
    await passQuerying(server(), 1);
    expect(await servedPercentages(server(), params)).toEqual(['10']);
  });

  it('does not pause a plan again that a person resumed, after a time in which nothing was looked at', async () => {
    const { params } = await givenPlan(server(), [rolloutTo(10, 600), rolloutTo(100)]);
    await setSafeguard(server(), params, moreThan(10, 'http_stalls_total', external));
    prometheus.answer((response) => answerValue(response, 20));
    await passQuerying(server(), 2);
    const progress = async () => (await planOf(server(), params)).progress;
    expect(await progress()).toMatchObject({ state: 'paused' });
    await server().admin.call(resume, { params });
    server().clock.advance(10 * 60_000);
    await passQuerying(server(), 1);
    expect(await progress()).toMatchObject({ state: 'running' });
  });
});
