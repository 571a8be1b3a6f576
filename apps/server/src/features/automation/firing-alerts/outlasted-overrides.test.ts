import { describe, expect, it } from 'vitest';
import { timeText } from '#kernel/clock.ts';
import { type ActionPlace, type GivenSet, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { endOverride, freeze, override } from '#testing/stops.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;
const runPath = '/api/admin/projects/:projectId/actions/:actionSetId/events/:runId' as const;

const send = async (place: ActionPlace, status: string, ...fingerprints: string[]) => {
  const startsAt = '2026-11-24T03:00:00.000Z';
  const alerts = fingerprints.map((fingerprint) => {
    return { status, fingerprint, startsAt, labels: { alertname: `Alert ${fingerprint}` } };
  });
  const id = await signal(server(), place, { status, alerts });
  await server().app.service.alerts.settled();
  return id;
};
const inMinutes = (minutes: number) => new Date(server().clock.now() + minutes * minuteMs).toISOString();
const pass = async (minutes: number) => {
  server().clock.advance(minutes * minuteMs);
  await server().app.service.jobs.runDue();
};
const held = async ({ flag }: ActionPlace): Promise<number> => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server().admin.call(list, { params: flag })).json.leases.length;
};
const undecided = async (set: GivenSet) =>
  (await server().admin.call('GET /api/admin/now')).json.undecided.filter(
    ({ actionSetId }: { actionSetId: number }) => actionSetId === set.id,
  );
/** Returns the events that an alert fires after an override, since `before`. */
const told = async (before: number) =>
  (await eventsAfter(server(), before)).filter(({ type }) => type === 'feature-override-outlasted');

type More = NonNullable<Parameters<typeof holdingAlerts>[1]>;

async function given(more: More = {}) {
  const place = await givenAlertPlace(server());
  const set = await givenSet(server(), holdingAlerts(place, more), place);
  return { place, set };
}

describe('after an override ends while the alert fires', () => {
  it.each<[string, (place: ActionPlace) => Promise<unknown>]>([
    ['by a person', (place) => endOverride(server(), place.flag)],
    ['at its time', () => pass(38)],
  ])('a person decides, and is told once: %s', async (_how, end) => {
    const { place, set } = await given();
    const signalId = await send(place, 'firing', 'a');
    await override(server(), place.flag, { holds: 'release', endsAt: inMinutes(37) });
    await pass(5);
    expect(await undecided(set)).toEqual([]);
    const before = await lastEventId(server());
    await end(place);
    const [waiting, ...others] = await undecided(set);
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({
      title: 'Alert a',
      reason: 'Waits for a person: The override has ended while the alert fires.',
      holds: [{ featureName: place.flag.featureName, environment: 'development', effect: 'off' }],
    });
    const alert = { runId: waiting.runId, actionSetId: set.id, signalId };
    expect(await told(before)).toMatchObject([
      { featureName: place.flag.featureName, environment: 'development', data: { alerts: [alert], total: 1 } },
    ]);
    expect(await held(place)).toBe(0);
  });

  it('also about an alert that began under the override, until it is repeated, which holds', async () => {
    const { place, set } = await given();
    await override(server(), place.flag);
    await send(place, 'firing', 'a');
    await endOverride(server(), place.flag);
    expect(await undecided(set)).toHaveLength(1);
    await send(place, 'firing', 'a');
    expect(await undecided(set)).toEqual([]);
    expect(await held(place)).toBe(1);
  });

  it.each<[string, number]>([
    ['hold-now', 1],
    ['drop', 0],
  ])('%s does so', async (decision, holds) => {
    const { place, set } = await given();
    await send(place, 'firing', 'a');
    await override(server(), place.flag, { holds: 'release' });
    await endOverride(server(), place.flag);
    const [{ runId }] = await undecided(set);
    const params = { projectId: set.projectId, actionSetId: set.id, runId };
    const reply = await server().admin.call(`POST ${runPath}/${decision as 'drop'}`, {
      params,
      body: { reason: 'Seen' },
    });
    expect(reply.status).toBe(200);
    expect(await undecided(set)).toEqual([]);
    expect(await held(place)).toBe(holds);
    await send(place, 'resolved', 'a');
    expect(await held(place)).toBe(0);
  });

  it.each<[string, More]>([
    ['releases', {}],
    ['does not release', { match: { release: null } }],
  ])('the question of a set that %s ends with the alert', async (_name, more) => {
    const { place, set } = await given(more);
    await send(place, 'firing', 'a');
    await override(server(), place.flag, { holds: 'release' });
    await endOverride(server(), place.flag);
    expect(await undecided(set)).toHaveLength(1);
    await send(place, 'resolved', 'a');
    expect(await undecided(set)).toEqual([]);
  });

  it('is one event for a flag with many alerts, which names ten', async () => {
    const { place, set } = await given();
    const names = Array.from({ length: 12 }, (_, n) => `${n}`);
    await send(place, 'firing', ...names);
    await override(server(), place.flag, { holds: 'release' });
    const before = await lastEventId(server());
    await endOverride(server(), place.flag);
    const [event, ...others] = await told(before);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ data: { total: 12, alerts: { length: 10 } } });
    expect(await undecided(set)).toHaveLength(12);
  });

  it('only hold now when automation is not frozen', async () => {
    const { place, set } = await given();
    await send(place, 'firing', 'a');
    await override(server(), place.flag, { holds: 'release' });
    await freeze(server(), true);
    await endOverride(server(), place.flag);
    const [{ runId }] = await undecided(set);
    const params = { projectId: set.projectId, actionSetId: set.id, runId };
    const holdNow = () => server().admin.call(`POST ${runPath}/hold-now`, { params, body: { reason: 'Seen' } });
    expect((await holdNow()).status).toBe(409);
    await freeze(server(), false);
    expect((await holdNow()).status).toBe(200);
    expect(await held(place)).toBe(1);
  });
});

