import { describe, expect, it } from 'vitest';
import { timeText } from '#kernel/clock.ts';
import { type ActionPlace, expecting, givenActionPlace, givenSet, runsOf, setBody, signal } from '#testing/actions.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, engine, startServer, type TestServer, useServer } from '#testing/server.ts';
import { received } from '#testing/signals.ts';

const minuteMs = 60_000;
/** The minutes within which the endpoints of these tests expect a signal. */
const expected = 5;
const isIn = (...values: string[]) => ({ operator: 'IN', values });
const create = 'POST /api/admin/projects/:projectId/actions';

/** Creates a place whose endpoint expects a signal every five minutes, with a flag that is on. */
async function givenExpecting(server: TestServer): Promise<ActionPlace> {
  const place = await expecting(server, await givenActionPlace(server));
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  await server.admin.call(on, { params: place.flag });
  return place;
}

const expectEvery = ({ admin }: TestServer, { endpoint: { id, name } }: ActionPlace, expectedMinutes: number | null) =>
  admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body: { name, expectedMinutes } });

const endpointOf = ({ endpoint }: ActionPlace) => ({ params: { id: endpoint.id } });

/** The fields of a set that holds the flag off while the endpoint is silent. */
const whileSilent = ({ projectId, endpoint, flag }: ActionPlace, more: object = {}, ofMatch: object = {}) => ({
  match: {
    source: 'signal-endpoint',
    sourceId: endpoint.id,
    trigger: 'silence',
    payload: {},
    release: {},
    ...ofMatch,
  },
  actions: [
    {
      action: 'HOLD_FEATURE',
      sortOrder: 1,
      executionParams: {
        project: projectId,
        environment: flag.environment,
        featureName: flag.featureName,
        effect: 'off',
        reason: 'Nothing from {{silence.endpoint}} since {{silence.since}}',
      },
    },
  ],
  ...more,
});

/** Advances the clock, runs the jobs that are due, and waits until the runs have ended. */
async function pass(server: TestServer, minutes: number): Promise<void> {
  server.clock.advance(minutes * minuteMs);
  await server.app.service.jobs.runDue();
  await server.app.service.actions.settled();
}

async function isHeld(server: TestServer, { flag }: ActionPlace): Promise<boolean> {
  const params = { projectId: flag.projectId };
  const { json } = await server.admin.call('GET /api/admin/projects/:projectId/leases', { params });
  return json.leases.length > 0;
}

const freeze = (server: TestServer, frozen: boolean) =>
  server.admin.call('POST /api/admin/automation', { body: { frozen } });

