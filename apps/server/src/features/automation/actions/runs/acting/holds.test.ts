import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, isOn, runsOf, signal } from '#testing/actions.ts';
import type { ApiClient } from '#testing/client.ts';
import { author } from '#testing/database.ts';
import { givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;

/** Creates sets that hold the flag off for each firing alert and release it for each resolved alert. */
async function givenHolds(place: ActionPlace, params: object = {}, guards: { hold?: object; release?: object } = {}) {
  const set = (status: string, action: string, more: object, guards: object = {}) =>
    givenSet(
      server(),
      {
        guards,
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
            executionParams: {
              project: place.projectId,
              environment: 'development',
              featureName: place.flag.featureName,
              key: '{{item.fingerprint}}',
              ...more,
            },
          },
        ],
      },
      place,
    );
  return {
    hold: await set('firing', 'HOLD_FEATURE', { effect: 'off', ...params }, guards.hold),
    release: await set('resolved', 'RELEASE_FEATURE', {}, guards.release),
  };
}

const alerts = (...some: (readonly [status: string, fingerprint: string])[]) => ({
  alerts: some.map(([status, fingerprint]) => ({ status, fingerprint })),
});

/** Returns the state that SDKs receive and the configured state. */
async function statesOf({ flag }: ActionPlace) {
  const { secret } = await givenToken(server(), { environment: 'development' });
  const { features } = (await server().client(secret).call('GET /api/client/features')).json;
  const seen = features.find(({ name }: { name: string }) => name === flag.featureName);
  return { seen: seen.enabled as boolean, configured: await isOn(server(), flag) };
}

async function givenFlagOn(): Promise<ActionPlace> {
  const place = await givenActionPlace(server());
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  expect((await server().admin.call(on, { params: place.flag })).status).toBe(200);
  return place;
}

describe('a flag that alerts hold off', () => {
  it('is on again when the last alert is resolved, in any order and with repetitions', async () => {
    const place = await givenFlagOn();
    await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a'], ['firing', 'b']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await signal(server(), place, alerts(['firing', 'a'], ['resolved', 'b'], ['resolved', 'b']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await signal(server(), place, alerts(['resolved', 'a']));
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });

  it('has the state that was configured meanwhile once it is released', async () => {
    const place = await givenFlagOn();
    await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a']));
    const off = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off';
    await server().admin.call(off, { params: place.flag });
    await signal(server(), place, alerts(['resolved', 'a']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: false });
  });

  it('is on again after the given minutes when no alert is resolved', async () => {
    const place = await givenFlagOn();
    await givenHolds(place, { minutes: 10 });
    await signal(server(), place, alerts(['firing', 'a']));
    server().clock.advance(11 * minuteMs);
    await server().app.service.expiries.runDue();
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });

  it('names the run and the signal of each hold as the cause when it expires', async () => {
    const place = await givenFlagOn();
    const { hold } = await givenHolds(place, { minutes: 10 });
    const first = await signal(server(), place, alerts(['firing', 'a']));
    const second = await signal(server(), place, alerts(['firing', 'b']));
    const [secondRun, firstRun] = (await runsOf(server(), hold)).map(({ id }: { id: number }) => id);
    const before = await lastEventId(server());
    server().clock.advance(11 * minuteMs);
    await server().app.service.expiries.runDue();
    const events = await eventsAfter(server(), before);
    const expired = (runId: number, signalId: number, key: string) => ({
      type: 'feature-lease-expired',
      cause: { runId, signalId, requestId: null },
      preData: { heldBy: { kind: 'run', key: expect.stringContaining(key), runId }, expiresAt: expect.any(String) },
    });
    expect(events).toMatchObject([
      expired(secondRun, second, 'b'),
      expired(firstRun, first, 'a'),
      { type: 'feature-effective-state-changed', cause: { runId: firstRun, signalId: first }, data: { enabled: true } },
    ]);
  });

  it('is held with a reason from the alert, cut to the maximum length', async () => {
    const place = await givenFlagOn();
    await givenHolds(place, { reason: 'Alert: {{item.summary}}' });
    const firing = (fingerprint: string, summary: string) => ({ status: 'firing', fingerprint, summary });
    await signal(server(), place, { alerts: [firing('a', 'p99 over 2 s'), firing('b', `\0${'long '.repeat(300)}`)] });
    const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    const { leases } = (await server().admin.call(list, { params: place.flag })).json;
    const reasons = leases.map(({ reason }: { reason: string }) => reason);
    expect(reasons.toSorted()).toEqual([`Alert: ${'long '.repeat(300)}`.slice(0, 1000), 'Alert: p99 over 2 s']);
  });

  it('refuses a condition that cannot be stored', async () => {
    const place = await givenFlagOn();
    const { hold } = await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a\0b'], ['firing', 'c']));
    const [second, first] = await runsOf(server(), hold);
    expect(second.state).toBe('success');
    expect(first.state).toBe('failed');
    expect(first.actionSet.actions[0].details).toBe(
      'The parameter key is invalid: must not contain U+0000 or a lone surrogate',
    );
  });

  it('reports a release under a condition without a hold, with the hold that is there', async () => {
    const place = await givenFlagOn();
    const { release } = await givenHolds(place);
    await signal(server(), place, alerts(['resolved', 'never fired']));
    const [run] = await runsOf(server(), release);
    expect(run).toMatchObject({
      state: 'skipped',
      reason: `Nothing to release: ${place.flag.featureName} is not held in development under the condition never fired.`,
      actionSet: { actions: [{ state: 'not started' }] },
    });
    await signal(server(), place, alerts(['firing', 'another'], ['resolved', 'never fired']));
    expect((await runsOf(server(), release))[0].reason).toMatch(
      /under the condition never fired\. .+ holds it off under the condition another since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/,
    );
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
  });
});

