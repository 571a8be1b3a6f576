import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { useServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

/** A place whose endpoint lets actions run for 100 alerts of a signal. */
async function givenPlaceFor100() {
  const place = await givenAlertPlace(server());
  const { id, name } = place.endpoint;
  const body = { name, source: 'alertmanager', maxElements: 100 };
  const params = { id };
  expect((await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params, body })).status).toBe(200);
  return place;
}

const alert = (status: string, n: number) => ({ status, labels: { alertname: `A${n}` }, fingerprint: `m${n}` });
const firing = (count: number) => Array.from({ length: count }, (_, n) => alert('firing', n));
const held = async ({ flag: params }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server().admin.call(list, { params })).json.leases.length as number;
};

/** A set that holds the flag for the alerts of one name, by what the source recognised. */
const byName = (title: string) => ({
  match: {
    forEach: 'normalized.elements',
    payload: { 'item.state': is('firing'), 'item.title': is(title) },
    release: { 'item.state': is('resolved'), 'item.title': is(title) },
  },
});
const everyAlert = (path: string) =>
  path === 'alerts'
    ? {}
    : {
        forEach: path,
        payload: { 'item.state': is('firing') },
        release: { 'item.state': is('resolved') },
      };

async function runsOfSignal(id: number) {
  const query = { signal: `IS:${id}`, limit: 1000 };
  return (await server().admin.call('GET /api/admin/action-runs', { query })).json.runs;
}

describe.each(['alerts', 'normalized.elements'])('a signal with more alerts than actions run for, by %s', (path) => {
  it('runs for the first ones, and says how many it refused', async () => {
    const place = await givenPlaceFor100();
    const body = holdingAlerts(place, { match: everyAlert(path) });
    const set = await givenSet(server(), { ...body, guards: { flagsPerHour: 1000 } }, place);
    const id = await signal(server(), place, { alerts: firing(103) });
    const runs = await runsOfSignal(id);
    expect(runs[0]).toMatchObject({
      actionSetId: set.id,
      state: 'failed',
      element: null,
      reason: `103 elements of the array at ${path} match, and actions run for 100: the last 3 were refused.`,
    });
    const elements = runs.slice(1).map(({ element }: { element: number }) => element);
    expect(elements).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
    expect(await held(place)).toBe(100);
  });

  it('runs for the few that match, wherever they are, and does not fail', async () => {
    const place = await givenPlaceFor100();
    const set = await givenSet(server(), holdingAlerts(place, { match: byName('A100').match }), place);
    await signal(server(), place, { alerts: firing(150) });
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'success', element: 100 }]);
    const other = await givenSet(server(), holdingAlerts(place, { match: byName('None').match }), place);
    await signal(server(), place, { alerts: firing(150) });
    expect(await runsOf(server(), other)).toEqual([]);
  });

  it('releases what the alerts that ended hold', async () => {
    const place = await givenPlaceFor100();
    const set = await givenSet(server(), holdingAlerts(place, { match: everyAlert(path) }), place);
    await signal(server(), place, { alerts: [alert('firing', 140)] });
    expect(await held(place)).toBe(1);
    await signal(server(), place, { alerts: Array.from({ length: 150 }, (_, n) => alert('resolved', n)) });
    expect(await held(place)).toBe(0);
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'success', element: 140 }, { state: 'success' }]);
  });
});

it('the ends of many alerts release in a set that only releases, too', async () => {
  const place = await givenPlaceFor100();
  const key = '{{item.fingerprint}}';
  await givenSet(server(), holdingAlerts(place, { match: { release: null }, params: { key } }), place);
  const { projectId: project, flag } = place;
  const { environment, featureName } = flag;
  const executionParams = { project, environment, featureName, key };
  const releasing = holdingAlerts(place, { match: { payload: { 'item.status': is('resolved') }, release: null } });
  const actions = [{ action: 'RELEASE_FEATURE', sortOrder: 1, executionParams }];
  await givenSet(server(), { ...releasing, actions }, place);
  await signal(server(), place, { alerts: [alert('firing', 5)] });
  expect(await held(place)).toBe(1);
  await signal(server(), place, { alerts: Array.from({ length: 150 }, (_, n) => alert('resolved', n)) });
  expect(await held(place)).toBe(0);
});

it('the end of an alert drops the hold that waits for it, beyond the limit too', async () => {
  const place = await givenPlaceFor100();
  const set = await givenSet(server(), holdingAlerts(place), place);
  await server().admin.call('POST /api/admin/automation', { body: { frozen: true, reason: 'drill' } });
  await signal(server(), place, { alerts: [alert('firing', 120)] });
  expect((await runsOf(server(), set))[0].state).toBe('waiting');
  await signal(server(), place, { alerts: Array.from({ length: 121 }, (_, n) => alert('resolved', n)) });
  await server().admin.call('POST /api/admin/automation', { body: { frozen: false, reason: null } });
  const states = (await runsOf(server(), set)).map(({ state }: { state: string }) => state);
  expect(states.at(-1)).toBe('skipped');
});

it('a dry run and a backtest say which alerts are refused', async () => {
  const place = await givenPlaceFor100();
  const payload = { alerts: firing(101) };
  await signal(server(), place, payload);
  const set = holdingAlerts(place);
  const params = { projectId: place.projectId };
  const reason = '101 elements of the array at alerts match, and actions run for 100: the last 1 was refused.';
  const dryRun = await server().admin.call('POST /api/admin/projects/:projectId/actions/rehearse', {
    params,
    body: { set, payload },
  });
  expect(dryRun.json.views[0]).toMatchObject({ element: null, matches: true, state: 'failed', reason });
  expect(dryRun.json.views.slice(1).map(({ element }: { element: number }) => element)).toEqual(
    Array.from({ length: 100 }, (_, n) => n),
  );
  const backtest = await server().admin.call('POST /api/admin/projects/:projectId/actions/backtest', {
    params,
    body: { set, days: 1 },
  });
  expect(backtest.json.runs).toBe(101);
  expect(backtest.json.matches[0]).toMatchObject({ element: null, actions: [{ problem: reason }] });
});

it('a signal with more than 10,000 alerts is refused', async () => {
  const { endpoint } = await givenAlertPlace(server());
  const { id, name } = endpoint;
  const body = { name, source: 'alertmanager', maxBodyBytes: 1024 * 1024 };
  await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  const { status, text } = await send(server(), endpoint, JSON.stringify({ alerts: Array(10_001).fill({}) }));
  expect([status, text]).toEqual([400, expect.stringContaining('has 10001 elements. At most 10000 are allowed.')]);
});

it('a signal says how many alerts its sender left out', async () => {
  const place = await givenAlertPlace(server());
  server().clock.advance(60_000);
  const id = await signal(server(), place, { alerts: firing(2), truncatedAlerts: 3 });
  const { signals } = (await server().admin.call('GET /api/admin/signals', { query: { id: `IS:${id}` } })).json;
  expect(signals[0].normalized).toMatchObject({ truncatedAlerts: 3 });
  await server().app.service.alerts.settled();
  const { alertsWithoutEffect } = (await server().admin.call('GET /api/admin/now')).json;
  const own = alertsWithoutEffect.filter(({ signalId }: { signalId: number }) => signalId === id);
  expect(own.map(({ truncatedAlerts }: { truncatedAlerts: number }) => truncatedAlerts)).toEqual([3, 3]);
});