describe('a set of actions that silence triggers', () => {
  const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

  it('holds a flag once while its endpoint is silent, and releases it when signals arrive again', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place), place);
    await signal(server(), place);
    const since = new Date(server().clock.now()).toISOString();
    await pass(server(), expected - 0.1);
    expect(await runsOf(server(), set)).toEqual([]);

    const before = await lastEventId(server());
    await pass(server(), 0.2);
    const [run] = await runsOf(server(), set);
    expect(run).toMatchObject({
      state: 'success',
      trigger: 'silence',
      signal: {
        createdBySourceTokenId: null,
        normalized: {
          state: 'firing',
          title: `No signal from ${place.endpoint.name} since ${timeText(Date.parse(since))}`,
        },
        payload: {
          silence: {
            state: 'began',
            endpoint: place.endpoint.name,
            expectedEveryMinutes: expected,
            since,
            lastSignalAt: since,
            endedAt: null,
          },
        },
      },
    });
    expect(await isHeld(server(), place)).toBe(true);
    const { signalId } = run;
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'signal-endpoint-silent', cause: { signalId } },
      {
        type: 'feature-lease-placed',
        cause: { signalId, runId: run.id },
        data: { reason: expect.stringContaining(since) },
      },
      { type: 'feature-effective-state-changed', cause: { signalId, runId: run.id } },
    ]);

    await pass(server(), 60);
    expect(await runsOf(server(), set)).toHaveLength(1);

    await signal(server(), place);
    await pass(server(), 0.2);
    const [release] = await runsOf(server(), set);
    expect(release).toMatchObject({
      state: 'success',
      trigger: 'silence',
      signal: { payload: { silence: { state: 'ended', endedAt: expect.any(String) } } },
      actionSet: { actions: [{ action: 'RELEASE_FEATURE' }] },
    });
    expect(await isHeld(server(), place)).toBe(false);

    await pass(server(), expected + 1);
    expect(await runsOf(server(), set)).toHaveLength(3);
    expect(await isHeld(server(), place)).toBe(true);
  });

  it('runs when the signal that the endpoint expects does not arrive among others', async () => {
    const place = await givenExpecting(server());
    const expectedFilters = { alert: isIn('Watchdog') };
    const { id, name } = place.endpoint;
    const params = { id };
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params, body: { name, expectedFilters } });
    const set = await givenSet(server(), whileSilent(place), place);
    await signal(server(), place, { alert: 'Watchdog' });
    await pass(server(), expected - 0.1);
    await signal(server(), place, { alert: 'HighLatency' });
    expect(await runsOf(server(), set)).toEqual([]);
    await pass(server(), 0.2);
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'success', trigger: 'silence' }]);
    expect(await isHeld(server(), place)).toBe(true);
    await signal(server(), place, { alert: 'HighLatency' });
    await pass(server(), 1);
    expect(await isHeld(server(), place)).toBe(true);
    await signal(server(), place, { alert: 'Watchdog' });
    await pass(server(), 1);
    expect(await isHeld(server(), place)).toBe(false);
  });

  it('lists the runs with their trigger, in the history of all projects, of a run and of an incident', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place), place);
    await pass(server(), expected + 1);
    const [{ id: runId, signalId }] = await runsOf(server(), set);
    const query = { signal: `IS:${signalId}` };
    expect((await server().admin.call('GET /api/admin/action-runs', { query })).json.runs).toMatchObject([
      { id: runId, trigger: 'silence' },
    ]);
    const { json: all } = await server().admin.call('GET /api/admin/actions', { query: { limit: 1000 } });
    expect(all.actions.find(({ id }: { id: number }) => id === set.id).lastRun.trigger).toBe('silence');
    const { json: detail } = await server().admin.call('GET /api/admin/action-runs/:runId', { params: { runId } });
    expect(detail).toMatchObject({
      trigger: 'silence',
      views: [{ matches: true, releases: false, filters: [{ path: 'silence.state', found: 'began' }] }],
    });
    const { json } = await server().admin.call('GET /api/admin/incidents', {
      query: { project: `IS:${set.projectId}` },
    });
    expect(json.incidents).toMatchObject([{ title: expect.stringMatching(/^No signal from .+ since /) }]);
  });

  it('keeps the flag held after the silence when it has no release', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place, {}, { release: null }), place);
    await pass(server(), expected + 1);
    await signal(server(), place);
    await pass(server(), 1);
    expect(await runsOf(server(), set)).toHaveLength(1);
    expect(await isHeld(server(), place)).toBe(true);
  });

  it('runs for the silences that pass its filters only', async () => {
    const place = await givenExpecting(server());
    const filtered = (name: string) => whileSilent(place, {}, { payload: { 'silence.endpoint': isIn(name) } });
    const matching = await givenSet(server(), filtered(place.endpoint.name), place);
    const other = await givenSet(server(), filtered('another'), place);
    await pass(server(), expected + 1);
    expect([await runsOf(server(), matching), await runsOf(server(), other)].map(({ length }) => length)).toEqual([
      1, 0,
    ]);
  });

  it('is not triggered by a payload that pretends, nor by a test signal or a replay of one', async () => {
    const place = await givenExpecting(server());
    const [set, onSignals] = [await givenSet(server(), whileSilent(place), place), await givenSet(server(), {}, place)];
    const payload = { silence: { state: 'began', endpoint: place.endpoint.name }, tokenId: -1 };
    const signalId = await signal(server(), place, payload);
    const params = { signalEndpointId: place.endpoint.id };
    await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params,
      body: { payload },
    });
    await server().app.service.actions.settled();
    const replay = 'POST /api/admin/projects/:projectId/actions/:actionSetId/replay';
    const reply = await server().admin.call(replay, {
      params: { projectId: set.projectId, actionSetId: set.id },
      body: { signalId },
    });
    expect([reply.status, reply.json.details[0].path]).toEqual([400, 'signalId']);
    expect(await runsOf(server(), set)).toEqual([]);
    expect(await runsOf(server(), onSignals)).toHaveLength(2);
    await pass(server(), expected + 1);
    // Sets that signals trigger do not see the silence, even without filters.
    expect(await runsOf(server(), onSignals)).toHaveLength(2);
    expect(await runsOf(server(), set)).toHaveLength(1);
    const { json } = await received(server(), place.endpoint);
    expect(json.signalEndpointSignals.map(({ silence }: { silence: boolean }) => silence)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('can be replayed on a silence, and finds silences in a backtest', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place), place);
    await signal(server(), place, {});
    await pass(server(), expected + 1);
    const [{ signalId }] = await runsOf(server(), set);
    const replay = 'POST /api/admin/projects/:projectId/actions/:actionSetId/replay';
    const params = { projectId: set.projectId, actionSetId: set.id };
    const replayed = await server().admin.call(replay, { params, body: { signalId } });
    expect(replayed.json.actionSetEvents).toMatchObject([{ trigger: 'replay', signal: { id: signalId } }]);
    const body = { set: setBody(place, whileSilent(place)), days: 1 };
    const tested = await server().admin.call('POST /api/admin/projects/:projectId/actions/backtest', { params, body });
    expect(tested.json).toMatchObject({ signals: 2, runs: 1, matches: [{ signalId }] });
    const dryRun = await server().admin.call('POST /api/admin/projects/:projectId/actions/rehearse', {
      params,
      body: { set: body.set },
    });
    expect(dryRun.json.views).toMatchObject([{ matches: true, releases: false, state: 'success' }]);
  });

  it('does nothing while it is disabled, in shadow mode changes nothing, and a guard stops it', async () => {
    const place = await givenExpecting(server());
    const disabled = await givenSet(server(), whileSilent(place, { enabled: false }), place);
    const shadow = await givenSet(server(), whileSilent(place, { shadow: true }), place);
    const day = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
    const yesterday = day.format(server().clock.now() - 24 * 60 * minuteMs).toLowerCase();
    const hours = { days: [yesterday], from: '00:00', to: '00:01', timeZone: 'UTC' };
    const closed = await givenSet(server(), whileSilent(place, { guards: { hours } }), place);
    await pass(server(), expected + 1);
    expect(await runsOf(server(), disabled)).toEqual([]);
    expect(await runsOf(server(), shadow)).toMatchObject([{ state: 'success', shadow: true }]);
    expect(await runsOf(server(), closed)).toMatchObject([
      { state: 'skipped', reason: expect.stringMatching(/^Hours:/) },
    ]);
    expect(await isHeld(server(), place)).toBe(false);
  });

  it('waits for a person while automation is frozen, until the silence ends', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place), place);
    await freeze(server(), true);
    await pass(server(), expected + 1);
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'waiting', decideBy: expect.any(String) }]);
    expect(await isHeld(server(), place)).toBe(false);
    const { json: now } = await server().admin.call('GET /api/admin/now');
    expect(now.undecided).toMatchObject([{ title: expect.stringMatching(/^No signal from /) }]);
    await freeze(server(), false);
    await signal(server(), place);
    await pass(server(), 1);
    expect((await runsOf(server(), set)).at(-1)).toMatchObject({ state: 'skipped' });
    expect(await isHeld(server(), place)).toBe(false);
  });

  it('does nothing while its endpoint is disabled, and releases once it is enabled again', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place), place);
    await server().admin.call('POST /api/admin/signal-endpoints/:id/off', endpointOf(place));
    await pass(server(), 60);
    expect(await runsOf(server(), set)).toEqual([]);
    await server().admin.call('POST /api/admin/signal-endpoints/:id/on', endpointOf(place));
    await pass(server(), expected + 1);
    expect(await isHeld(server(), place)).toBe(true);
    await server().admin.call('POST /api/admin/signal-endpoints/:id/off', endpointOf(place));
    await pass(server(), 1);
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: 'waiting', decideBy: null });
    await server().admin.call('POST /api/admin/signal-endpoints/:id/on', endpointOf(place));
    await pass(server(), 1);
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: 'success' });
    expect(await isHeld(server(), place)).toBe(false);
  });

  it('is released when the minutes change', async () => {
    const place = await givenExpecting(server());
    await givenSet(server(), whileSilent(place), place);
    await pass(server(), expected + 1);
    expect(await isHeld(server(), place)).toBe(true);
    expect((await expectEvery(server(), place, 30)).json.silentSince).toBeNull();
    await server().app.service.actions.settled();
    expect(await isHeld(server(), place)).toBe(false);
  });

  it('keeps its endpoint from expecting nothing while it is enabled, and cannot be enabled without', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place, { name: 'Watchdog silent' }), place);
    const refused = await expectEvery(server(), place, null);
    expect([refused.status, refused.json.message]).toEqual([
      409,
      `The silence of the endpoint ${place.endpoint.name} triggers the enabled actions Watchdog silent (project ${set.projectId}). Disable or change them first.`,
    ]);
    const remove = await server().admin.call('DELETE /api/admin/signal-endpoints/:id', endpointOf(place));
    expect(remove.status).toBe(409);
    const params = { projectId: set.projectId, id: set.id };
    await server().admin.call('POST /api/admin/projects/:projectId/actions/:id/off', { params });
    expect((await expectEvery(server(), place, null)).status).toBe(200);
    const enabling = await server().admin.call('POST /api/admin/projects/:projectId/actions/:id/on', { params });
    expect([enabling.status, enabling.json.message]).toEqual([409, expect.stringMatching(/expects no signals/)]);
    const body = setBody(place, whileSilent(place));
    const creating = await server().admin.call(create, { params: { projectId: set.projectId }, body });
    expect([creating.status, creating.json.details[0].path]).toEqual([400, 'match.trigger']);
  });

  it('runs once when the job runs twice at the same time', async () => {
    const place = await givenExpecting(server());
    const set = await givenSet(server(), whileSilent(place), place);
    server().clock.advance((expected + 1) * minuteMs);
    const { jobs, actions } = server().app.service;
    await Promise.all([jobs.runDue(), jobs.runDue(), jobs.runDue()]);
    await actions.settled();
    expect(await runsOf(server(), set)).toHaveLength(1);
  });
});

