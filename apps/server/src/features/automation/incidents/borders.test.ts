import { expect, it } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import { givenMember, setRootRole } from '#testing/access.ts';
import { type ActionPlace, givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const list = 'GET /api/admin/incidents';
const incidentRoute = 'GET /api/admin/incidents/:incidentId';
const minuteMs = 60_000;
const owner = 4;

const send = (place: ActionPlace, status: string) =>
  signal(server(), place, { status, alerts: [{ status, fingerprint: 'a', labels: { alertname: 'HighLatency' } }] });
const incidentsOf = async ({ projectId }: ActionPlace, query: object = {}) =>
  (await server().admin.call(list, { query: { project: `IS:${projectId}`, ...query } })).json.incidents;
const detailOf = async (id: number, client = server().admin) =>
  (await client.call(incidentRoute, { params: { incidentId: id } })).json;
const typesOf = async (id: number) => (await detailOf(id)).changes.map(({ type }: { type: string }) => type);

async function givenHolding(): Promise<ActionPlace> {
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params: { minutes: 600 } }), place);
  return place;
}

/** Switches the flag of a place off, freezes automation for a moment, and blocks the sets of the place for a moment. */
async function changeByHand(place: ActionPlace): Promise<void> {
  const off = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off';
  await server().admin.call(off, { params: place.flag });
  for (const frozen of [true, false]) await server().admin.call('POST /api/admin/automation', { body: { frozen } });
  for (const role of [3, 2]) await setRootRole(server(), place.actorId, role);
}

const byHand = [
  'feature-environment-disabled',
  'setting-created',
  'setting-updated',
  'action-set-blocked',
  'action-set-unblocked',
];

it('an incident that holds nothing has what people did until half an hour after its last change', async () => {
  const place = await givenHolding();
  await send(place, 'firing');
  await send(place, 'resolved');
  const [{ id }] = await incidentsOf(place);
  const before = await typesOf(id);
  server().clock.advance(30 * minuteMs + 1);
  await changeByHand(place);
  expect(await typesOf(id)).toEqual(before);
});

it('an incident that holds a flag has what people did however late', async () => {
  const place = await givenHolding();
  await send(place, 'firing');
  const [{ id }] = await incidentsOf(place);
  const before = await typesOf(id);
  server().clock.advance(90 * minuteMs);
  await changeByHand(place);
  const since = (await typesOf(id)).slice(before.length);
  expect(new Set(since.filter((type: string) => byHand.includes(type)))).toEqual(
    new Set(since.includes('setting-created') ? byHand : byHand.filter((type) => type !== 'setting-created')),
  );
  expect(since).toEqual(expect.arrayContaining(['feature-environment-disabled', 'action-set-unblocked']));
});

it('an incident has no action sets of other projects that cannot run, and no changes of other flags', async () => {
  const [place, other] = [await givenHolding(), await givenHolding()];
  await send(place, 'firing');
  const [{ id }] = await incidentsOf(place);
  const before = await typesOf(id);
  await changeByHand(other);
  const since = (await typesOf(id)).slice(before.length);
  expect(since.filter((type: string) => !type.startsWith('setting-'))).toEqual([]);
});

it('an incident shows its runs and blocked action sets to callers who may read actions in its project', async () => {
  const place = await givenHolding();
  await send(place, 'firing');
  await changeByHand(place);
  const [{ id }] = await incidentsOf(place);
  const own = await givenMember(server(), place.projectId, owner);
  const elsewhere = await givenMember(server(), await givenProject(server()), owner);
  const blocked = ({ changes }: { changes: { type: string }[] }) =>
    changes.filter(({ type }) => type.startsWith('action-set-')).length;
  const [seen, unseen] = [await detailOf(id, own.client), await detailOf(id, elsewhere.client)];
  expect([seen.runs.length, blocked(seen)]).toEqual([1, 2]);
  expect([unseen.runs, blocked(unseen)]).toEqual([null, 0]);
});

it('incidents are listed that changed something since a time and began before another, whole', async () => {
  const place = await givenHolding();
  const at = [];
  for (const status of ['firing', 'resolved', 'firing']) {
    at.push(server().clock.now());
    await send(place, status);
    server().clock.advance(45 * minuteMs);
  }
  const [first = 0, second = 0, third = 0] = at;
  const changesIn = async (query: object) =>
    (await incidentsOf(place, query)).map(({ changes }: { changes: number }) => changes);
  const all = await changesIn({});
  expect(all).toHaveLength(2);
  expect(await changesIn({ from: `IS:${isoTime(third)}` })).toEqual([all[0]]);
  expect(await changesIn({ to: `IS:${isoTime(third)}` })).toEqual([all[1]]);
  expect(await changesIn({ from: `IS:${isoTime(third + 1)}` })).toEqual([]);
  expect(await changesIn({ to: `IS:${isoTime(first)}` })).toEqual([]);
  expect(await changesIn({ to: `IS:${isoTime(second)}` })).toEqual([all[1]]);
});

it('a page of incidents begins after the pages before it, newest first', async () => {
  const place = await givenHolding();
  for (let n = 0; n < 3; n++) {
    await send(place, 'firing');
    await send(place, 'resolved');
    server().clock.advance(31 * minuteMs);
  }
  const query = { project: `IS:${place.projectId}` };
  const pageAt = async (offset: number) =>
    (await server().admin.call(list, { query: { ...query, offset, limit: 2 } })).json;
  const [first, second] = [await pageAt(0), await pageAt(2)];
  expect([first.total, second.total, first.incidents.length, second.incidents.length]).toEqual([3, 3, 2, 1]);
  const ids = [...first.incidents, ...second.incidents].map(({ id }: { id: number }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
  // The title is that of the first signal on each page.
  for (const { title } of [...first.incidents, ...second.incidents]) expect(title).toContain('HighLatency');
});

it('an incident has the failed runs of its project alone', async () => {
  const place = await givenHolding();
  const [own, other] = [await givenActionPlace(server()), await givenActionPlace(server())];
  const failing = (at: ActionPlace) => {
    const executionParams = { project: at.projectId, method: 'POST', url: 'https://8.8.8.8/{{missing}}' };
    return givenSet(server(), { actions: [{ action: 'CALL_URL', sortOrder: 1, executionParams }] }, at);
  };
  await failing({ ...own, projectId: place.projectId, flag: place.flag });
  await failing(other);
  await send(place, 'firing');
  await signal(server(), own);
  await signal(server(), other);
  const [{ id }] = (await incidentsOf(place)).slice(-1);
  const { runs } = await detailOf(id);
  expect(runs.map(({ state }: { state: string }) => state)).toEqual(['success', 'failed']);
});

it('an incident counts a hold that is only prolonged in the time of the list', async () => {
  const place = await givenHolding();
  await send(place, 'firing');
  server().clock.advance(45 * minuteMs);
  const from = isoTime(server().clock.now());
  await send(place, 'firing');
  const [incident, ...others] = await incidentsOf(place, { from: `IS:${from}` });
  expect(others).toEqual([]);
  expect(incident).toMatchObject({ openHolds: 1, flags: [place.flag.featureName] });
});