describe('no run waits for a person after an override', () => {
  it.each<[string, More, ((place: ActionPlace) => Promise<unknown>)?]>([
    ['whose alert is over', {}, (place) => send(place, 'resolved', 'a')],
    ['whose action is switched off', { set: { enabled: false } }],
    ['whose action is in shadow mode', { set: { shadow: true } }],
    [
      'whose action never reached its quorum',
      { set: { guards: { quorum: { signals: 2, tokens: 1, withinSeconds: 60 } } } },
    ],
    ['whose action holds another flag', { params: { environment: 'production' } }],
  ])('%s', async (_case, more, then) => {
    const { place, set } = await given(more);
    await override(server(), place.flag, { holds: 'release' });
    await send(place, 'firing', 'a');
    await then?.(place);
    const before = await lastEventId(server());
    await endOverride(server(), place.flag);
    expect(await undecided(set)).toEqual([]);
    expect(await told(before)).toEqual([]);
  });

  it('whose alert holds the flag, or waits for a person already', async () => {
    const [kept, asked] = [await given(), await given()];
    await send(kept.place, 'firing', 'a');
    await override(server(), kept.place.flag, { holds: 'keep' });
    await freeze(server(), true);
    await send(asked.place, 'firing', 'a');
    await override(server(), asked.place.flag);
    await freeze(server(), false);
    const before = await lastEventId(server());
    for (const { place } of [kept, asked]) await endOverride(server(), place.flag);
    expect(await told(before)).toEqual([]);
    expect(await undecided(kept.set)).toEqual([]);
    expect(await undecided(asked.set)).toHaveLength(1);
  });

  it('that another one on the flag replaced', async () => {
    const { place, set } = await given();
    await send(place, 'firing', 'a');
    await override(server(), place.flag, { holds: 'release', endsAt: inMinutes(5) });
    await override(server(), place.flag, { holds: 'release', endsAt: inMinutes(60) });
    await pass(10);
    expect(await undecided(set)).toEqual([]);
  });
});

it('no text names the end of an override that a person ended before', async () => {
  const { place, set } = await given();
  const other = await givenFlagIn(server(), 'development', place.projectId);
  const endsAt = inMinutes(37);
  await override(server(), place.flag, { endsAt });
  await send(place, 'firing', 'a');
  await override(server(), other, { endsAt });
  await endOverride(server(), place.flag);
  await endOverride(server(), other);
  const answers = await Promise.all([
    server().admin.call('GET /api/admin/now'),
    server().admin.call('GET /api/admin/action-runs', { query: { project: `IS:${place.projectId}` } }),
    server().admin.call('GET /api/admin/incidents', { query: { project: place.projectId } }),
  ]);
  const [{ reason }] = (await runsOf(server(), set)).slice(-1);
  expect(reason).toContain('keeps automation off');
  const end = timeText(Date.parse(endsAt));
  for (const text of [...answers.map((answer) => answer.text), reason]) expect(text).not.toContain(end);
});