/** Creates a set with one action on the flag, which runs on signals with this state. */
function givenSetOn(place: ActionPlace, state: string, action: string, params: object, more: object = {}) {
  const { projectId: project, flag, endpoint } = place;
  const executionParams = { project, environment: 'development', featureName: flag.featureName, ...params };
  const payload = { state: { operator: 'IN', values: [state] } };
  const match = { source: 'signal-endpoint', sourceId: endpoint.id, payload };
  return givenSet(server(), { match, actions: [{ action, sortOrder: 1, executionParams }], ...more }, place);
}

const holdsOf = async ({ flag }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server().admin.call(list, { params: flag })).json.leases as {
    id: number;
    effect: string;
    inForce: boolean;
    heldBy: { actionSetId: number | null };
  }[];
};

/** Changes the holds on the flag to the form of an earlier version, in which holds had no set. */
async function forgetSets({ flag: { featureName } }: ActionPlace): Promise<void> {
  await server().app.database.writeQuietly('action runs', author, (tx) =>
    tx.db
      .updateTable('feature_leases')
      .set({ action_set_id: null, renewed_by_run_id: null })
      .where('feature_name', '=', featureName)
      .execute(),
  );
}

describe('a flag that several sets hold', () => {
  it('stays off while one holds it off, also when another holds it on later under the same condition', async () => {
    const place = await givenFlagOn();
    const off = await givenSetOn(place, 'incident', 'HOLD_FEATURE', { effect: 'off', key: 'checkout' });
    const on = await givenSetOn(place, 'campaign', 'HOLD_FEATURE', { effect: 'on', key: 'checkout' });
    await signal(server(), place, { state: 'incident' });
    await signal(server(), place, { state: 'campaign' });
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    expect(await holdsOf(place)).toMatchObject([
      { effect: 'on', inForce: false, heldBy: { actionSetId: on.id } },
      { effect: 'off', inForce: true, heldBy: { actionSetId: off.id } },
    ]);
  });

  it('lists the name of each set to callers who may read actions', async () => {
    const place = await givenFlagOn();
    await givenSetOn(place, 'incident', 'HOLD_FEATURE', { effect: 'off' }, { name: 'Protect the checkout' });
    await signal(server(), place, { state: 'incident' });
    await givenHold(server(), place.flag, { effect: 'on' });
    const viewer = server().client(await server().tokenOf('viewer'));
    const namesFor = async (client: ApiClient) => {
      const { projectId } = place;
      const [ofFlag, ofProject, all, now] = await Promise.all([
        client.call('GET /api/admin/projects/:projectId/features/:featureName/leases', { params: place.flag }),
        client.call('GET /api/admin/projects/:projectId/leases', { params: { projectId } }),
        client.call('GET /api/admin/leases'),
        client.call('GET /api/admin/now'),
      ]);
      const ours = ({ project }: { project: string }) => project === projectId;
      const lists = [
        ofFlag.json.leases,
        ofProject.json.leases,
        all.json.leases.filter(ours),
        now.json.holds.filter(ours),
      ];
      return lists.map((holds) => holds.map(({ actionSetName }: { actionSetName: string | null }) => actionSetName));
    };
    expect(await namesFor(server().admin)).toEqual(Array(4).fill([null, 'Protect the checkout']));
    expect(await namesFor(viewer)).toEqual(Array(4).fill([null, null]));
  });

  it('is released by a set without a condition from what its own account holds without one', async () => {
    const place = await givenFlagOn();
    const other = { ...place, actorId: (await givenActionPlace(server())).actorId };
    await givenSetOn(place, 'firing', 'HOLD_FEATURE', { effect: 'off' });
    await givenSetOn(place, 'slow', 'HOLD_FEATURE', { effect: 'rollout', rollout: 10 });
    const kept = await givenSetOn(other, 'firing', 'HOLD_FEATURE', { effect: 'off' });
    await givenSetOn(place, 'resolved', 'RELEASE_FEATURE', {});
    for (const state of ['firing', 'slow']) await signal(server(), place, { state });
    expect(await holdsOf(place)).toHaveLength(3);
    await signal(server(), place, { state: 'resolved' });
    expect(await holdsOf(place)).toMatchObject([{ heldBy: { actionSetId: kept.id } }]);
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
  });

  it('of before holds had a set is released as it was, by any account', async () => {
    const place = await givenFlagOn();
    const other = { ...place, actorId: (await givenActionPlace(server())).actorId };
    await givenSetOn(place, 'firing', 'HOLD_FEATURE', { effect: 'off' });
    await givenSetOn(other, 'resolved', 'RELEASE_FEATURE', {});
    await signal(server(), place, { state: 'firing' });
    await forgetSets(place);
    await signal(server(), place, { state: 'resolved' });
    expect(await holdsOf(place)).toEqual([]);
  });

  it('of before holds had a set is taken over by the set that asks for it again', async () => {
    const place = await givenFlagOn();
    const set = await givenSetOn(place, 'firing', 'HOLD_FEATURE', { effect: 'off' });
    await signal(server(), place, { state: 'firing' });
    await forgetSets(place);
    await signal(server(), place, { state: 'firing' });
    expect(await holdsOf(place)).toMatchObject([{ heldBy: { actionSetId: set.id } }]);
  });

  it('is released by its account after the flag has moved to another project', async () => {
    const place = await givenFlagOn();
    await givenSetOn(place, 'firing', 'HOLD_FEATURE', { effect: 'off', key: 'checkout' });
    await givenSetOn(place, 'resolved', 'RELEASE_FEATURE', { key: 'checkout' });
    await signal(server(), place, { state: 'firing' });
    const newProjectId = await givenProject(server());
    const move = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject';
    expect((await server().admin.call(move, { params: place.flag, body: { newProjectId } })).status).toBe(200);
    await signal(server(), place, { state: 'resolved' });
    expect(await holdsOf({ ...place, flag: { ...place.flag, projectId: newProjectId } })).toEqual([]);
  });
});

