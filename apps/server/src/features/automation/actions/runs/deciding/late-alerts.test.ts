import { expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;

/** Creates a set that holds a flag off while an alert of an Alertmanager fires, and one that releases it. */
async function given() {
  const place = await givenActionPlace(server());
  const { id, name } = place.endpoint;
  const body = { name, source: 'alertmanager' };
  await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  const { projectId: project, flag } = place;
  const { environment, featureName } = flag;
  const setFor = (status: string, action: string, params: object) =>
    givenSet(
      server(),
      {
        match: {
          source: 'signal-endpoint',
          sourceId: id,
          payload: { 'item.status': { operator: 'IN', values: [status] } },
          forEach: 'alerts',
        },
        actions: [
          {
            action,
            sortOrder: 1,
            executionParams: { project, environment, featureName, key: '{{item.fingerprint}}', ...params },
          },
        ],
      },
      place,
    );
  return {
    place,
    hold: await setFor('firing', 'HOLD_FEATURE', { effect: 'off' }),
    release: await setFor('resolved', 'RELEASE_FEATURE', {}),
  };
}

const [began, beganLater] = ['2026-11-23T03:00:00.000Z', '2026-11-23T03:01:00.000Z'];
const send = (place: ActionPlace, ...alerts: (readonly [status: string, fingerprint: string, startsAt: string])[]) =>
  signal(server(), place, {
    status: alerts[0]?.[0],
    alerts: alerts.map(([status, fingerprint, startsAt]) => ({ status, fingerprint, startsAt })),
  });

const held = async ({ flag }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server().admin.call(list, { params: flag })).json.leases.length as number;
};

it('a firing alert that comes after its end is recorded and does nothing', async () => {
  const { place, hold } = await given();
  await send(place, ['firing', 'a', began]);
  const end = await send(place, ['resolved', 'a', began]);
  server().clock.advance(20_000);
  // The second instance of the sender reports alert a, which has ended, together with a new alert b.
  await send(place, ['firing', 'a', began], ['firing', 'b', began]);
  const [b, a] = await runsOf(server(), hold);
  expect(a).toMatchObject({
    state: 'skipped',
    reason: `Late: the alert a, which began at 2026-11-23 03:00:00 UTC, was resolved by signal ${end} already.`,
  });
  expect(b).toMatchObject({ state: 'success' });
  expect(await held(place)).toBe(1);
});

it('an alert that fires again with another start is not late', async () => {
  const { place } = await given();
  await send(place, ['resolved', 'a', began]);
  await send(place, ['firing', 'a', beganLater]);
  expect(await held(place)).toBe(1);
});

it('an alert that still fires minutes after its end is not late', async () => {
  const { place } = await given();
  await send(place, ['resolved', 'a', began]);
  server().clock.advance(3 * minuteMs);
  await send(place, ['firing', 'a', began]);
  expect(await held(place)).toBe(1);
});

it('the end of an alert at another endpoint does not matter', async () => {
  const [{ place }, other] = [await given(), await given()];
  await send(other.place, ['resolved', 'a', began]);
  await send(place, ['firing', 'a', began]);
  expect(await held(place)).toBe(1);
});

it('alerts whose fingerprints cannot be stored are handled like all others', async () => {
  const { place, hold } = await given();
  for (const fingerprint of ['a\0b', 'a\ud800', 'a\ud801']) {
    await send(place, ['resolved', fingerprint, began], ['resolved', 'b', began]);
    await send(place, ['firing', fingerprint, began]);
  }
  expect(await runsOf(server(), hold)).toHaveLength(3);
});

it('ends are kept for minutes only', async () => {
  const { place } = await given();
  const stored = async () =>
    (
      await server()
        .app.database.db.selectFrom('alert_ends')
        .select('fingerprint')
        .where('endpoint_id', '=', place.endpoint.id)
        .execute()
    ).map(({ fingerprint }) => fingerprint);
  await send(place, ['resolved', 'a', began], ['resolved', 'b', began]);
  expect((await stored()).toSorted()).toEqual(['a', 'b']);
  server().clock.advance(3 * minuteMs);
  await send(place, ['resolved', 'c', began]);
  expect(await stored()).toEqual(['c']);
});

it('a late alert whose fingerprint is a number does nothing', async () => {
  const place = await givenAlertPlace(server());
  const { id, name } = place.endpoint;
  const fields = { elements: { path: 'alerts', state: 'status', fingerprint: 'id', startedAt: 'startsAt' } };
  const body = { name, source: 'generic', fields } as const;
  await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  const set = await givenSet(server(), holdingAlerts(place), place);
  for (const status of ['firing', 'resolved', 'firing'])
    await signal(server(), place, { alerts: [{ status, id: 4711, startsAt: began }] });
  expect((await runsOf(server(), set))[0]).toMatchObject({
    state: 'skipped',
    reason: expect.stringMatching(/^Late: the alert 4711, /),
  });
  expect(await held(place)).toBe(0);
});
