import { expect, it } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { type ActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { author } from '#testing/database.ts';
import { givenHold } from '#testing/holds.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;
const list = 'GET /api/admin/incidents';
const incidentRoute = 'GET /api/admin/incidents/:incidentId';

interface Line {
  readonly type: string;
  readonly mark: string;
  readonly summary: string;
  readonly featureName: string;
}

const incidentsOf = async (projectId: string) =>
  (await server().admin.call(list, { query: { project: `IS:${projectId}` } })).json.incidents;
const detailOf = async (id: number) => (await server().admin.call(incidentRoute, { params: { incidentId: id } })).json;
const linesOf = async (id: number) =>
  (await detailOf(id)).changes.map(({ type, mark }: Line) => `${type} by ${mark}`) as string[];
const send = (place: ActionPlace, status: string) =>
  signal(server(), place, { status, alerts: [{ status, fingerprint: 'a', labels: { alertname: 'Down' } }] });

async function pass(minutes: number, each: () => Promise<unknown> = async () => undefined): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await each();
    server().clock.advance(minuteMs);
    await server().app.service.jobs.runDue();
    await server().app.service.expiries.runDue();
  }
}

async function givenAlerting(params: object = {}): Promise<ActionPlace> {
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params }), place);
  return place;
}

it('an incident has what a safeguard and its plan did, each with its value, reason and mark', async () => {
  const name = metricNamed('failed');
  const report = (value: number) => reportMetrics(server(), [{ name, samples: [{ value }] }], 'development');
  startMinute(server());
  await report(0);
  const { params } = await givenPlan(server(), [rolloutTo(10), rolloutTo(100)]);
  await setSafeguard(server(), params, moreThan(10, `unleash_counter_${name}`));
  await pass(3, () => report(20));
  const [incident, ...others] = await incidentsOf(params.projectId);
  expect(others).toEqual([]);
  expect(incident.title).toBe(`Safeguard triggered: ${params.featureName}`);
  expect(await linesOf(incident.id)).toEqual([
    'safeguard-triggered by plan',
    'release-plan-progressions-paused by plan',
  ]);
  const { changes } = await detailOf(incident.id);
  expect(changes[0].summary).toContain('is 20, above 10');
  expect(changes[1].summary).toContain('is 20, above 10');
});

it('a plan that advances as planned is no incident, and belongs to one that concerns its flag', async () => {
  const place = await givenAlerting();
  const { params } = await givenPlan(server(), [rolloutTo(10, 5), rolloutTo(50, 5), rolloutTo(100)], place.flag);
  await pass(6);
  expect(await incidentsOf(params.projectId)).toEqual([]);
  await send(place, 'firing');
  await send(place, 'resolved');
  await pass(6);
  const [{ id }] = await incidentsOf(params.projectId);
  expect((await linesOf(id)).at(-1)).toBe('release-plan-milestone-started by plan');
});

it('an incident has the expiry of its hold, and the end of an override at its time', async () => {
  const place = await givenAlerting({ minutes: 10 });
  await send(place, 'firing');
  await pass(11);
  const [{ id, openHolds }] = await incidentsOf(place.projectId);
  expect(openHolds).toBe(0);
  expect(await linesOf(id)).toEqual([
    'feature-lease-placed by action',
    'feature-effective-state-changed by action',
    'feature-lease-expired by action',
    'feature-effective-state-changed by action',
  ]);
  const override =
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
  const body = { endsAt: isoTime(server().clock.now() + 5 * minuteMs), reason: 'Enough' };
  expect((await server().admin.call(override, { params: place.flag, body })).status).toBeLessThan(300);
  await pass(6);
  expect((await linesOf(id)).slice(-3)).toEqual([
    'feature-override-placed by person',
    'feature-override-ended by person',
    'feature-override-outlasted by action',
  ]);
});

it('an incident says for how long each flag was off for users, by how many holds, signals and alerts', async () => {
  const place = await givenAlerting();
  await send(place, 'firing');
  await pass(3);
  const [{ id }] = await incidentsOf(place.projectId);
  const { featureName, environment } = place.flag;
  const flag = { featureName, environment, alerts: 1, moved: null };
  expect((await detailOf(id)).perFlag).toEqual([{ ...flag, offMs: 3 * minuteMs, isOff: true, holds: 1, signals: 1 }]);
  await send(place, 'resolved');
  await pass(5);
  expect((await detailOf(id)).perFlag).toEqual([{ ...flag, offMs: 3 * minuteMs, isOff: false, holds: 1, signals: 2 }]);
});

it('a hold of a person is no incident', async () => {
  const { flag: params } = await givenAlertPlace(server());
  await givenHold(server(), params, { effect: 'off', expiresAt: isoTime(server().clock.now() + 20 * minuteMs) });
  await pass(21);
  expect(await incidentsOf(params.projectId)).toEqual([]);
});

it('the events of before an update make the same incidents, grouped in steps', async () => {
  const place = await givenAlerting();
  for (const status of ['firing', 'resolved', 'firing']) {
    await send(place, status);
    await pass(20);
  }
  const all = async () => (await server().admin.call(list)).json.incidents;
  const before = await all();
  expect(before.length).toBeGreaterThan(0);
  const { database } = server().app;
  await database.writeQuietly('incidents', author, async ({ db }) => {
    await db.deleteFrom('incidents').execute();
    await db.updateTable('incident_cursor').set({ event_id: 0 }).execute();
  });
  expect(await all()).toEqual(before);
});

it('a note stays with its incident until the events have been deleted, and not longer', async () => {
  const place = await givenAlerting();
  await send(place, 'firing');
  const [{ id: incidentId }] = await incidentsOf(place.projectId);
  const add = 'POST /api/admin/incidents/:incidentId/notes';
  await server().admin.call(add, { params: { incidentId }, body: { note: 'The disk was full.' } });
  server().clock.advance(2 * 24 * 60 * minuteMs);
  await server().app.service.jobs.runDue();
  expect((await detailOf(incidentId)).notes).toMatchObject([{ note: 'The disk was full.', isOwn: true }]);
  const { database } = server().app;
  await database.writeQuietly('retention', author, async ({ db }) => {
    await db
      .deleteFrom('events')
      .where('id', 'in', (eb) =>
        eb.selectFrom('incident_events').select('event_id').where('incident_id', '=', incidentId),
      )
      .execute();
  });
  server().clock.advance(60 * minuteMs);
  await server().app.service.jobs.runDue();
  expect((await server().admin.call(incidentRoute, { params: { incidentId } })).status).toBe(404);
  const notes = database.db.selectFrom('incident_notes').select('id').where('incident_id', '=', incidentId);
  expect(await notes.execute()).toEqual([]);
});
