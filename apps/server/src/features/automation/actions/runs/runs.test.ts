import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember, givenRole, giveRoles } from '#testing/access.ts';
import { givenActionPlace, givenSet, isOn, runsOf, setBody, signal, turning } from '#testing/actions.ts';
import { givenReview } from '#testing/change-requests.ts';
import { givenFlag, givenFlagIn } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const archive = 'DELETE /api/admin/projects/:projectId/features/:featureName';

describe('a signal', () => {
  it('changes a flag as the service account, and every event names the signal and the run', async () => {
    const set = await givenSet(server());
    const before = await lastEventId(server());
    const signalId = await signal(server(), set, { status: 'firing' });
    expect(await isOn(server(), set.flag)).toBe(true);
    const [run, ...others] = await runsOf(server(), set);
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      actionSetId: set.id,
      signalId,
      state: 'success',
      reason: null,
      element: null,
      shadow: false,
      trigger: 'signal',
      signal: { id: signalId, source: 'signal-endpoint', sourceId: set.endpoint.id, payload: { status: 'firing' } },
      actionSet: { id: set.id, project: set.projectId, actions: [{ state: 'success', details: null }] },
    });
    const { featureName, environment } = set.flag;
    expect(run.actionSet.actions[0].changes).toEqual([
      { type: 'feature-strategy-add', label: 'Flag strategy added', featureName, environment },
      { type: 'feature-environment-enabled', label: 'Flag enabled', featureName, environment },
    ]);
    const cause = { signalId, runId: run.id };
    const events = await eventsAfter(server(), before);
    expect(events).toMatchObject([
      { type: 'feature-strategy-add', createdByUserId: set.actorId, featureName, environment, cause },
      { type: 'feature-environment-enabled', createdByUserId: set.actorId, featureName, environment, cause },
    ]);
    expect(events).toHaveLength(2);
  });

  it('runs the sets whose filters all pass, and leaves no trace of the others', async () => {
    const place = await givenActionPlace(server());
    const match = (payload: object) => ({ match: { source: 'signal-endpoint', sourceId: place.endpoint.id, payload } });
    const both = await givenSet(
      server(),
      match({
        'alerts[1].labels.severity': { operator: 'IN', values: ['critical'] },
        load: { operator: 'NUM_GTE', value: '0.9' },
      }),
      place,
    );
    const firing = { alerts: [{}, { labels: { severity: 'critical' } }], load: 0.95 };
    await signal(server(), place, { ...firing, load: 0.5 });
    await signal(server(), place, { ...firing, alerts: [{ labels: { severity: 'critical' } }] });
    await signal(server(), place, ['not', 'an', 'object']);
    await signal(server(), place, null);
    expect(await runsOf(server(), both)).toEqual([]);
    const id = await signal(server(), place, firing);
    expect(await runsOf(server(), both)).toMatchObject([{ signalId: id, state: 'success' }]);
  });

  it('runs each enabled set of its endpoint once', async () => {
    const place = await givenActionPlace(server());
    const sets = [await givenSet(server(), {}, place), await givenSet(server(), {}, place)];
    const off = await givenSet(server(), { enabled: false }, place);
    const elsewhere = await givenSet(server());
    await signal(server(), place);
    await signal(server(), place);
    for (const set of sets) expect(await runsOf(server(), set)).toHaveLength(2);
    for (const set of [off, elsewhere]) expect(await runsOf(server(), set)).toEqual([]);
  });

  it('does not run a set that was enabled after it', async () => {
    const place = await givenActionPlace(server());
    await signal(server(), place);
    const early = await givenSet(server(), {}, place);
    const late = await givenSet(server(), { enabled: false }, place);
    await signal(server(), place);
    const params = { projectId: place.projectId, id: late.id };
    await server().admin.call('POST /api/admin/projects/:projectId/actions/:id/on', { params });
    await server().app.service.actions.idle();
    expect(await runsOf(server(), late)).toEqual([]);
    await signal(server(), place);
    expect(await runsOf(server(), early)).toHaveLength(2);
    expect(await runsOf(server(), late)).toHaveLength(1);
  });

  it('that changes nothing is a success without events', async () => {
    const set = await givenSet(server());
    await signal(server(), set);
    const before = await lastEventId(server());
    await signal(server(), set);
    const [run] = await runsOf(server(), set);
    expect(run).toMatchObject({ state: 'success', actionSet: { actions: [{ state: 'success', changes: [] }] } });
    expect(await eventsAfter(server(), before)).toEqual([]);
  });
});

