import { afterEach, describe, expect, it } from 'vitest';
import { givenActionPlace, givenSet, isOn, runsOf, signal, turning } from '#testing/actions.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

const states = async (set: Parameters<typeof runsOf>[1]) =>
  (await runsOf(server(), set)).map(({ state }: { state: string }) => state).toReversed();
const lastReason = async (set: Parameters<typeof runsOf>[1]) => (await runsOf(server(), set))[0].reason;
const flip = (at: Awaited<ReturnType<typeof givenActionPlace>>, how: 'ON' | 'OFF', more: object) => {
  const payload = { turn: { operator: 'IN', values: [how] } };
  const match = { source: 'signal-endpoint', sourceId: at.endpoint.id, payload };
  return givenSet(server(), { match, actions: [turning(how, at.projectId, at.flag.featureName)], ...more }, at);
};

describe('a guarded run changes nothing and says why', () => {
  it('during the cool-down of a flag that the set changed', async () => {
    const place = await givenActionPlace(server());
    const on = await flip(place, 'ON', { guards: { cooldownSeconds: 60 } });
    await flip(place, 'OFF', {});
    for (const turn of ['ON', 'OFF', 'ON']) await signal(server(), place, { turn });
    expect(await states(on)).toEqual(['success', 'skipped']);
    expect(await lastReason(on)).toMatch(/^Cool-down: the set changed flag-\d+ less than 60 s ago\.$/);
    expect(await isOn(server(), place.flag)).toBe(false);
    server().clock.advance(61_000);
    await signal(server(), place, { turn: 'ON' });
    expect(await states(on)).toEqual(['success', 'skipped', 'success']);
    expect(await isOn(server(), place.flag)).toBe(true);
  });

  it('until the quorum of signals and tokens is reached, and then counts again from zero', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), { guards: { quorum: { signals: 3, tokens: 2, withinSeconds: 60 } } }, place);
    const second = { ...place.endpoint, token: (await givenToken(server(), place.endpoint.id, 'second')).secret };
    await signal(server(), place);
    server().clock.advance(61_000);
    await signal(server(), place);
    server().clock.advance(20_000);
    await signal(server(), place);
    server().clock.advance(20_000);
    await signal(server(), place);
    expect(await states(set)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    expect(await lastReason(set)).toBe('Quorum: 3 of 3 signals from 1 of 2 tokens arrived within 60 s.');
    server().clock.advance(19_000);
    await signal(server(), { endpoint: second });
    await signal(server(), place);
    expect((await states(set)).slice(4)).toEqual(['success', 'skipped']);
    expect(await isOn(server(), place.flag)).toBe(true);
  });

  it('over the limit of flags per hour', async () => {
    const place = await givenActionPlace(server());
    const flags = [place.flag];
    for (let n = 0; n < 3; n++) flags.push(await givenFlagIn(server(), 'development', place.projectId));
    const set = await givenSet(
      server(),
      {
        allow: { flags: ['*'] },
        guards: { flagsPerHour: 2 },
        actions: [turning('ON', place.projectId, '{{flag}}')],
      },
      place,
    );
    for (const { featureName } of flags.slice(0, 3)) await signal(server(), place, { flag: featureName });
    expect(await states(set)).toEqual(['success', 'success', 'skipped']);
    expect(await lastReason(set)).toBe(
      'Flags per hour: the set would change or hold 3 flags within an hour; 2 are allowed.',
    );
    server().clock.advance(3_601_000);
    await signal(server(), place, { flag: flags[3]?.featureName });
    expect((await states(set)).at(-1)).toBe('success');
    expect(await Promise.all(flags.map((flag) => isOn(server(), flag)))).toEqual([true, true, false, true]);
  });

  it('when a flag is flapping', async () => {
    const place = await givenActionPlace(server());
    const guards = { flapping: { changes: 4, withinSeconds: 600 } };
    const sets = [await flip(place, 'ON', { guards }), await flip(place, 'OFF', { guards })];
    for (const turn of ['ON', 'OFF', 'ON', 'OFF', 'ON']) await signal(server(), place, { turn });
    expect(await states(sets[0] as (typeof sets)[0])).toEqual(['success', 'success', 'skipped']);
    expect(await lastReason(sets[0] as (typeof sets)[0])).toMatch(/^Flapping: actions changed flag-\d+ 4 times/);
    expect(await isOn(server(), place.flag)).toBe(false);
  });

  it('and rolls back all actions, also those before the violation', async () => {
    const place = await givenActionPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const actions = [
      turning('ON', place.projectId, other.featureName, 1),
      turning('ON', place.projectId, place.flag.featureName, 2),
    ];
    const set = await givenSet(server(), { actions, guards: { flagsPerHour: 1 } }, place);
    const before = await lastEventId(server());
    await signal(server(), place);
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'skipped',
      actionSet: { actions: [{ state: 'not started' }, { state: 'not started' }] },
    });
    expect(await isOn(server(), other)).toBe(false);
    expect(await eventsAfter(server(), before)).toMatchObject([{ type: 'action-run-stopped' }]);
  });
});

describe('a set in shadow mode', () => {
  it('records the changes without making them', async () => {
    const set = await givenSet(server(), { shadow: true });
    const before = await lastEventId(server());
    await signal(server(), set);
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'success',
      shadow: true,
      actionSet: {
        actions: [{ changes: [{ type: 'feature-strategy-add' }, { type: 'feature-environment-enabled' }] }],
      },
    });
    expect(await isOn(server(), set.flag)).toBe(false);
    expect(await eventsAfter(server(), before)).toEqual([]);
  });
});

describe('automation', () => {
  const freeze = (frozen: boolean) =>
    server().admin.call('POST /api/admin/automation', { body: { frozen, reason: frozen ? 'drill' : null } });
  const maintain = (enabled: boolean) => server().admin.call('POST /api/admin/maintenance', { body: { enabled } });
  afterEach(async () => {
    await maintain(false);
    await freeze(false);
  });

  it('that is frozen skips runs that do more than release, and does not catch up afterwards', async () => {
    const set = await givenSet(server());
    await freeze(true);
    await signal(server(), set);
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'skipped',
      reason: 'Automation is frozen: drill.',
    });
    await freeze(false);
    await server().app.service.actions.idle();
    expect(await isOn(server(), set.flag)).toBe(false);
    await signal(server(), set);
    expect(await states(set)).toEqual(['skipped', 'success']);
  });

  it('is halted in maintenance mode too', async () => {
    const set = await givenSet(server());
    await maintain(true);
    await signal(server(), set);
    expect((await runsOf(server(), set))[0]).toMatchObject({
      state: 'skipped',
      reason: 'The instance is in maintenance mode.',
    });
    expect(await isOn(server(), set.flag)).toBe(false);
  });
});