describe('a server that stops between a silence and its runs', () => {
  it('makes them after the start, once', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-again'] };
    const first = await startServer(storage, settings);
    const place = await givenExpecting(first);
    const set = await givenSet(first, whileSilent(place), place);
    await first.app.service.actions.stop();
    await pass(first, expected + 1);
    expect(await runsOf(first, set)).toEqual([]);
    await first.stop();
    const second = await startServer(storage, settings, first.clock);
    await second.app.service.actions.idle();
    await pass(second, 1);
    expect(await runsOf(second, set)).toMatchObject([{ state: 'success', trigger: 'silence' }]);
    expect(await isHeld(second, place)).toBe(true);
    await second.stop();
    await storage.remove();
  });
});

describe.runIf(engine === 'postgres')('two processes on one PostgreSQL', () => {
  it('make one run for a silence and one for its end', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.the-same-again'] };
    const first = await startServer(storage, settings);
    const second = await startServer(storage, settings, first.clock);
    const both = async () => {
      await Promise.all([first, second].map(({ app }) => app.service.jobs.runDue()));
      await Promise.all([first, second].map(({ app }) => app.service.actions.idle()));
    };
    const place = await givenExpecting(first);
    const set = await givenSet(first, whileSilent(place), place);
    first.clock.advance((expected + 1) * minuteMs);
    await both();
    expect(await runsOf(second, set)).toHaveLength(1);
    await signal(second, place);
    first.clock.advance(minuteMs);
    await both();
    expect(await runsOf(first, set)).toMatchObject([{ state: 'success' }, { state: 'success' }]);
    expect(await isHeld(first, place)).toBe(false);
    await second.stop();
    await first.stop();
    await storage.remove();
  });
});