describe('the actions of a set', () => {
  it('run in order; after a failure the rest is not started and earlier changes stay', async () => {
    const place = await givenActionPlace(server());
    const { projectId, flag } = place;
    const [second, third] = [await givenFlag(server(), {}, projectId), await givenFlag(server(), {}, projectId)];
    const actions = [
      turning('ON', projectId, third.featureName, 30),
      turning('ON', projectId, flag.featureName, 1),
      turning('ON', projectId, second.featureName, 2),
    ];
    const set = await givenSet(server(), { actions }, place);
    await server().admin.call(archive, { params: second });
    await signal(server(), set);
    const [run] = await runsOf(server(), set);
    expect(run).toMatchObject({
      state: 'failed',
      actionSet: {
        actions: [
          { sortOrder: 1, state: 'success', details: null },
          { sortOrder: 2, state: 'failed', details: expect.stringContaining('archived'), changes: [] },
          { sortOrder: 30, state: 'not started', details: null, changes: [] },
        ],
      },
    });
    expect(await isOn(server(), flag)).toBe(true);
    expect(await isOn(server(), { ...third, environment: 'development' })).toBe(false);
  });

  it('turn all flags of the project with a tag on or off, except archived flags', async () => {
    const place = await givenActionPlace(server());
    const tags = [{ type: 'simple', value: `tag-of-${place.projectId}` }];
    const [a, b, archived] = [
      await givenFlag(server(), { tags }, place.projectId),
      await givenFlag(server(), { tags }, place.projectId),
      await givenFlag(server(), { tags }, place.projectId),
    ];
    const other = await givenFlag(server(), { tags });
    await server().admin.call(archive, { params: archived });
    const params = { project: place.projectId, environment: 'development', tag: `simple:tag-of-${place.projectId}` };
    const byTag = (how: 'ON' | 'OFF', operator: string) => ({
      match: {
        source: 'signal-endpoint',
        sourceId: place.endpoint.id,
        payload: { status: { operator, values: ['on'] } },
      },
      actions: [{ action: `TOGGLE_FEATURES_${how}_BY_TAG`, sortOrder: 1, executionParams: params }],
    });
    await givenSet(server(), byTag('ON', 'IN'), place);
    await givenSet(server(), byTag('OFF', 'NOT_IN'), place);
    const states = () =>
      Promise.all([a, b, other].map((flag) => isOn(server(), { ...flag, environment: 'development' })));
    await signal(server(), place, { status: 'on' });
    expect(await states()).toEqual([true, true, false]);
    await signal(server(), place, { status: 'off' });
    expect(await states()).toEqual([false, false, false]);
  });

  it('report that no flag has the tag', async () => {
    const place = await givenActionPlace(server());
    const executionParams = { project: place.projectId, environment: 'development', tag: 'simple:none' };
    const action = { action: 'TOGGLE_FEATURES_ON_BY_TAG', sortOrder: 1, executionParams };
    const set = await givenSet(server(), { actions: [action] }, place);
    await signal(server(), set);
    const [run] = await runsOf(server(), set);
    expect(run.actionSet.actions).toMatchObject([
      { state: 'success', details: expect.stringMatching(/No feature flag/) },
    ]);
  });
});

