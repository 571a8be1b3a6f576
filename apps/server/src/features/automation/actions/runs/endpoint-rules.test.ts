import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { useServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const endpointPath = '/api/admin/signal-endpoints/:id' as const;

/** Creates a set that holds the flag for each alert, on an endpoint with these settings. */
async function given(settings: object) {
  const place = await givenAlertPlace(server());
  const set = await givenSet(server(), holdingAlerts(place, { params: { effect: 'off' } }), place);
  await update(place, settings);
  return { place, set };
}

async function update({ endpoint: { id, name } }: ActionPlace, settings: object): Promise<void> {
  const body = { name, source: 'alertmanager', ...settings };
  const { status, text } = await server().admin.call(`PUT ${endpointPath}`, { params: { id }, body });
  expect([status, text]).toEqual([200, text]);
}

const alerts = (status: string, count: number) => ({
  status,
  alerts: Array.from({ length: count }, (_, n) => ({ status, fingerprint: `alert ${n}`, labels: {} })),
});

const statesOf = async (set: Parameters<typeof runsOf>[1]) =>
  (await runsOf(server(), set)).map(({ state }: { state: string }) => state);

describe('the number of alerts in a signal', () => {
  it('is limited by the endpoint, and each alert is recognised and runs', async () => {
    const { place, set } = await given({ maxElements: 120 });
    await signal(server(), place, alerts('firing', 121));
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'failed',
      reason: '121 elements of the array at alerts match, and actions run for 120: the last 1 was refused.',
    });
    const id = await signal(server(), place, alerts('resolved', 120));
    const { runs } = (
      await server().admin.call('GET /api/admin/action-runs', { query: { signal: `IS:${id}`, limit: 200 } })
    ).json;
    expect(runs.length).toBe(120);
    const { signals } = (await server().admin.call('GET /api/admin/signals', { query: { id: `IS:${id}` } })).json;
    expect(signals[0].normalized.elements).toHaveLength(120);
  });

  it.each([0, 1001, 1.5])('cannot be %s', async (maxElements) => {
    const { endpoint } = await givenAlertPlace(server());
    const reply = await server().admin.call(`PUT ${endpointPath}`, {
      params: { id: endpoint.id },
      body: { name: endpoint.name, maxElements },
    });
    expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('maxElements')]);
  });
});

describe('a disabled endpoint that keeps signals', () => {
  it('stores them, lets releases run once it is enabled, and skips holds', async () => {
    const { place, set } = await given({ whenDisabled: 'keep' });
    await signal(server(), place, alerts('firing', 1));
    await update(place, { enabled: false });
    await signal(server(), place, alerts('firing', 1));
    await signal(server(), place, alerts('resolved', 1));
    expect(await statesOf(set)).toEqual(['waiting', 'skipped', 'success']);
    const reason = `The signal endpoint ${place.endpoint.name} is disabled.`;
    expect((await runsOf(server(), set)).slice(0, 2)).toMatchObject([{ reason }, { reason }]);
    await pass();
    expect((await statesOf(set))[0]).toBe('waiting');
    await update(place, { enabled: true });
    await pass();
    expect(await statesOf(set)).toEqual(['success', 'skipped', 'success']);
  });

  it('is refused without the setting', async () => {
    const { place } = await given({ enabled: false });
    expect((await send(server(), place.endpoint, '{}')).status).toBe(404);
  });
});

/** Lets time pass, and lets waiting runs continue. */
async function pass(): Promise<void> {
  server().clock.advance(60_000);
  await server().app.service.jobs.runDue();
}
