import { afterEach, describe, expect, it } from 'vitest';
import { type ActionPlace, type GivenSet, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000, signalRatePerSecond: 0 });
const hourMs = 3_600_000;

const freeze = (frozen: boolean) =>
  server().admin.call('POST /api/admin/automation', { body: { frozen, reason: frozen ? 'drill' : null } });
const maintain = (enabled: boolean) => server().admin.call('POST /api/admin/maintenance', { body: { enabled } });
afterEach(async () => {
  await maintain(false);
  await freeze(false);
});

async function given(set: object = {}) {
  const place = await givenAlertPlace(server());
  return { place, set: await givenSet(server(), holdingAlerts(place, { set }), place) };
}

const send = (place: ActionPlace, status: string, fingerprint = 'a', more: object = {}) =>
  signal(server(), place, { status, alerts: [{ status, fingerprint, ...more }] });

async function pass(ms: number): Promise<void> {
  server().clock.advance(ms);
  await server().app.service.jobs.runDue();
}

const runs = async (set: GivenSet): Promise<{ id: number; state: string; reason: string; decideBy: string | null }[]> =>
  (await runsOf(server(), set)).toReversed();
const statesOf = async (set: GivenSet) => (await runs(set)).map(({ state }) => state);

const holdNow = (set: GivenSet, runId: number) =>
  server().admin.call('POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/hold-now', {
    params: { projectId: set.projectId, actionSetId: set.id, runId },
    body: { reason: 'It still fires' },
  });

const held = async ({ flag }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  const { leases } = (await server().admin.call(list, { params: flag })).json;
  return leases.map(({ heldBy }: { heldBy: { key: string } }) => heldBy.key).toSorted();
};

const undecidedOf = async ({ projectId }: ActionPlace) => {
  const { json } = await server().admin.call('GET /api/admin/now');
  return json.undecided.filter(({ project }: { project: string }) => project === projectId);
};

describe('a hold that a freeze stopped', () => {
  it('waits for a person after the freeze, told once, with what it would hold and why', async () => {
    const { place, set } = await given();
    await freeze(true);
    const before = await lastEventId(server());
    const labels = { labels: { alertname: 'HighLatency' }, startsAt: '2026-11-24T03:00:00Z' };
    await send(place, 'firing', 'a', labels);
    await send(place, 'firing', 'b', labels);
    expect((await eventsAfter(server(), before)).map(({ type }) => type)).toEqual(['action-run-stopped']);
    await freeze(false);
    await pass(hourMs);
    expect(await held(place)).toEqual([]);
    expect(await runs(set)).toMatchObject([
      { state: 'waiting', reason: 'Waits for a person: Automation is frozen: drill.' },
      { state: 'waiting' },
    ]);
    const { featureName, environment } = place.flag;
    expect(await undecidedOf(place)).toMatchObject([
      { title: 'HighLatency' },
      {
        title: 'HighLatency',
        since: expect.stringMatching(/^2026-11-24T03:00:00/),
        holds: [{ featureName, environment, effect: 'off', rollout: null }],
      },
    ]);
    const { json } = await server().admin.call('GET /api/admin/now');
    expect(json.runs.filter(({ project }: { project: string }) => project === place.projectId)).toEqual([]);
    await holdNow(set, (await runs(set))[1]?.id ?? 0);
    expect([await held(place), await statesOf(set)]).toEqual([['b'], ['waiting', 'success']]);
  });

  it('is dropped when its alert ends, during the freeze or afterwards', async () => {
    const { place, set } = await given();
    await freeze(true);
    for (const alert of ['a', 'b']) await send(place, 'firing', alert);
    await send(place, 'resolved', 'a');
    await freeze(false);
    await send(place, 'resolved', 'b');
    await pass(hourMs);
    expect(await undecidedOf(place)).toEqual([]);
    const [first, second] = await runs(set);
    for (const run of [first, second])
      expect(run).toMatchObject({
        state: 'skipped',
        reason: expect.stringMatching(/^The alert ended while this run waited: see run \d+\.$/),
      });
    expect(await held(place)).toEqual([]);
  });

  it('is dropped when its alert ends, also where another set releases', async () => {
    const place = await givenAlertPlace(server());
    const body = holdingAlerts(place, { match: { release: null }, params: { key: '{{item.fingerprint}}' } });
    const set = await givenSet(server(), body, place);
    await freeze(true);
    for (const alert of ['a', 'b']) await send(place, 'firing', alert);
    const signalId = await send(place, 'resolved', 'a');
    expect(await runs(set)).toMatchObject([
      { state: 'skipped', reason: `The alert ended while this run waited: see signal ${signalId}.` },
      { state: 'waiting' },
    ]);
  });

  it('gives way to a hold of the same alert that is reported again after the freeze', async () => {
    const { place, set } = await given();
    await freeze(true);
    await send(place, 'firing');
    await send(place, 'firing');
    await freeze(false);
    await send(place, 'firing');
    expect([await held(place), await statesOf(set)]).toEqual([['a'], ['skipped', 'skipped', 'success']]);
  });

  it('is not asked about when the set holds the flag already', async () => {
    const { place, set } = await given();
    await send(place, 'firing');
    await freeze(true);
    await send(place, 'firing');
    expect([await held(place), await statesOf(set)]).toEqual([['a'], ['success', 'skipped']]);
  });

  it('is dropped after a day without a decision', async () => {
    const { place, set } = await given();
    await freeze(true);
    await send(place, 'firing');
    await freeze(false);
    await pass(23.9 * hourMs);
    expect(await statesOf(set)).toEqual(['waiting']);
    await pass(0.2 * hourMs);
    expect(await runs(set)).toMatchObject([
      { state: 'skipped', reason: 'Dropped: no person decided within 24 hours.', decideBy: null },
    ]);
  });

  it('waits for at most 100 alerts of a set', async () => {
    const { place, set } = await given();
    await freeze(true);
    const alerts = Array.from({ length: 100 }, (_, n) => ({ status: 'firing', fingerprint: `f${n}` }));
    await signal(server(), place, { alerts });
    await send(place, 'firing', 'one more');
    const [last, ...others] = await runsOf(server(), set);
    expect(last.reason).toBe('Automation is frozen: drill. 100 holds of this set wait for a person already.');
    expect(new Set(others.map(({ state }: { state: string }) => state))).toEqual(new Set(['waiting']));
  });

  it('is stopped by an override that a person has placed meanwhile', async () => {
    const { place, set } = await given();
    await freeze(true);
    await send(place, 'firing');
    await freeze(false);
    await server().admin.call(
      'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override',
      { params: place.flag, body: { reason: 'By hand' } },
    );
    const { json } = await holdNow(set, (await runs(set))[0]?.id ?? 0);
    expect(json).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^Override: admin keeps automation/),
    });
    expect(await held(place)).toEqual([]);
  });
});

