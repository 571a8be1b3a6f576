import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, isOn, runsOf, signal, turning } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/signals.ts';
import type { Change } from '../record/outcome.ts';
import { changedTargets } from './guards.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

/** Creates a set that turns a flag on or off; the signal names the set, the flag and the environment. */
function givenTurning(place: ActionPlace, by: string, how: 'ON' | 'OFF', guards: object) {
  const executionParams = { project: place.projectId, environment: '{{environment}}', featureName: '{{flag}}' };
  return givenSet(
    server(),
    {
      match: {
        source: 'signal-endpoint',
        sourceId: place.endpoint.id,
        payload: { by: { operator: 'IN', values: [by] } },
      },
      allow: { flags: ['*'], environments: ['development', 'production'] },
      actions: [{ action: `TOGGLE_FEATURE_${how}`, sortOrder: 1, executionParams }],
      guards,
    },
    place,
  );
}

const turn = (place: ActionPlace, by: string, flag = place.flag.featureName, environment = 'development') =>
  signal(server(), place, { by, flag, environment });
const states = async (set: Parameters<typeof runsOf>[1]) =>
  (await runsOf(server(), set)).map(({ state }: { state: string }) => state).toReversed();

describe('a cool-down', () => {
  it('ends after exactly its duration', async () => {
    const place = await givenActionPlace(server());
    const on = await givenTurning(place, 'on', 'ON', { cooldownSeconds: 60 });
    await givenTurning(place, 'off', 'OFF', {});
    await turn(place, 'on');
    await turn(place, 'off');
    server().clock.advance(59_999);
    await turn(place, 'on');
    server().clock.advance(1);
    await turn(place, 'on');
    expect(await states(on)).toEqual(['success', 'skipped', 'success']);
  });

  it('applies to one set, flag and environment', async () => {
    const place = await givenActionPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const on = await givenTurning(place, 'on', 'ON', { cooldownSeconds: 60 });
    await givenTurning(place, 'off', 'OFF', {});
    await turn(place, 'on', other.featureName);
    await turn(place, 'off', other.featureName);
    await turn(place, 'on', place.flag.featureName, 'production');
    await turn(place, 'on');
    expect(await states(on)).toEqual(['success', 'success', 'success']);
    const second = await givenTurning(place, 'second', 'ON', { cooldownSeconds: 60 });
    await turn(place, 'off');
    await turn(place, 'second');
    expect(await states(second)).toEqual(['success']);
    await turn(place, 'on', other.featureName);
    expect((await states(on)).at(-1)).toBe('skipped');
  });
});

describe('a cool-down of a set that holds a flag off', () => {
  /** Creates a set that holds the flag off in development and turns on the flag that the signal names. */
  async function given() {
    const place = await givenActionPlace(server());
    const { projectId: project, flag } = place;
    const where = { project, environment: flag.environment, featureName: flag.featureName };
    const named = { project, environment: '{{environment}}', featureName: '{{flag}}' };
    const set = await givenSet(
      server(),
      {
        match: {
          source: 'signal-endpoint',
          sourceId: place.endpoint.id,
          payload: { by: { operator: 'IN', values: ['both'] } },
        },
        allow: { flags: ['*'], environments: ['development', 'production'] },
        actions: [
          { action: 'HOLD_FEATURE', sortOrder: 1, executionParams: { ...where, effect: 'off' } },
          { action: 'TOGGLE_FEATURE_ON', sortOrder: 2, executionParams: named },
        ],
        guards: { cooldownSeconds: 60 },
      },
      place,
    );
    await givenTurning(place, 'off', 'OFF', {});
    return { place, set };
  }
  /** Undoes the changes of the set, so that its next run makes all of them again. */
  async function undo({ flag }: ActionPlace, featureName: string, environment: string) {
    const inFlag = '/api/admin/projects/:projectId/features/:featureName' as const;
    const { leases } = (await server().admin.call(`GET ${inFlag}/leases`, { params: flag })).json;
    for (const { id: leaseId } of leases) {
      const params = { ...flag, leaseId };
      await server().admin.call(`DELETE ${inFlag}/environments/:environment/leases/:leaseId`, { params });
    }
    const params = { ...flag, featureName, environment };
    await server().admin.call(`POST ${inFlag}/environments/:environment/off`, { params });
  }

  it.each(['another flag', 'another environment'])('still applies to %s that the run turns on', async (which) => {
    const { place, set } = await given();
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const [featureName, environment] =
      which === 'another flag' ? [other.featureName, 'development'] : [place.flag.featureName, 'production'];
    await turn(place, 'both', featureName, environment);
    await undo(place, featureName, environment);
    await turn(place, 'both', featureName, environment);
    expect(await states(set)).toEqual(['success', 'skipped']);
    server().clock.advance(60_001);
    await turn(place, 'both', featureName, environment);
    expect((await states(set)).at(-1)).toBe('success');
  });
});

describe('a cool-down of a set whose signals say how it holds a flag', () => {
  it('prevents that the hold becomes weaker, and not that it switches the flag off', async () => {
    const place = await givenActionPlace(server());
    const { projectId: project, flag } = place;
    const { environment, featureName } = flag;
    const executionParams = { project, environment, featureName, effect: '{{effect}}' };
    const actions = [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }];
    const set = await givenSet(server(), { actions, guards: { cooldownSeconds: 60 } }, place);
    for (const effect of ['on', 'off', 'on']) await signal(server(), place, { effect });
    expect(await states(set)).toEqual(['success', 'success', 'skipped']);
    expect(await isOn(server(), flag)).toBe(false);
  });
});

