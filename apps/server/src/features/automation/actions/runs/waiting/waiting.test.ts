import { afterEach, describe, expect, it } from 'vitest';
import { setRootRole } from '#testing/access.ts';
import { type ActionPlace, type GivenSet, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { switchFlag } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

const freeze = (frozen: boolean) =>
  server().admin.call('POST /api/admin/automation', { body: { frozen, reason: frozen ? 'drill' : null } });
const maintain = (enabled: boolean) => server().admin.call('POST /api/admin/maintenance', { body: { enabled } });
afterEach(async () => {
  await maintain(false);
  await freeze(false);
});

/** Creates a flag that is on, a set that holds it off for firing alerts, and one that releases it for resolved ones. */
async function given(guards: object = {}) {
  const place = await givenActionPlace(server());
  const { projectId: project, flag } = place;
  const { environment, featureName } = flag;
  await switchFlag(server(), flag, 'on');
  const setFor = (status: string, action: string, params: object, more: object = {}) =>
    givenSet(
      server(),
      {
        match: {
          source: 'signal-endpoint',
          sourceId: place.endpoint.id,
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
        ...more,
      },
      place,
    );
  const hold = await setFor('firing', 'HOLD_FEATURE', { effect: 'off' });
  const release = await setFor('resolved', 'RELEASE_FEATURE', {}, { guards });
  return { place, hold, release };
}

const send = (place: ActionPlace, ...alerts: (readonly [status: string, fingerprint: string])[]) =>
  signal(server(), place, { alerts: alerts.map(([status, fingerprint]) => ({ status, fingerprint })) });

const held = async ({ flag }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  const { leases } = (await server().admin.call(list, { params: flag })).json;
  return leases.map(({ heldBy }: { heldBy: { key: string } }) => heldBy.key).toSorted();
};

const lastRun = async (set: Pick<GivenSet, 'projectId' | 'id'>) => (await runsOf(server(), set))[0];

/** Lets time pass, and lets due runs continue. */
async function pass(ms: number): Promise<void> {
  server().clock.advance(ms);
  await server().app.service.jobs.runDue();
}

describe('a release while automation is frozen', () => {
  it('waits and ends the hold after the freeze, with the signal as its cause', async () => {
    const { place, release } = await given();
    await send(place, ['firing', 'a'], ['firing', 'b']);
    await freeze(true);
    const signalId = await send(place, ['resolved', 'a']);
    expect(await lastRun(release)).toMatchObject({ state: 'waiting', reason: 'Automation is frozen: drill.' });
    await pass(60_000);
    expect(await held(place)).toEqual(['a', 'b']);
    await freeze(false);
    const before = await lastEventId(server());
    await pass(2000);
    expect(await held(place)).toEqual(['b']);
    const run = await lastRun(release);
    expect(run).toMatchObject({ state: 'success', reason: null, trigger: 'signal' });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-lease-released', cause: { runId: run.id, signalId } },
    ]);
    await pass(60_000);
    expect(await runsOf(server(), release)).toHaveLength(1);
  });

  it('leaves the hold of an alert that fires again before it continues', async () => {
    const { place, release } = await given();
    await send(place, ['firing', 'a']);
    await freeze(true);
    await send(place, ['resolved', 'a']);
    await pass(0);
    await freeze(false);
    // The alert fires again before the next look at waiting runs.
    await send(place, ['firing', 'a']);
    await pass(2000);
    expect(await held(place)).toEqual(['a']);
    expect(await lastRun(release)).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^Nothing to rel/),
    });
    await send(place, ['resolved', 'a']);
    expect(await held(place)).toEqual([]);
  });

  it('leaves the hold of an alert that fires again during the freeze', async () => {
    const { place, hold } = await given();
    await send(place, ['firing', 'a'], ['firing', 'b']);
    await freeze(true);
    await send(place, ['resolved', 'a'], ['resolved', 'b']);
    await send(place, ['firing', 'a'], ['firing', 'c']);
    expect(await lastRun(hold)).toMatchObject({
      state: 'waiting',
      reason: 'Waits for a person: Automation is frozen: drill.',
    });
    await freeze(false);
    await pass(2000);
    expect(await held(place)).toEqual(['a']);
  });

  it('waits in maintenance mode too', async () => {
    const { place, release } = await given();
    await send(place, ['firing', 'a']);
    await maintain(true);
    await send(place, ['resolved', 'a']);
    expect(await lastRun(release)).toMatchObject({
      state: 'waiting',
      reason: 'The instance is in maintenance mode.',
    });
    await maintain(false);
    await pass(2000);
    expect(await held(place)).toEqual([]);
  });

  it('is skipped when its set was switched off or deleted meanwhile', async () => {
    const { place, hold, release } = await given();
    const params = { projectId: release.projectId, id: release.id };
    const afterwards = async (change: () => Promise<unknown>) => {
      await send(place, ['firing', 'a']);
      await freeze(true);
      await send(place, ['resolved', 'a']);
      const { id: runId } = await lastRun(release);
      await change();
      await freeze(false);
      await pass(2000);
      const run = 'GET /api/admin/action-runs/:runId';
      return (await server().admin.call(run, { params: { runId } })).json.reason;
    };
    const switched = (how: 'on' | 'off') =>
      server().admin.call(`POST /api/admin/projects/:projectId/actions/:id/${how}` as const, { params });
    expect(await afterwards(() => switched('off'))).toBe('The set of actions was switched off while this run waited.');
    await switched('on');
    const remove = 'DELETE /api/admin/projects/:projectId/actions/:id';
    expect(await afterwards(() => server().admin.call(remove, { params }))).toBe(
      'The set of actions was deleted while this run waited.',
    );
    expect(await held(place)).toEqual(['a']);
    expect(await lastRun(hold)).toMatchObject({ state: 'success' });
  });
});

