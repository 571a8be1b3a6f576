import { describe, expect, it } from 'vitest';
import { timeText } from '#kernel/clock.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { received, send, type TestEndpoint } from '#testing/signals.ts';
import { changeEndpoint, givenExpecting, pass, silenceEvents, silentOf } from '#testing/silence.ts';
import { expectedSignalScenarios } from './expected-signals.scenarios.ts';

const isIn = (...values: string[]) => ({ operator: 'IN', values });
const named = 'alerts[0].labels.alertname';
const watchdog = { [named]: isIn('Watchdog'), status: isIn('firing') };
const where = `where ${named} = Watchdog and status = firing`;

/** Sends a signal as Alertmanager does. */
async function alert(server: TestServer, endpoint: TestEndpoint, alertname: string, status = 'firing'): Promise<void> {
  const reply = await send(server, endpoint, JSON.stringify({ status, alerts: [{ status, labels: { alertname } }] }));
  if (reply.status !== 200) throw new Error(`answered ${reply.status}: ${reply.text}`);
}

const timeOf = (server: TestServer) => new Date(server.clock.now()).toISOString();
const find = async (server: TestServer, { id }: TestEndpoint) => {
  const { json } = await server.admin.call('GET /api/admin/signal-endpoints');
  return json.signalEndpoints.find((endpoint: { id: number }) => endpoint.id === id);
};

describe('an endpoint that expects a signal with filters', () => {
  const server = useServer({ signalEndpointsLimit: 100, signalRatePerSecond: 0 });
  const givenWatchdog = () => givenExpecting(server(), { expectedFilters: watchdog });

  it('is silent while only other signals come: an event, Now and the signal of the silence name the filters', async () => {
    const endpoint = await givenWatchdog();
    await alert(server(), endpoint, 'Watchdog');
    const since = timeOf(server());
    const before = await lastEventId(server());
    await pass(server(), 2);
    await alert(server(), endpoint, 'HighLatency');
    await pass(server(), 2.9);
    await alert(server(), endpoint, 'Watchdog', 'resolved');
    expect(await silenceEvents(server(), endpoint, before)).toEqual([]);
    await pass(server(), 0.2);
    const expectation = { name: endpoint.name, expectedMinutes: 5, expectedFilters: watchdog, silentSince: since };
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'signal-endpoint-silent',
        data: { id: endpoint.id, ...expectation },
        summary: expect.stringContaining(
          `has got no signal ${where} since ${timeText(Date.parse(since))}, and expects one every 5 minutes`,
        ),
      },
    ]);
    expect(await silentOf(server(), endpoint)).toEqual({ signalEndpointId: endpoint.id, ...expectation });
    expect((await received(server(), endpoint)).json.signalEndpointSignals[0]).toMatchObject({
      silence: true,
      normalized: { title: `No signal from ${endpoint.name} ${where} since ${timeText(Date.parse(since))}` },
      payload: { silence: { lastSignalAt: since } },
    });
    const metrics = await server().anonymous.request('GET', '/metrics');
    expect(metrics.text).toContain(`signal_endpoint_silent{endpoint="${endpoint.name}"} 1`);

    await alert(server(), endpoint, 'HighLatency');
    await pass(server(), 0.2);
    expect(await silenceEvents(server(), endpoint, before)).toEqual(['signal-endpoint-silent']);
    await alert(server(), endpoint, 'Watchdog');
    await pass(server(), 0.2);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([
      'signal-endpoint-silent',
      'signal-endpoint-heard',
    ]);
    expect(await silentOf(server(), endpoint)).toBeUndefined();
  });

  it('finds the expected signal among more than it compares at once', async () => {
    const endpoint = await givenWatchdog();
    const before = await lastEventId(server());
    await pass(server(), 4);
    for (let n = 0; n < 60; n++) await alert(server(), endpoint, 'HighLatency');
    await alert(server(), endpoint, 'Watchdog');
    const since = timeOf(server());
    for (let n = 0; n < 60; n++) await alert(server(), endpoint, 'HighLatency');
    await pass(server(), 4.9);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([]);
    await pass(server(), 0.2);
    expect(await silentOf(server(), endpoint)).toMatchObject({ silentSince: since });
  });

  it('counts anew when the filters change, and does not read the signals of before', async () => {
    const endpoint = await givenWatchdog();
    await alert(server(), endpoint, 'HighLatency');
    await pass(server(), 6);
    expect(await silentOf(server(), endpoint)).toBeDefined();
    const before = await lastEventId(server());
    const changed = await changeEndpoint(server(), endpoint, { expectedFilters: { [named]: isIn('HighLatency') } });
    expect(changed.json.silentSince).toBeNull();
    const since = timeOf(server());
    expect((await received(server(), endpoint)).json.signalEndpointSignals[0].payload).toMatchObject({
      silence: { state: 'ended', lastSignalAt: null },
    });
    await pass(server(), 4.9);
    expect(await silenceEvents(server(), endpoint, before)).toEqual([]);
    await pass(server(), 0.2);
    expect(await silentOf(server(), endpoint)).toMatchObject({ silentSince: since });
    expect((await received(server(), endpoint)).json.signalEndpointSignals[0].payload).toMatchObject({
      silence: { state: 'began', lastSignalAt: null },
    });
    // Without filters, any signal of a sender counts.
    await changeEndpoint(server(), endpoint, { expectedFilters: {} });
    await pass(server(), 4);
    await alert(server(), endpoint, 'DiskFull');
    await pass(server(), 4);
    expect(await silentOf(server(), endpoint)).toBeUndefined();
  });

  it('keeps its state when something else about it changes, and hears no test signals', async () => {
    const endpoint = await givenWatchdog();
    await pass(server(), 6);
    const changed = await changeEndpoint(server(), endpoint, {
      description: 'Alertmanager',
      expectedFilters: watchdog,
    });
    expect(changed.json).toMatchObject({ silentSince: expect.any(String), expectedFilters: watchdog });
    const payload = { status: 'firing', alerts: [{ labels: { alertname: 'Watchdog' } }] };
    const test = 'POST /api/admin/signal-endpoints/:signalEndpointId/signals';
    const params = { signalEndpointId: endpoint.id };
    expect((await server().admin.call(test, { params, body: { payload } })).status).toBe(200);
    await pass(server(), 1);
    expect(await silentOf(server(), endpoint)).toBeDefined();
  });

  it('can filter by what the source recognises', async () => {
    const expectedFilters = { 'normalized.state': isIn('firing'), 'normalized.title': isIn('Watchdog') };
    const endpoint = await givenExpecting(server(), { source: 'alertmanager', expectedFilters });
    await pass(server(), 4);
    await alert(server(), endpoint, 'Watchdog');
    await pass(server(), 4);
    expect(await silentOf(server(), endpoint)).toBeUndefined();
    await alert(server(), endpoint, 'Watchdog', 'resolved');
    await pass(server(), 2);
    expect(await silentOf(server(), endpoint)).toBeDefined();
  });

  it('has no filters any more when it expects nothing', async () => {
    const endpoint = await givenWatchdog();
    const { json } = await changeEndpoint(server(), endpoint, { expectedMinutes: null });
    expect(json).toMatchObject({ expectedMinutes: null, expectedFilters: {} });
  });

  const filters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, isIn('x')]));
  it.each([
    ['six filters', filters(6), 'expectedFilters'],
    ['26 values', { a: isIn(...Array.from({ length: 26 }, (_, n) => `${n}`)) }, 'expectedFilters.a.values'],
    ['no value', { a: isIn() }, 'expectedFilters.a.values'],
    ['a path that is none', { 'a..b': isIn('x') }, 'expectedFilters.a..b'],
    ['a path with a negative index', { 'a[-1]': isIn('x') }, 'expectedFilters.a[-1]'],
    ['a number that is none', { a: { operator: 'NUM_GT', value: 'many' } }, 'expectedFilters.a.value'],
    ['an unknown operator', { a: { operator: 'IS', values: ['x'] } }, 'expectedFilters.a.operator'],
    ['a list', [], 'expectedFilters'],
  ])('is refused with %s, and nothing changes', async (_name, expectedFilters, path) => {
    const endpoint = await givenWatchdog();
    const before = await lastEventId(server());
    const refused = await changeEndpoint(server(), endpoint, { expectedMinutes: 7, expectedFilters });
    expect([refused.status, refused.json.details[0].path]).toEqual([400, path]);
    expect(await find(server(), endpoint)).toMatchObject({ expectedMinutes: 5, expectedFilters: watchdog });
    expect(await lastEventId(server())).toBe(before);
    const body = { name: 'refused', expectedMinutes: 5, expectedFilters };
    expect((await server().admin.call('POST /api/admin/signal-endpoints', { body })).status).toBe(400);
  });

  testScenarios(server, expectedSignalScenarios);

  it('is refused with filters but without minutes', async () => {
    const endpoint = await givenWatchdog();
    const refused = await changeEndpoint(server(), endpoint, { expectedMinutes: null, expectedFilters: watchdog });
    expect([refused.status, refused.json.details[0].path]).toEqual([400, 'expectedFilters']);
    const body = { name: 'refused', expectedFilters: watchdog };
    expect((await server().admin.call('POST /api/admin/signal-endpoints', { body })).status).toBe(400);
  });
});

