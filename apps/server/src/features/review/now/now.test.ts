import { describe, expect, it } from 'vitest';
import { givenCaller, givenMember } from '#testing/access.ts';
import { calling, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenScheduled } from '#testing/change-requests.ts';
import type { ApiClient } from '#testing/client.ts';
import { addStrategy, givenFlagIn, givenProject } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { givenEndpoint, givenToken, send } from '#testing/signals.ts';
import { nowScenarios } from './now.scenarios.ts';

const server = useServer({ signalEndpointsLimit: 1000 });
const now = 'GET /api/admin/now';
const memberRole = 5;

describe('routes of now', () => testScenarios(server, nowScenarios));

describe('now', () => {
  it('shows all holds of a flag, and for each the state that follows when it is released', async () => {
    const flag = await givenFlagIn(server(), 'development');
    await givenHold(server(), flag, { effect: 'on', key: 'first' });
    await givenHold(server(), flag, { effect: 'rollout', rollout: 20, key: 'second' });
    await givenHold(server(), flag, { effect: 'off', key: 'third' });
    const { holds } = (await server().admin.call(now)).json;
    const ours = holds.filter((hold: { featureName: string }) => hold.featureName === flag.featureName);
    expect(
      ours.map(({ effect, inForce, afterRelease }: { effect: string; inForce: boolean; afterRelease: object }) => ({
        effect,
        inForce,
        afterRelease,
      })),
    ).toMatchObject([
      { effect: 'off', inForce: true, afterRelease: { effect: 'rollout', rollout: 20 } },
      { effect: 'rollout', inForce: false, afterRelease: { effect: 'off' } },
      { effect: 'on', inForce: false, afterRelease: { effect: 'off' } },
    ]);
  });

  it('leaves out holds and changes of projects that the caller cannot see', async () => {
    const [open, hidden] = [await givenProject(server()), await givenProject(server(), { mode: 'private' })];
    const { client } = await givenMember(server(), open, memberRole);
    for (const project of [open, hidden])
      await givenHold(server(), await givenFlagIn(server(), 'development', project), { effect: 'off' });
    const { holds, lastHour } = (await client.call(now)).json;
    const projects = new Set([...holds, ...lastHour].map(({ project }: { project: string }) => project));
    expect([projects.has(open), projects.has(hidden)]).toEqual([true, false]);
  });

  it('adds up the refusals of all tokens of an endpoint, and lists the latest first', async () => {
    const [early, late] = [await givenEndpoint(server()), await givenEndpoint(server())];
    const second = (await givenToken(server(), early.id, 'second')).secret;
    for (const token of [early.token, second, second]) await send(server(), { name: early.name, token }, '{');
    server().clock.advance(1000);
    await send(server(), late, '{');
    for (const { id } of [early, late])
      await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params: { id } });
    const { refusals } = (await server().admin.call(now)).json;
    expect(refusals.slice(0, 2)).toMatchObject([
      { name: late.name, reason: 'invalid body', count: 1 },
      { name: early.name, reason: 'invalid body', count: 3 },
    ]);
    // Later tests refuse requests later than this one.
    server().clock.advance(1000);
  });

  it('tells the title and the state of a signal only to those who may read signals', async () => {
    const place = await givenAlertPlace(server());
    const alerts = [{ status: 'firing', fingerprint: 'a', labels: { alertname: 'Disk is full' } }];
    const id = await signal(server(), place, { status: 'firing', commonLabels: { alertname: 'Disk is full' }, alerts });
    const shownTo = async (client: ApiClient) =>
      (await client.call(now)).json.lastHour.find(
        (moment: { kind: string; id: number }) => moment.kind === 'signal' && moment.id === id,
      );
    expect(await shownTo(server().admin)).toMatchObject({ state: 'firing', label: expect.stringContaining('Disk') });
    const viewer = server().client(await server().tokenOf('viewer'));
    expect(await shownTo(viewer)).toMatchObject({ state: null, label: place.endpoint.name });
  });

  it('shows failed and skipped runs and refused requests of the last day to those who may read them, and the last hour to all', async () => {
    const place = await givenActionPlace(server());
    const actions = [calling(place, 'https://8.8.8.8/{{missing}}')];
    await givenSet(server(), { name: 'fails', actions }, place);
    await signal(server(), place);
    await send(server(), { name: place.endpoint.name, token: 'signal_wrong' }, '{}');
    await server().admin.call('GET /api/admin/signal-endpoints/:id/refusals', { params: { id: place.endpoint.id } });
    const { runs, refusals, lastHour } = (await server().admin.call(now)).json;
    expect(runs[0]).toMatchObject({ name: 'fails', state: 'failed', project: place.projectId });
    const readers = [await givenMember(server(), place.projectId, 4), await givenCaller(server(), 'Admin')];
    for (const { client } of readers) expect((await client.call(now)).json.runs[0]).toMatchObject({ name: 'fails' });
    const viewer = server().client(await server().tokenOf('viewer'));
    expect((await viewer.call(now)).json.runs).toBeNull();
    expect(refusals[0]).toMatchObject({ name: place.endpoint.name, reason: 'unknown token', count: 1 });
    expect(lastHour).toContainEqual(expect.objectContaining({ kind: 'signal', by: place.endpoint.name }));
    // Each list has a window of its own: an hour of changes and signals, a day of runs and refusals.
    const sizesAfter = async (minutes: number) => {
      server().clock.advance(minutes * 60_000);
      const { runs, refusals, lastHour } = (await server().admin.call(now)).json;
      return [runs, refusals, lastHour].map((list: readonly object[]) => list.length > 0);
    };
    expect(await sizesAfter(58)).toEqual([true, true, true]);
    expect(await sizesAfter(4)).toEqual([true, true, false]);
    expect(await sizesAfter(22 * 60)).toEqual([true, true, false]);
    expect(await sizesAfter(2 * 60)).toEqual([false, false, false]);
  });

  it('shows the newest failed run of an action with its reason and the number of those like it', async () => {
    const place = await givenActionPlace(server());
    const actions = [calling(place, 'https://8.8.8.8/{{missing}}')];
    const set = await givenSet(server(), { actions }, place);
    for (let n = 0; n < 30; n++) await signal(server(), place);
    const [newest] = await runsOf(server(), set);
    const { runs } = (await server().admin.call(now)).json;
    const ours = runs.filter(({ actionSetId }: { actionSetId: number }) => actionSetId === set.id);
    expect(ours).toMatchObject([{ id: newest.id, count: 30, reason: expect.stringContaining('missing') }]);
  });

  it('leaves out runs that the override of a person skipped', async () => {
    const place = await givenActionPlace(server());
    const overridden = await givenSet(server(), {}, place);
    const path = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
    await server().admin.call(`PUT ${path}`, { params: place.flag, body: { reason: 'False alarm', endsAt: null } });
    const failing = await givenSet(server(), { actions: [calling(place, 'https://8.8.8.8/{{missing}}')] }, place);
    await signal(server(), place);
    expect((await runsOf(server(), overridden))[0]).toMatchObject({ state: 'skipped' });
    const { runs } = (await server().admin.call(now)).json;
    const ours = runs.filter(({ project }: { project: string }) => project === place.projectId);
    expect(ours.map(({ actionSetId }: { actionSetId: number }) => actionSetId)).toEqual([failing.id]);
  });

  it('shows the title of a signal only to callers who may read signals', async () => {
    const { json } = await server().admin.call('POST /api/admin/signal-endpoints', {
      body: { name: 'titled', fields: { title: 'name' } },
    });
    await server().admin.call('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
      params: { signalEndpointId: json.id },
      body: { payload: { name: 'Secret alert' } },
    });
    const viewer = server().client(await server().tokenOf('viewer'));
    const editor = server().client(await server().tokenOf('editor'));
    expect((await viewer.call(now)).text).not.toContain('Secret alert');
    expect((await editor.call(now)).text).toContain('Secret alert');
  });

  it('leaves out runs that a later signal about their alert took the place of', async () => {
    const place = await givenAlertPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const set = {
      name: 'Careful',
      guards: { flagsPerHour: 1 },
      allow: { flags: ['*'], tags: [], environments: [] },
    };
    await givenSet(server(), holdingAlerts(place, { params: { featureName: '{{item.flag}}' }, set }), place);
    for (const flag of [place.flag.featureName, other.featureName, other.featureName])
      await signal(server(), place, { alerts: [{ status: 'firing', fingerprint: flag, flag }] });
    const { runs } = (await server().admin.call(now)).json;
    const ours = runs.filter(({ name }: { name: string }) => name === 'Careful');
    expect(ours).toMatchObject([{ state: 'waiting', count: 1 }]);
  });

  it('shows the change requests that are applied within a day, the next one first', async () => {
    const hourMs = 3_600_000;
    const ids = [];
    for (const hours of [5, 1, 30, 3]) ids.push((await givenScheduled(server(), { inMs: hours * hourMs })).id);
    // A suspended request is not applied at its time.
    const { params } = await givenScheduled(server(), {}, async ({ params: at }) => {
      const payload = { id: await addStrategy(server(), at, { name: 'default' }), title: 'later' };
      return { action: 'updateStrategy', feature: at.featureName, payload };
    });
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params });
    const { scheduled } = (await server().admin.call(now)).json;
    const shown = scheduled.map(({ id }: { id: number }) => id);
    expect(shown).toEqual([ids[1], ids[3], ids[0]]);
  });

  it('counts all holds', async () => {
    const endpoint = await givenEndpoint(server());
    await send(server(), endpoint, '{}');
    const { holdsTotal } = (await server().admin.call(now)).json;
    for (let n = 0; n < 5; n++)
      await givenHold(server(), await givenFlagIn(server(), 'development'), { effect: 'off' });
    expect((await server().admin.call(now)).json.holdsTotal).toBe(holdsTotal + 5);
  });
});
