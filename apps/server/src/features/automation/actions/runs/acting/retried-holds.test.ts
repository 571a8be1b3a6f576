import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Creates two flags, and a set that holds the flag which an alert names, at most one flag in an hour. */
async function given() {
  const place = await givenAlertPlace(server());
  const { projectId } = place;
  const other = await givenFlagIn(server(), 'development', projectId);
  const set = await givenSet(
    server(),
    holdingAlerts(place, {
      params: { featureName: '{{item.flag}}', minutes: 600 },
      set: { guards: { flagsPerHour: 1 }, allow: { flags: ['*'], tags: [], environments: [] } },
    }),
    place,
  );
  return { place, set, flags: [place.flag.featureName, other.featureName] as const };
}

const send = (place: ActionPlace, status: string, flag: string) =>
  signal(server(), place, { status, alerts: [{ status, fingerprint: flag, flag }] });

const heldFlags = async ({ projectId }: ActionPlace) => {
  const { leases } = (await server().admin.call('GET /api/admin/projects/:projectId/leases', { params: { projectId } }))
    .json;
  return leases.map(({ featureName }: { featureName: string }) => featureName).toSorted();
};

/** Advances the clock minute by minute, and continues the runs that are due after each minute. */
async function pass(ms: number): Promise<void> {
  for (let at = 0; at < ms; at += minuteMs) {
    server().clock.advance(minuteMs);
    await server().app.service.jobs.runDue();
  }
}

const statesOf = async (set: { projectId: string; id: number }) =>
  (await runsOf(server(), set)).map(({ state }: { state: string }) => state).reverse();

describe('a hold that the limit of flags an hour stops', () => {
  it('is placed once the limit allows it, and reported once', async () => {
    const { place, set, flags } = await given();
    const [first, second] = flags;
    await send(place, 'firing', first);
    const before = await lastEventId(server());
    await send(place, 'firing', second);
    expect([await heldFlags(place), await statesOf(set)]).toEqual([[first], ['success', 'waiting']]);
    await pass(5 * minuteMs);
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).toEqual(['action-run-stopped']);
    await send(place, 'resolved', first);
    await pass(hourMs);
    expect([await heldFlags(place), await statesOf(set)]).toEqual([[second], ['success', 'success', 'success']]);
  });

  it('is not placed after its alert has ended', async () => {
    const { place, set, flags } = await given();
    for (const flag of flags) await send(place, 'firing', flag);
    for (const flag of flags) await send(place, 'resolved', flag);
    await pass(2 * hourMs);
    expect(await heldFlags(place)).toEqual([]);
    expect((await runsOf(server(), set))[2].reason).toMatch(/^The alert ended while this run waited: see run \d+\.$/);
    expect(await statesOf(set)).toEqual(['success', 'skipped', 'success', 'skipped']);
  });

  it('waits once for an alert that is reported again', async () => {
    const { place, set, flags } = await given();
    const [first, second] = flags;
    for (const flag of [first, second, second]) await send(place, 'firing', flag);
    expect(await statesOf(set)).toEqual(['success', 'skipped', 'waiting']);
    expect((await runsOf(server(), set))[1].reason).toMatch(/^The alert was reported again while this run waited/);
  });
});

describe('a hold that stays after its end', () => {
  it('is announced, lasts until its alert ends, and is not released by the time', async () => {
    const place = await givenAlertPlace(server());
    const { flag } = place;
    const params = { minutes: 60, onExpiry: 'keep' };
    await givenSet(server(), holdingAlerts(place, { params }), place);
    await send(place, 'firing', flag.featureName);
    const before = await lastEventId(server());
    server().clock.advance(50 * minuteMs);
    await server().app.service.announcements.runDue();
    server().clock.advance(20 * minuteMs);
    await server().app.service.announcements.runDue();
    await server().app.service.expiries.runDue();
    const events = await eventsAfter(server(), before);
    expect(events).toMatchObject([{ type: 'feature-lease-expiring', data: { onExpiry: 'keep' } }]);
    const [{ summary }] = (await server().admin.call('GET /api/admin/search/events', { query: { limit: 1 } })).json
      .events;
    expect(summary).toMatch(/, then kept until a person releases it$/);
    expect(await heldFlags(place)).toEqual([flag.featureName]);
    await send(place, 'resolved', flag.featureName);
    expect(await heldFlags(place)).toEqual([]);
  });

  it('is announced at its end when that is near', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { minutes: 5, onExpiry: 'keep' } }), place);
    await send(place, 'firing', place.flag.featureName);
    const before = await lastEventId(server());
    server().clock.advance(5 * minuteMs);
    await server().app.service.expiries.runDue();
    await server().app.service.announcements.runDue();
    expect((await eventsAfter(server(), before)).map(({ type }) => type)).toEqual(['feature-lease-expiring']);
    expect(await heldFlags(place)).toEqual([place.flag.featureName]);
  });

  it('is not ended when another hold on the flag expires', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { minutes: 5, onExpiry: 'keep' } }), place);
    await send(place, 'firing', place.flag.featureName);
    const expiresAt = new Date(server().clock.now() + 10 * minuteMs).toISOString();
    await givenHold(server(), place.flag, { effect: 'off', expiresAt });
    server().clock.advance(10 * minuteMs);
    await server().app.service.expiries.runDue();
    expect(await heldFlags(place)).toEqual([place.flag.featureName]);
  });
});

describe('a signal without the array that a set reads', () => {
  it('leaves a skipped run, unless a filter outside of the array fails', async () => {
    const place = await givenAlertPlace(server());
    const match = { payload: { team: is('shop'), 'item.status': is('firing') } };
    const set = await givenSet(server(), holdingAlerts(place, { match }), place);
    await signal(server(), place, { team: 'shop', alarms: [] });
    await signal(server(), place, { team: 'other', alarms: [] });
    expect(await runsOf(server(), set)).toMatchObject([
      { state: 'skipped', reason: 'The payload has no array at alerts.' },
    ]);
  });

  it('does not count for a quorum', async () => {
    const place = await givenAlertPlace(server());
    const guards = { quorum: { signals: 2, tokens: 1, withinSeconds: 60 } };
    const set = await givenSet(server(), holdingAlerts(place, { set: { guards } }), place);
    await signal(server(), place, {});
    await send(place, 'firing', place.flag.featureName);
    expect(await statesOf(set)).toEqual(['skipped', 'skipped']);
    await send(place, 'firing', place.flag.featureName);
    expect(await statesOf(set)).toEqual(['skipped', 'skipped', 'success']);
  });
});