it('a hold that maintenance or a disabled endpoint stopped waits for a person', async () => {
  const { place, set } = await given();
  await maintain(true);
  await send(place, 'firing');
  await maintain(false);
  const { id, name } = place.endpoint;
  const body = { name, source: 'alertmanager', enabled: false, whenDisabled: 'keep' };
  await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  await send(place, 'firing', 'b');
  expect(await statesOf(set)).toEqual(['waiting', 'waiting']);
  expect((await holdNow(set, (await runs(set))[1]?.id ?? 0)).status).toBe(409);
});

it('a hold that waits can be dropped in maintenance, and its page says how to hold the flag then', async () => {
  const { place, set } = await given();
  await maintain(true);
  await send(place, 'firing');
  const [{ id: runId = 0 } = {}] = await runs(set);
  const refused = await holdNow(set, runId);
  expect(refused.status).toBe(409);
  expect(refused.json.message).toContain('Until that has ended, hold the flag on its own page.');
  const dropped = await server().admin.call(
    'POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/drop',
    { params: { projectId: set.projectId, actionSetId: set.id, runId }, body: { reason: 'Known' } },
  );
  expect(dropped.status).toBe(200);
  expect(await statesOf(set)).toEqual(['skipped']);
});

it('a hold that waits for a guard waits for a person after a freeze', async () => {
  const place = await givenAlertPlace(server());
  const params = { featureName: '{{item.flag}}', key: '{{item.fingerprint}}' };
  const more = { guards: { flagsPerHour: 1 }, allow: { flags: ['*'], tags: [], environments: [] } };
  const set = await givenSet(server(), holdingAlerts(place, { params, set: more }), place);
  const other = await givenAlertPlace(server());
  await send(place, 'firing', 'a', { flag: place.flag.featureName });
  await server().admin.call('POST /api/admin/projects/:projectId/features', {
    params: { projectId: place.projectId },
    body: { name: `${other.flag.featureName}-2` },
  });
  await send(place, 'firing', 'b', { flag: `${other.flag.featureName}-2` });
  expect((await runs(set))[1]).toMatchObject({ state: 'waiting', decideBy: null });
  await freeze(true);
  await pass(10_000);
  await freeze(false);
  await pass(2 * hourMs);
  expect((await runs(set))[1]).toMatchObject({ state: 'waiting', decideBy: expect.any(String) });
  await holdNow(set, (await runs(set))[1]?.id ?? 0);
  // The decision of a person does not override guards: the run is stopped and is tried again later.
  const reason = expect.stringMatching(/^Flags per hour: /);
  expect((await runs(set))[1]).toMatchObject({ state: 'waiting', reason, decideBy: null });
});

it('a set without alerts waits once for the holds that it asks for', async () => {
  const place = await givenAlertPlace(server());
  const match = { payload: { status: is('down') }, release: null, forEach: null };
  const set = await givenSet(server(), holdingAlerts(place, { match }), place);
  await freeze(true);
  for (let n = 0; n < 3; n++) await signal(server(), place, { status: 'down' });
  expect(await statesOf(set)).toEqual(['skipped', 'skipped', 'waiting']);
});
