import { describe, expect, it } from 'vitest';
import { type GivenSet, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { author } from '#testing/database.ts';
import { givenEnabled } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({
  signalEndpointsLimit: 1000,
  actionSetsLimit: 1000,
  actionBreakerFlags: 3,
  actionBreakerMinutes: 10,
});
const minuteMs = 60_000;

/** Creates a set that holds the flags which alerts name, five of them, and returns how to send alerts. */
async function given(more: { set?: object; match?: object } = {}) {
  const place = await givenAlertPlace(server());
  const flags: string[] = [];
  for (let n = 0; n < 5; n++) flags.push((await givenEnabled(server(), place.projectId)).featureName);
  const allow = { flags, tags: [], environments: [] };
  const params = { featureName: '{{item.labels.flag}}' };
  const body = holdingAlerts(place, { params, match: more.match ?? {}, set: { allow, ...more.set } });
  const set = await givenSet(server(), body, place);
  const send = (status: string, ...numbers: number[]) => {
    const alerts = numbers.map((n) => ({ status, fingerprint: `alert ${n}`, labels: { flag: flags[n] } }));
    return signal(server(), place, { alerts });
  };
  const held = async () => {
    const route = 'GET /api/admin/projects/:projectId/leases';
    const { leases } = (await server().admin.call(route, { params: { projectId: place.projectId } })).json;
    return leases.map(({ featureName }: { featureName: string }) => flags.indexOf(featureName)).toSorted();
  };
  return { set, send, held };
}

const waiting = async (set: GivenSet) =>
  (await runsOf(server(), set)).filter(({ decideBy }: { decideBy: string | null }) => decideBy !== null);
const holdNow = ({ projectId, id: actionSetId }: GivenSet, runId: number) =>
  server().admin.call('POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/hold-now', {
    params: { projectId, actionSetId, runId },
    body: { reason: 'It is an outage' },
  });

describe('the breaker of an action set', () => {
  it.each<[string, object]>([
    ['releases', {}],
    ['does not release', { release: null }],
  ])('lets further holds of a set that %s wait for a person, with one message', async (_name, match) => {
    const { set, send, held } = await given({ match });
    const before = await lastEventId(server());
    await send('firing', 0, 1, 2, 3);
    await send('firing', 4);
    expect(await held()).toEqual([0, 1, 2]);
    const runs = await waiting(set);
    expect(runs).toHaveLength(2);
    const reason =
      'Waits for a person: Breaker: the set would hold 4 flags within 10 minutes, and 3 are allowed without a decision.';
    expect(runs[0]).toMatchObject({ state: 'waiting', reason });
    const told = (await eventsAfter(server(), before)).filter(({ type }) => type === 'action-run-stopped');
    expect(told).toMatchObject([{ data: { actionSetId: set.id, reason } }]);
    const listed = (await server().admin.call('GET /api/admin/now')).json.undecided;
    expect(listed.filter(({ actionSetId }: { actionSetId: number }) => actionSetId === set.id)).toHaveLength(2);
    const answers = [await holdNow(set, runs[0].id), await holdNow(set, runs[1].id)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await held()).toEqual([0, 1, 2, 3, 4]);
  });

  it('renews holds and releases them, however many there are', async () => {
    const { set, send, held } = await given();
    await send('firing', 0, 1, 2);
    await send('firing', 3);
    server().clock.advance(minuteMs);
    await send('firing', 0, 1, 2);
    expect((await runsOf(server(), set)).slice(0, 3)).toMatchObject(Array(3).fill({ state: 'success' }));
    await send('resolved', 0, 1, 2, 3);
    expect(await held()).toEqual([]);
    expect(await waiting(set)).toEqual([]);
  });

  it('counts the flags of ten minutes', async () => {
    const { send, held } = await given();
    await send('firing', 0, 1, 2);
    server().clock.advance(10 * minuteMs);
    await send('firing', 3);
    expect(await held()).toEqual([0, 1, 2, 3]);
  });

  it('counts flags that were released meanwhile, and those of each set alone', async () => {
    const [first, second] = [await given(), await given()];
    await first.send('firing', 0, 1, 2);
    await first.send('resolved', 0, 1, 2);
    await first.send('firing', 3);
    expect(await first.held()).toEqual([]);
    await second.send('firing', 0, 1, 2);
    expect(await second.held()).toEqual([0, 1, 2]);
  });

  it('leaves a set with a number of its own to that number', async () => {
    const { set, send, held } = await given({ set: { guards: { flagsPerHour: 4 } } });
    await send('firing', 0, 1, 2, 3, 4);
    expect(await held()).toEqual([0, 1, 2, 3]);
    expect(await waiting(set)).toEqual([]);
  });

  it('tells when a hold that waited for a guard waits for a person', async () => {
    const guards = { flapping: { changes: 1, withinSeconds: 60 } };
    const { set, send } = await given({ set: { guards } });
    await send('firing', 0, 1, 2);
    const before = await lastEventId(server());
    await send('firing', 3);
    expect(await waiting(set)).toHaveLength(1);
    expect((await eventsAfter(server(), before)).map(({ type }) => type)).toContain('action-run-stopped');
  });
});

describe('a set that may touch any flag', () => {
  const setPath = '/api/admin/projects/:projectId/actions' as const;
  const any = { flags: ['*'], tags: [], environments: [] };
  const guardsOf = async ({ projectId, id }: GivenSet) =>
    (await server().admin.call(`GET ${setPath}`, { params: { projectId } })).json.actions.find(
      (set: { id: number }) => set.id === id,
    ).guards;

  async function saved(more: object) {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place, { set: more }), place);
    const update = async (change: object) => {
      const body = holdingAlerts(place, { set: change, match: { payload: { 'item.status': is('firing') } } });
      const params = { projectId: place.projectId, id: set.id };
      const { status, text } = await server().admin.call(`PUT ${setPath}/:id`, { params, body });
      expect([status, text]).toEqual([200, text]);
      return guardsOf(set);
    };
    return { place, set, update };
  }

  it.each<[string, object, object]>([
    ['has 20 flags in an hour', { allow: any }, { flagsPerHour: 20 }],
    ['keeps other guards', { allow: any, guards: { cooldownSeconds: 5 } }, { cooldownSeconds: 5, flagsPerHour: 20 }],
    ['has the number that it is given', { allow: any, guards: { flagsPerHour: 500 } }, { flagsPerHour: 500 }],
    ['is not one that lists its flags', { allow: { ...any, flags: [] } }, {}],
  ])('%s', async (_case, more, guards) => {
    expect(await guardsOf((await saved(more)).set)).toEqual(guards);
  });

  it('gets the number when it loses its own, or may touch any flag from now on', async () => {
    const [loses, widened] = [await saved({ allow: any, guards: { flagsPerHour: 500 } }), await saved({})];
    expect(await loses.update({ allow: any, guards: {} })).toEqual({ flagsPerHour: 20 });
    expect(await widened.update({ allow: any })).toEqual({ flagsPerHour: 20 });
  });

  it('goes on without a number when it was saved without one before', async () => {
    const { set, update } = await saved({ allow: any });
    await server().app.database.writeQuietly('jobs', author, async (tx) => {
      await tx.db.updateTable('action_sets').set({ guards: '{}' }).where('id', '=', set.id).execute();
    });
    expect(await update({ allow: any, guards: {} })).toEqual({});
    expect(await update({ allow: any, guards: { flagsPerHour: 7 } })).toEqual({ flagsPerHour: 7 });
  });

  it('is the same as a state that omits the number, and as the state that was read from it', async () => {
    const { place, set } = await saved({ allow: any });
    const state = (await server().admin.call('GET /api/admin/state', { query: { projects: place.projectId } })).json;
    const plan = async (changed: object) =>
      (await server().admin.call('POST /api/admin/state/plan', { body: { state: changed } })).json.changes;
    expect(await plan(state)).toEqual([]);
    const { actions: ofState } = state.projects[place.projectId];
    const [name = ''] = Object.keys(ofState);
    const of = (key: string) => {
      const { guards: _, ...rest } = ofState[name];
      return { version: 1, projects: { [place.projectId]: { actions: { [key]: rest } } } };
    };
    expect(await plan(of(name))).toEqual([]);
    const apply = await server().admin.call('POST /api/admin/state/apply', { body: { state: of('copy') } });
    expect([apply.status, apply.text]).toEqual([200, apply.text]);
    const { actions } = (await server().admin.call(`GET ${setPath}`, { params: { projectId: set.projectId } })).json;
    const copy = actions.find((other: { name: string }) => other.name === 'copy');
    expect(copy.guards).toEqual({ flagsPerHour: 20 });
    expect(await plan(of('copy'))).toEqual([]);
  });
});