describe('the service account', () => {
  const failure = async (set: Parameters<typeof runsOf>[1]) => {
    const [run] = await runsOf(server(), set);
    return { state: run.state, why: run.reason ?? run.actionSet.actions[0].details };
  };

  it('needs its permission in the environment at each run', async () => {
    const place = await givenActionPlace(server());
    const role = await givenRole(server(), {
      type: 'custom',
      permissions: [{ name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }],
    });
    const member = await givenMember(server(), place.projectId, role.id);
    const set = await givenSet(server(), { actorId: member.id }, place);
    const refused = await server().admin.call('POST /api/admin/projects/:projectId/actions', {
      params: { projectId: place.projectId },
      body: setBody(place, {
        actorId: member.id,
        actions: [
          {
            action: 'TOGGLE_FEATURE_ON',
            sortOrder: 1,
            executionParams: {
              project: place.projectId,
              environment: 'production',
              featureName: place.flag.featureName,
            },
          },
        ],
      }),
    });
    expect(refused.json.details).toMatchObject([{ path: 'actorId', message: expect.stringContaining('production') }]);
    await signal(server(), set);
    expect(await isOn(server(), set.flag)).toBe(true);
    await server().admin.call('DELETE /api/admin/projects/:projectId/users/:userId/roles', {
      params: { projectId: place.projectId, userId: member.id },
    });
    await signal(server(), set);
    expect(await failure(set)).toEqual({
      state: 'failed',
      why: expect.stringContaining('lacks the permission UPDATE_FEATURE_ENVIRONMENT in development'),
    });
  });

  it('that was deleted fails the run, and the set stays', async () => {
    // The service account of an enabled set cannot be deleted, so the set is disabled first.
    const set = await givenSet(server(), { enabled: false });
    await server().admin.call('DELETE /api/admin/service-account/:id', { params: { id: set.actorId } });
    const on = 'POST /api/admin/projects/:projectId/actions/:id/on';
    await server().admin.call(on, { params: { projectId: set.projectId, id: set.id } });
    await signal(server(), set);
    expect(await failure(set)).toEqual({ state: 'failed', why: 'The service account was deleted.' });
    expect(await isOn(server(), set.flag)).toBe(false);
  });

  it('is refused where changes are reviewed, unless it may skip review', async () => {
    const place = await givenActionPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const production = {
      action: 'TOGGLE_FEATURE_ON',
      sortOrder: 2,
      executionParams: { project: place.projectId, environment: 'production', featureName: other.featureName },
    };
    const actions = [turning('ON', place.projectId, place.flag.featureName), production];
    const set = await givenSet(server(), { actions }, place);
    await givenReview(server(), place.projectId, 'production', 1);
    await signal(server(), set);
    const [run] = await runsOf(server(), set);
    expect(run).toMatchObject({
      state: 'failed',
      actionSet: {
        actions: [{ state: 'success' }, { state: 'failed', details: expect.stringMatching(/require review/) }],
      },
    });
    expect(await isOn(server(), place.flag)).toBe(true);
    expect(await isOn(server(), { ...other, environment: 'production' })).toBe(false);
    const mayAll = await givenCaller(server(), 'Admin');
    await giveRoles(server(), place.projectId, [4], { users: [mayAll.id] });
    const skipping = await givenSet(server(), { actorId: mayAll.id, actions }, place);
    await signal(server(), place);
    expect((await runsOf(server(), skipping))[0]).toMatchObject({ state: 'success' });
    expect(await isOn(server(), { ...other, environment: 'production' })).toBe(true);
  });
});

describe('a test signal', () => {
  it('runs actions like the signal of a sender', async () => {
    const set = await givenSet(server());
    await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params: { signalEndpointId: set.endpoint.id },
      body: { payload: { status: 'firing' } },
    });
    await server().app.service.actions.idle();
    expect(await isOn(server(), set.flag)).toBe(true);
    expect(await runsOf(server(), set)).toMatchObject([
      { state: 'success', signal: { createdBySourceTokenId: null, payload: { status: 'firing' } } },
    ]);
  });
});

describe('runs', () => {
  it('keep a copy of the set at the time of the run', async () => {
    const set = await givenSet(server(), { name: 'before' });
    await signal(server(), set);
    const params = { projectId: set.projectId, id: set.id };
    const body = setBody(set, { name: 'after', enabled: false });
    await server().admin.call('PUT /api/admin/projects/:projectId/actions/:id', { params, body });
    expect(await runsOf(server(), set)).toMatchObject([{ actionSet: { name: 'before', enabled: true } }]);
  });

  it('are listed in pages', async () => {
    const set = await givenSet(server());
    for (let n = 0; n < 5; n++) await signal(server(), set, { n });
    const reply = await server().admin.call('GET /api/admin/projects/:projectId/actions/:actionSetId/events', {
      params: { projectId: set.projectId, actionSetId: set.id },
      query: { offset: 1, limit: 2 },
    });
    const numbers = reply.json.actionSetEvents.map(
      (run: { signal: { payload: { n: number } } }) => run.signal.payload.n,
    );
    expect(numbers).toEqual([3, 2]);
  });

  it('are measured by the time from signal to change, unless they change nothing', async () => {
    const measured = async () => {
      const { text } = await server().anonymous.call('GET /internal-backstage/prometheus');
      return Number(/^signal_to_change_seconds_count (\d+)/m.exec(text)?.[1]);
    };
    const before = await measured();
    const set = await givenSet(server());
    await signal(server(), set);
    expect(await measured()).toBe(before + 1);
    await signal(server(), set);
    await signal(server(), await givenSet(server(), { shadow: true }));
    expect(await measured()).toBe(before + 1);
  });
});