describe('a guard against flapping', () => {
  it('counts the changes of all sets to a flag in an environment within its window', async () => {
    const place = await givenActionPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const guards = { flapping: { changes: 3, withinSeconds: 600 } };
    const on = await givenTurning(place, 'on', 'ON', guards);
    const off = await givenTurning(place, 'off', 'OFF', {});
    await turn(place, 'on');
    await turn(place, 'off');
    for (const by of ['on', 'off']) await turn(place, by, other.featureName);
    await turn(place, 'on', place.flag.featureName, 'production');
    await turn(place, 'on');
    await turn(place, 'off');
    expect(await states(on)).toEqual(['success', 'success', 'success', 'success']);
    await turn(place, 'on');
    expect((await states(on)).at(-1)).toBe('skipped');
    server().clock.advance(600_000);
    await turn(place, 'on');
    expect((await states(on)).at(-1)).toBe('success');
    expect(await states(off)).toEqual(['success', 'success', 'success']);
  });
});

describe('a limit of flags per hour', () => {
  it('counts a flag once, for exactly an hour, and no flags of other sets', async () => {
    const place = await givenActionPlace(server());
    const others = [
      await givenFlagIn(server(), 'development', place.projectId),
      await givenFlagIn(server(), 'development', place.projectId),
    ];
    const [second = '', third = ''] = others.map(({ featureName }) => featureName);
    const on = await givenTurning(place, 'on', 'ON', { flagsPerHour: 2 });
    await givenTurning(place, 'free', 'ON', {});
    await givenTurning(place, 'off', 'OFF', {});
    await turn(place, 'free', third);
    for (const by of ['on', 'off', 'on']) await turn(place, by);
    await turn(place, 'on', second);
    await turn(place, 'off', third);
    server().clock.advance(3_599_999);
    await turn(place, 'on', third);
    expect(await states(on)).toEqual(['success', 'success', 'success', 'skipped']);
    server().clock.advance(1);
    await turn(place, 'on', third);
    expect((await states(on)).at(-1)).toBe('success');
  });
});

describe('a quorum', () => {
  const quorum = (signals: number, tokens: number) => ({ quorum: { signals, tokens, withinSeconds: 60 } });

  it('counts a signal within its window', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), { guards: quorum(2, 1) }, place);
    await signal(server(), place);
    server().clock.advance(60_000);
    await signal(server(), place);
    server().clock.advance(59_999);
    await signal(server(), place);
    expect(await states(set)).toEqual(['skipped', 'skipped', 'success']);
  });

  it('starts counting again after each run, not only after the first', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), { guards: quorum(2, 1) }, place);
    for (let sent = 0; sent < 5; sent++) await signal(server(), place);
    expect(await states(set)).toEqual(['skipped', 'success', 'skipped', 'success', 'skipped']);
  });

  it('of a set with forEach counts no signal that has no element', async () => {
    const place = await givenActionPlace(server());
    const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload: {}, forEach: 'alerts' };
    const set = await givenSet(server(), { match, guards: quorum(2, 1) }, place);
    await signal(server(), place);
    await signal(server(), place, { alerts: [{}] });
    expect(await states(set)).toEqual(['skipped', 'skipped']);
    await signal(server(), place, { alerts: [{}] });
    expect(await states(set)).toEqual(['skipped', 'skipped', 'success']);
  });

  it('counts no ends of alerts, and no replays', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place, { set: { guards: quorum(3, 1) } }), place);
    const send = (status: string) => signal(server(), place, { alerts: [{ status, fingerprint: 'a' }] });
    await send('firing');
    const ended = await send('resolved');
    const replay = 'POST /api/admin/projects/:projectId/actions/:actionSetId/replay';
    const params = { projectId: place.projectId, actionSetId: set.id };
    expect((await server().admin.call(replay, { params, body: { signalId: ended } })).status).toBe(200);
    await send('firing');
    expect(await states(set)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
    await send('firing');
    expect((await states(set)).at(-1)).toBe('success');
  });

  it('requires enough signals even with enough tokens, and counts no runs of other sets', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), { guards: quorum(3, 2) }, place);
    const payload = { more: { operator: 'IN', values: ['yes'] } };
    const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
    const actions = [turning('OFF', place.projectId, place.flag.featureName)];
    const rarer = await givenSet(server(), { match, actions, guards: quorum(2, 1) }, place);
    const second = { ...place.endpoint, token: (await givenToken(server(), place.endpoint.id, 'second')).secret };
    await signal(server(), place);
    await signal(server(), { endpoint: second }, { more: 'yes' });
    expect(await states(set)).toEqual(['skipped', 'skipped']);
    await signal(server(), place);
    expect(await states(set)).toEqual(['skipped', 'skipped', 'success']);
    expect(await states(rarer)).toEqual(['skipped']);
  });
});

describe('the targets of a run', () => {
  const change = (type: Change['type'], featureName: string | null, environment: string | null): Change => ({
    type,
    featureName,
    environment,
  });

  it('are each flag and environment once; the environment is empty when an event names none', () => {
    const changes = [
      change('feature-environment-enabled', 'a', 'development'),
      change('feature-strategy-add', 'a', 'development'),
      change('feature-environment-enabled', 'a', 'production'),
      change('feature-environment-enabled', 'b', 'development'),
      change('feature-stale-on', 'a', null),
      change('tag-created', null, null),
    ];
    expect(changedTargets(changes)).toEqual([
      { featureName: 'a', environment: 'development' },
      { featureName: 'a', environment: 'production' },
      { featureName: 'b', environment: 'development' },
      { featureName: 'a', environment: '' },
    ]);
  });

  it('exclude a hold that does not change the effective state', () => {
    expect(changedTargets([change('feature-lease-updated', 'a', 'development')])).toEqual([]);
  });
});