describe('a server that was down', () => {
  it('knows the last expected signal of before, and does not take its own absence for silence', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-again'], signalRatePerSecond: 0 };
    const first = await startServer(storage, settings);
    const endpoint = await givenExpecting(first, { expectedFilters: watchdog });
    await pass(first, 4);
    await alert(first, endpoint, 'Watchdog');
    const since = timeOf(first);
    await pass(first, 0.1);
    await alert(first, endpoint, 'HighLatency');
    await first.stop();
    first.clock.advance(60 * 60_000);
    const second = await startServer(storage, settings, first.clock);
    await pass(second, 4.9);
    expect(await silentOf(second, endpoint)).toBeUndefined();
    await pass(second, 0.2);
    expect(await silentOf(second, endpoint)).toMatchObject({ silentSince: since });
    await second.stop();
    await storage.remove();
  });
});

describe.runIf(engine === 'postgres')('two servers on one PostgreSQL', () => {
  it('know the expected signals of each other, and tell a silence and its end once', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-again'], signalRatePerSecond: 0 };
    const first = await startServer(storage, settings);
    const second = await startServer(storage, settings, first.clock);
    const both = async (minutes: number) => {
      first.clock.advance(minutes * 60_000);
      await Promise.all([first, second].map(({ app }) => app.service.jobs.runDue()));
    };
    const endpoint = await givenExpecting(first, { expectedFilters: watchdog });
    const before = await lastEventId(first);
    await both(4);
    await alert(second, endpoint, 'Watchdog');
    await both(4);
    expect(await silenceEvents(first, endpoint, before)).toEqual([]);
    await both(1.1);
    expect(await silenceEvents(first, endpoint, before)).toEqual(['signal-endpoint-silent']);
    await alert(first, endpoint, 'Watchdog');
    await both(1);
    expect(await silenceEvents(second, endpoint, before)).toEqual(['signal-endpoint-silent', 'signal-endpoint-heard']);
    await second.stop();
    await first.stop();
    await storage.remove();
  });
});
