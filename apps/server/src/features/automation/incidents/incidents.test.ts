import { describe, expect, it } from 'vitest';
import { givenMember, setRootRole } from '#testing/access.ts';
import { type ActionPlace, calling, givenActionPlace, givenRun, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { freshName, givenFlag, givenProject, switchFlag } from '#testing/flags.ts';
import { releaseHold } from '#testing/holds.ts';
import { useReceiver } from '#testing/receiver.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { createStorage, startServer, useServer } from '#testing/server.ts';
import { incidentScenarios } from './incidents.scenarios.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000, allowPrivateIntegrationUrls: true });
const receiver = useReceiver();
const list = 'GET /api/admin/incidents';
const incidentRoute = 'GET /api/admin/incidents/:incidentId';
const minuteMs = 60_000;
const member = 5;

const incidentsOf = async ({ projectId }: ActionPlace, query: object = {}) =>
  (await server().admin.call(list, { query: { project: `IS:${projectId}`, ...query } })).json.incidents;
const detailOf = async (id: number) => (await server().admin.call(incidentRoute, { params: { incidentId: id } })).json;
const send = (place: ActionPlace, status: string) =>
  signal(server(), place, {
    status,
    commonLabels: { alertname: 'HighLatency' },
    alerts: [{ status, fingerprint: 'a', labels: { alertname: 'HighLatency' } }],
  });
const switchOff = ({ flag }: ActionPlace) =>
  server().admin.call('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off', {
    params: flag,
  });

/** Moves the flag of a place to a private project, and switches it off there. */
async function moveToPrivateProject(place: ActionPlace): Promise<ActionPlace> {
  const projectId = await givenProject(server(), { mode: 'private' });
  const move = 'POST /api/admin/projects/:projectId/features/:featureName/changeProject';
  await server().admin.call(move, { params: place.flag, body: { newProjectId: projectId } });
  const moved = { ...place, projectId, flag: { ...place.flag, projectId } };
  await switchOff(moved);
  return moved;
}

async function givenHolding(): Promise<ActionPlace> {
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params: { minutes: 600 } }), place);
  return place;
}

describe('routes of incidents', () => testScenarios(server, incidentScenarios));