describe('a release during a cool-down', () => {
  it('waits until the cool-down has passed', async () => {
    const { place, release } = await given({ cooldownSeconds: 30 });
    await send(place, ['firing', 'a'], ['resolved', 'a']);
    await send(place, ['firing', 'b'], ['resolved', 'b']);
    expect(await lastRun(release)).toMatchObject({
      state: 'waiting',
      reason: expect.stringMatching(/^Cool-down: the set changed flag-\d+ less than 30 s ago\.$/),
    });
    await pass(20_000);
    expect(await held(place)).toEqual(['b']);
    await pass(10_001);
    expect(await held(place)).toEqual([]);
    expect(await lastRun(release)).toMatchObject({ state: 'success' });
  });

  it('does not give back a flag whose alert fires again', async () => {
    const { place } = await given({ cooldownSeconds: 30 });
    for (const status of ['firing', 'resolved', 'firing', 'resolved', 'firing']) await send(place, [status, 'a']);
    await pass(31_000);
    expect(await held(place)).toEqual(['a']);
  });
});

it('shows runs that wait on the page Now, but not those that had nothing to release', async () => {
  const { place, release } = await given();
  await send(place, ['resolved', 'never fired']);
  await send(place, ['firing', 'a']);
  await freeze(true);
  await send(place, ['resolved', 'a']);
  const { runs } = (await server().admin.call('GET /api/admin/now')).json;
  expect(runs[0]).toMatchObject({ state: 'waiting', actionSetId: release.id, reason: 'Automation is frozen: drill.' });
  const reasons = runs.map(({ reason }: { reason: string | null }) => reason ?? '');
  expect(reasons.filter((reason: string) => reason.startsWith('Nothing to release'))).toEqual([]);
});

describe('a release whose service account lacks a permission', () => {
  const [editor, viewer] = [2, 3];
  const givenHeld = async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place), place);
    await send(place, ['firing', 'a']);
    expect(await held(place)).toHaveLength(1);
    return { place, set };
  };

  it('waits, is told as an action that cannot run, and ends the hold once the permission is back', async () => {
    const { place, set } = await givenHeld();
    const before = await lastEventId(server());
    await setRootRole(server(), set.actorId, viewer);
    await send(place, ['resolved', 'a']);
    const reason = expect.stringMatching(/lacks the permission .* The release is tried again each minute\.$/);
    expect(await lastRun(set)).toMatchObject({ state: 'waiting', reason });
    await pass(60_000);
    expect(await lastRun(set)).toMatchObject({ state: 'waiting', reason });
    const told = (await eventsAfter(server(), before)).filter(({ type }) => type.startsWith('action-'));
    expect(told.map(({ type }) => type)).toEqual(['action-set-blocked']);
    await setRootRole(server(), set.actorId, editor);
    await pass(60_000);
    expect(await held(place)).toEqual([]);
    expect(await lastRun(set)).toMatchObject({ state: 'success', reason: null });
  });

  it('leaves the hold of an alert that fires again meanwhile', async () => {
    const { place, set } = await givenHeld();
    await setRootRole(server(), set.actorId, viewer);
    await send(place, ['resolved', 'a']);
    await send(place, ['firing', 'a']);
    expect(await lastRun(set)).toMatchObject({ state: 'failed' });
    await setRootRole(server(), set.actorId, editor);
    await pass(60_000);
    expect(await held(place)).toHaveLength(1);
    await send(place, ['resolved', 'a']);
    expect(await held(place)).toEqual([]);
  });
});