describe('guards of a set that holds', () => {
  const inAWhile = async (place: ActionPlace, state: string, ms = 1000) => {
    server().clock.advance(ms);
    await signal(server(), place, { state });
  };
  const states = async (set: Parameters<typeof runsOf>[1]) =>
    (await runsOf(server(), set)).map(({ state }: { state: string }) => state).toReversed();

  it('never delay holding a flag off', async () => {
    const place = await givenFlagOn();
    const guards = { cooldownSeconds: 60, flapping: { changes: 2, withinSeconds: 3600 } };
    const hold = await givenSetOn(place, 'firing', 'HOLD_FEATURE', { effect: 'off' }, { guards });
    await givenSetOn(place, 'resolved', 'RELEASE_FEATURE', {});
    for (const state of ['firing', 'resolved', 'firing', 'resolved', 'firing']) await inAWhile(place, state);
    expect(await states(hold)).toEqual(['success', 'success', 'success']);
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
  });

  it('bound how many flags it holds at once, with or without an effect, and let it renew what it holds', async () => {
    const place = await givenFlagOn();
    const flags = [place.flag];
    for (let n = 0; n < 2; n++) flags.push(await givenFlagIn(server(), 'development', place.projectId));
    // All but the first flag are off already, so holding them off changes nothing.
    const hold = await givenSet(
      server(),
      {
        allow: { flags: ['*'] },
        guards: { flagsPerHour: 2 },
        actions: [
          {
            action: 'HOLD_FEATURE',
            sortOrder: 1,
            executionParams: {
              project: place.projectId,
              environment: 'development',
              featureName: '{{flag}}',
              effect: 'off',
            },
          },
        ],
      },
      place,
    );
    for (const { featureName } of flags) await signal(server(), place, { flag: featureName });
    expect(await states(hold)).toEqual(['success', 'success', 'skipped']);
    server().clock.advance(2 * 3_600_000);
    for (const { featureName } of flags.toReversed()) await signal(server(), place, { flag: featureName });
    expect((await states(hold)).slice(3)).toEqual(['skipped', 'success', 'success']);
    expect((await runsOf(server(), hold))[2].reason).toBe(
      'Flags per hour: the set would change or hold 3 flags within an hour; 2 are allowed.',
    );
  });
});
