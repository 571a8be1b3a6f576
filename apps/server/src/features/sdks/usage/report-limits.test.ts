import { describe, expect, it } from 'vitest';
import { RawConnection } from '#testing/raw-http.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk, givenToken } from '#testing/tokens.ts';

const metrics = 'POST /api/frontend/client/metrics';

/** Returns a report of `toggles` flags, each with a count that is not a number. */
function wrongReport(toggles: number) {
  const entries = Array.from({ length: toggles }, (_, n) => [`f${n}`, { yes: '' }]);
  return { appName: 'shop', bucket: { start: 0, stop: 0, toggles: Object.fromEntries(entries) } };
}

describe('a usage report', () => {
  const server = useServer({
    clientMetricsRatePerMinute: 3,
    clientRegisterRatePerMinute: 3,
    frontendMetricsRatePerMinute: 3,
    frontendRegisterRatePerMinute: 3,
    ofrepRatePerMinute: 3,
  });

  it('with too many flags is answered 400 with a single detail', async () => {
    const sdk = await givenSdk(server(), { type: 'backend' });
    for (const [route, body, path] of [
      ['POST /api/client/metrics', wrongReport(5001), 'bucket.toggles'],
      [
        'POST /api/client/metrics/bulk',
        { applications: Array.from({ length: 5001 }, () => ({})), metrics: [] },
        'applications',
      ],
      [
        'POST /api/client/register',
        { appName: 'shop', strategies: Array.from({ length: 501 }, () => 1) },
        'strategies',
      ],
    ] as const) {
      const reply = await sdk.call(route, { body });
      expect(reply.status).toBe(400);
      expect(reply.json.details).toEqual([
        { path, message: expect.stringMatching(/must have at most \d+ (members|items), not \d+$/) },
      ]);
      expect(reply.text.length).toBeLessThan(1000);
    }
  });

  it.each([metrics, 'POST /api/frontend/client/register', 'POST /ofrep/v1/evaluate/flags'] as const)(
    'to %s counts against the rate limit even when it is invalid',
    async (route) => {
      const sdk = await givenSdk(server(), { type: 'frontend' });
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await sdk.call(route, { body: [] })).status);
      expect(statuses).toEqual([400, 400, 400, 429]);
    },
  );

  const backendRoutes = [
    'POST /api/client/metrics',
    'POST /api/client/metrics/bulk',
    'POST /api/client/register',
  ] as const;

  it.each(backendRoutes)('to %s counts against the rate limit of its token and of no other', async (route) => {
    const [sdk, other] = [await givenSdk(server(), { type: 'backend' }), await givenSdk(server(), { type: 'backend' })];
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await sdk.call(route, { body: [] })).status);
    expect(statuses).toEqual([400, 400, 400]);
    const refused = await sdk.call(route, { body: [] });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('60');
    expect((await other.call(route, { body: [] })).status).toBe(400);
    server().clock.advance(60_000);
    expect((await sdk.call(route, { body: [] })).status).toBe(400);
  });

  it('to the metrics route and to the bulk route share one rate limit', async () => {
    const sdk = await givenSdk(server(), { type: 'backend' });
    const single = 'POST /api/client/metrics';
    const bulk = 'POST /api/client/metrics/bulk';
    const statuses = [];
    for (const route of [single, bulk, single, bulk, single] as const)
      statuses.push((await sdk.call(route, { body: [] })).status);
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
  });

  it('over the rate limit is answered before its body is received', async () => {
    const { secret } = await givenToken(server(), { type: 'frontend' });
    const head = `POST /api/frontend/client/metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${secret}\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n`;
    const sdk = server().client(secret);
    for (let i = 0; i < 3; i++) await sdk.call(metrics, { body: [] });
    const connection = await RawConnection.open(server().url);
    connection.write(head);
    expect(await connection.reply()).toMatchObject({ status: 429, json: { name: 'RateLimitError' } });
    connection.end();
  });
});

describe('a large usage report', () => {
  const server = useServer({ clientMetricsRatePerMinute: 0, frontendMetricsRatePerMinute: 0 });
  const MiB = 1024 * 1024;

  /** Returns a report of about `bytes` bytes. */
  const reportOf = (bytes: number) => {
    const toggles = Object.fromEntries(
      Array.from({ length: 4000 }, (_, n) => [`a-flag-with-a-long-name-${n}`, { yes: n, no: 1, variants: { a: 1 } }]),
    );
    const report = JSON.stringify({ appName: 'shop', bucket: { start: null, toggles } });
    return report.padEnd(bytes, ' ');
  };
  const refused = async (reason: string) =>
    Number(
      new RegExp(`^usage_reports_refused_total{reason="${reason}"} (.*)$`, 'm').exec(
        (await server().anonymous.call('GET /metrics')).text,
      )?.[1],
    );

  it.each([
    ['POST /api/client/metrics', 'backend', 202],
    ['POST /api/frontend/client/metrics', 'frontend', 200],
  ] as const)('of up to 1 MiB is taken by %s', async (route, type, status) => {
    const sdk = await givenSdk(server(), { type });
    const headers = { 'content-type': 'application/json' };
    expect((await sdk.call(route, { raw: reportOf(MiB), headers })).status).toBe(status);
    const before = await refused('too-large');
    expect((await sdk.call(route, { raw: reportOf(MiB + 1), headers })).status).toBe(413);
    expect((await refused('too-large')) - before).toBe(1);
  });

  it('of a proxy may have 10,000 rows', async () => {
    const sdk = await givenSdk(server(), { type: 'backend' });
    const row = { appName: 'shop', environment: 'development', yes: 1, no: 0 };
    const metrics = Array.from({ length: 10_000 }, (_, n) => ({ ...row, featureName: `f${n}` }));
    expect((await sdk.call('POST /api/client/metrics/bulk', { body: { applications: [], metrics } })).status).toBe(202);
  });

  it('that is refused is logged with its route and reason, once in a while, and counted', async () => {
    server().clock.advance(60_000);
    const sdk = await givenSdk(server(), { type: 'backend' });
    const lines = () => server().logged.filter((line) => line.includes('a usage report was refused'));
    const [before, counted] = [lines().length, await refused('invalid')];
    for (let i = 0; i < 3; i++) await sdk.call('POST /api/client/metrics', { body: wrongReport(1) });
    expect(
      lines()
        .slice(before)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { level: 40, route: '/api/client/metrics', status: 400, msg: expect.stringContaining('bucket.toggles.f0.yes') },
    ]);
    expect((await refused('invalid')) - counted).toBe(3);
    await server()
      .client('*:development.wrong')
      .call('POST /api/client/metrics', { body: wrongReport(1) });
    expect((await refused('invalid')) - counted).toBe(3);
  });
});