describe('an incident', () => {
  it('is not made of a call or a run that failed and changed nothing', async () => {
    const place = await givenActionPlace(server());
    const path = `/${freshName('call')}`;
    receiver().answer(path, 404, 404);
    await givenSet(server(), { actions: [calling(place, `${receiver().url}${path}`)] }, place);
    const before = await lastEventId(server());
    await signal(server(), place);
    await givenSet(server(), { actions: [calling(place, 'https://8.8.8.8/{{missing}}')] }, place);
    await signal(server(), place);
    const types = (await eventsAfter(server(), before)).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['action-call-given-up', 'action-run-failed']));
    expect(await incidentsOf(place)).toEqual([]);
  });

  it('names the endpoint of a signal that retention has deleted', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    const [incident] = await incidentsOf(place);
    const shown = async () => (await detailOf(incident.id)).signals[0];
    const { name } = place.endpoint;
    expect(await shown()).toMatchObject({ endpoint: name, title: expect.stringContaining('HighLatency') });
    const body = { name, source: 'alertmanager', retentionDays: 1 };
    await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id: place.endpoint.id }, body });
    server().clock.advance(2 * 24 * 60 * minuteMs);
    await server().app.service.jobs.runDue();
    expect(await shown()).toMatchObject({ endpoint: name, title: null, state: null });
  });

  it('has the alert, its runs and its hold until the alert ends hours later', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    server().clock.advance(150 * minuteMs);
    await send(place, 'resolved');
    const [incident, ...others] = await incidentsOf(place);
    expect([incident, others]).toMatchObject([
      {
        title: expect.stringContaining('HighLatency'),
        openHolds: 0,
        flags: [place.flag.featureName],
        signals: 2,
        runs: 2,
        changes: 4,
      },
      [],
    ]);
    const { signals, runs, holds } = await detailOf(incident.id);
    expect(signals.map(({ state }: { state: string }) => state)).toEqual(['firing', 'resolved']);
    expect(runs.map(({ state }: { state: string }) => state)).toEqual(['success', 'success']);
    expect(holds).toMatchObject([{ effect: 'off', end: { how: 'released', at: incident.lastAt } }]);
  });

  it('has what people did with its flags, and a release by hand', async () => {
    const place = await givenHolding();
    await switchOff(place);
    await send(place, 'firing');
    await switchOff(place);
    await switchFlag(server(), place.flag, 'on');
    const [{ id }] = await incidentsOf(place);
    const [hold] = (await detailOf(id)).holds;
    await releaseHold(server(), place.flag, hold.id);
    const { holds, changes, openHolds } = await detailOf(id);
    expect(openHolds).toBe(0);
    expect(holds).toMatchObject([{ end: { how: 'released', by: 'admin' } }]);
    const byPeople = changes.filter(({ byAutomation }: { byAutomation: boolean }) => !byAutomation);
    expect(byPeople.map(({ type }: { type: string }) => type)).toEqual([
      'feature-environment-enabled',
      'feature-lease-released',
      'feature-effective-state-changed',
    ]);
  });

  it('has the end of a hold after more changes than it shows', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    const tags = Array.from({ length: 1000 }, (_, n) => `simple:many-${n}`);
    const { featureName, projectId } = place.flag;
    const state = { version: 1, projects: { [projectId]: { flags: { [featureName]: { tags } } } } };
    const applied = await server().admin.call('POST /api/admin/state/apply', { body: { state } });
    expect(applied.status, applied.text).toBe(200);
    await send(place, 'resolved');
    const [{ id }] = await incidentsOf(place);
    const { holds, openHolds, truncated, changes } = await detailOf(id);
    expect([truncated, changes.length, openHolds]).toEqual([true, 1000, 0]);
    expect(holds).toMatchObject([{ end: { how: 'released' } }]);
    // The thousand changes take half a minute on a busy machine.
  }, 120_000);

  it('ends after half an hour without changes when it holds nothing', async () => {
    const { set } = await givenRun(server());
    const again = async (minutes: number) => {
      await switchOff(set);
      server().clock.advance(minutes * minuteMs);
      await signal(server(), set);
    };
    await again(30);
    await again(31);
    const found = await incidentsOf(set);
    expect(found.map(({ runs }: { runs: number }) => runs)).toEqual([1, 2]);
    const [, first] = found;
    expect(await incidentsOf(set, { to: `IS:${first.lastAt}` })).toEqual([first]);
  });

  it('has the times at which people froze and resumed automation', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    const freeze = (body: object) => server().admin.call('POST /api/admin/automation', { body });
    await freeze({ frozen: true, reason: 'It flaps' });
    await freeze({ frozen: false });
    const [{ id }] = await incidentsOf(place);
    const { changes } = await detailOf(id);
    expect(changes.slice(-2)).toMatchObject([
      { label: 'All automation frozen', by: 'admin', reason: 'It flaps', byAutomation: false },
      { label: 'Automation resumed', by: 'admin' },
    ]);
  });

  it('has the times at which maintenance began and ended, and at which the server started again', async () => {
    const storage = await createStorage();
    const settings = { initAdminTokens: ['*:*.of-two-starts'] };
    const before = await startServer(storage, settings);
    const { clock } = before;
    const place = await givenAlertPlace(before);
    await givenSet(before, holdingAlerts(place, { params: { minutes: 600 } }), place);
    await signal(before, place, { status: 'firing', alerts: [{ status: 'firing', fingerprint: 'a' }] });
    for (const enabled of [true, false]) await before.admin.call('POST /api/admin/maintenance', { body: { enabled } });
    await before.stop();
    const after = await startServer(storage, settings, clock);
    try {
      const [{ id }] = (await after.admin.call(list, {})).json.incidents;
      const { changes } = (await after.admin.call(incidentRoute, { params: { incidentId: id } })).json;
      expect(changes.slice(-3)).toMatchObject([
        { label: 'Maintenance began', by: 'admin', reason: null, byAutomation: false },
        { label: 'Maintenance ended', by: 'admin' },
        { label: expect.stringMatching(/^Server started, version \d+\.\d+\.\d+/), type: 'server-started' },
      ]);
    } finally {
      await after.stop();
      await storage.remove();
    }
  });

  it('has what people decided about waiting holds and took back, as theirs, with their reasons', async () => {
    const place = await givenAlertPlace(server());
    const { projectId } = place;
    const { id: actionSetId } = await givenSet(server(), holdingAlerts(place), place);
    await send(place, 'firing');
    const ofRuns = '/api/admin/projects/:projectId/actions/:actionSetId/events' as const;
    const run = async () =>
      (await server().admin.call(`GET ${ofRuns}`, { params: { projectId, actionSetId } })).json.actionSetEvents[0].id;
    await server().admin.call(`POST ${ofRuns}/:runId/take-back`, {
      params: { projectId, actionSetId, runId: await run() },
      body: { reason: 'Not us' },
    });
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await freeze(true);
    await send(place, 'firing');
    await server().admin.call(`POST ${ofRuns}/:runId/drop`, {
      params: { projectId, actionSetId, runId: await run() },
      body: { reason: 'Wrong alert' },
    });
    await freeze(false);
    const [{ id }] = await incidentsOf(place);
    const { changes } = await detailOf(id);
    type Shown = { type: string; byAutomation: boolean };
    const byPeople = changes.filter(({ byAutomation, type }: Shown) => !byAutomation && !type.startsWith('setting-'));
    expect(byPeople).toMatchObject([
      { type: 'feature-lease-released', by: 'admin' },
      { type: 'feature-effective-state-changed', by: 'admin' },
      { type: 'action-run-dropped', by: 'admin', reason: 'Wrong alert' },
    ]);
  });

  it('has when its action could not run, and could again', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    const [editor, viewer] = [2, 3];
    await setRootRole(server(), place.actorId, viewer);
    await setRootRole(server(), place.actorId, editor);
    const [{ id }] = await incidentsOf(place);
    const { changes } = await detailOf(id);
    expect(changes.slice(-2)).toMatchObject([
      { type: 'action-set-blocked', by: 'admin', byAutomation: false },
      { type: 'action-set-unblocked', by: 'admin', byAutomation: false },
    ]);
  });

  it('has the runs of its project that changed nothing meanwhile, with their reasons and signals', async () => {
    const place = await givenHolding();
    const { projectId, actorId, flag } = place;
    const other = { ...(await givenActionPlace(server())), projectId, actorId, flag };
    const failing = { name: 'Tell', actions: [calling(other, 'https://8.8.8.8/{{missing}}')] };
    await givenSet(server(), failing, other);
    const signalAfter = (minutes: number) => {
      server().clock.advance(minutes * minuteMs);
      return signal(server(), other);
    };
    await signal(server(), other);
    const before = await signalAfter(9);
    server().clock.advance(25 * minuteMs);
    await send(place, 'firing');
    const meanwhile = [await signalAfter(1), await signalAfter(1)];
    const [{ id, runs: withEvents }, ...older] = await incidentsOf(place);
    const { runs, signals, truncated } = await detailOf(id);
    expect([withEvents, older.length, truncated]).toEqual([1, 0, false]);
    const failed = (signalId: number | undefined) => {
      return { name: 'Tell', state: 'failed', reason: expect.stringContaining('missing'), signalId };
    };
    expect(runs).toMatchObject([failed(before), { state: 'success' }, ...meanwhile.map(failed)]);
    expect(signals).toHaveLength(4);
  });

  it('has no end of a hold of an earlier incident, neither in the list nor in its detail', async () => {
    const first = await givenHolding();
    const { endpoint } = await givenAlertPlace(server());
    const { featureName } = await givenFlag(server(), {}, first.projectId);
    const second = { ...first, endpoint, flag: { ...first.flag, featureName } };
    await givenSet(server(), holdingAlerts(second, { params: { minutes: 600 } }), second);
    await send(first, 'firing');
    server().clock.advance(120 * minuteMs);
    await send(second, 'firing');
    server().clock.advance(10 * minuteMs);
    await send(first, 'resolved');
    const incidents = await incidentsOf(first);
    expect(incidents.map(({ flags }: { flags: string[] }) => flags)).toEqual([[featureName], [first.flag.featureName]]);
    for (const incident of incidents) expect(await detailOf(incident.id)).toMatchObject({ flags: incident.flags });
  });

  it('of a hidden project is neither listed nor shown', async () => {
    const [place, visible] = [await givenHolding(), await givenHolding()];
    await send(place, 'firing');
    const { client } = await givenMember(server(), visible.projectId, member);
    const [{ id }] = await incidentsOf(place);
    expect((await client.call(incidentRoute, { params: { incidentId: id } })).status).toBe(200);
    const settings = { name: 'hidden', mode: 'private' };
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', {
      params: { projectId: place.projectId },
      body: settings,
    });
    const { incidents } = (await client.call(list, { query: { project: `IS:${place.projectId}` } })).json;
    expect([incidents, (await client.call(incidentRoute, { params: { incidentId: id } })).status]).toEqual([[], 404]);
  });

  it('shows no changes of its flag in a private project to which the flag moved', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    await moveToPrivateProject(place);
    const viewer = server().client(await server().tokenOf('viewer'));
    const [{ id }] = (await viewer.call(list, { query: { project: `IS:${place.projectId}` } })).json.incidents;
    const { json } = await viewer.call(incidentRoute, { params: { incidentId: id } });
    const typesOf = ({ changes }: { changes: { type: string }[] }) => changes.map(({ type }) => type);
    expect(typesOf(json)).toEqual(['feature-lease-placed', 'feature-effective-state-changed']);
    expect(typesOf(await detailOf(id))).toEqual([
      ...typesOf(json),
      'feature-project-change',
      'feature-environment-disabled',
    ]);
  });

  it('has no open hold after its flag moved to another project and was released there', async () => {
    const place = await givenHolding();
    await send(place, 'firing');
    const moved = await moveToPrivateProject(place);
    const [{ id, openHolds }] = await incidentsOf(place);
    expect(openHolds).toBe(1);
    const leases = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    const [hold] = (await server().admin.call(leases, { params: moved.flag })).json.leases;
    await releaseHold(server(), moved.flag, hold.id);
    expect([(await detailOf(id)).openHolds, await incidentsOf(place)]).toMatchObject([0, [{ id, openHolds: 0 }]]);
  });
});
