import { describe, expect, it } from 'vitest';
import { givenCaller } from '#testing/access.ts';
import { type GivenSet, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace } from '#testing/alerts.ts';
import { author } from '#testing/database.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { forAlerts, givenPair } from '../merge.scenarios.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

const pairsOf = async ({ projectId }: Pick<GivenSet, 'projectId'>) =>
  (await server().admin.call('GET /api/admin/projects/:projectId/actions/pairs', { params: { projectId } })).json.pairs;
const merge = ({ projectId, id }: GivenSet, releasing: GivenSet, body: object = {}) =>
  server().admin.call('POST /api/admin/projects/:projectId/actions/:id/merge', {
    params: { projectId, id },
    body: { releasingId: releasing.id, ...body },
  });
const send = (set: GivenSet, status: string, fingerprint = 'a') =>
  signal(server(), set, { alerts: [{ status, fingerprint, startsAt: `2026-11-24T03:00:00.000Z` }] });
const holdsOf = async ({ flag }: GivenSet) => {
  const { featureName, projectId } = flag;
  const route = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server().admin.call(route, { params: { projectId, featureName } })).json.leases;
};
const givenAlertPair = async (more: object = {}) =>
  givenPair(server(), { at: await givenAlertPlace(server()), ...more });

describe('merging a set that holds with one that releases', () => {
  it('releases what was held before the merge, and keeps the runs', async () => {
    const { holding, releasing } = await givenAlertPair();
    await send(holding, 'firing');
    expect(await holdsOf(holding)).toHaveLength(1);
    expect((await merge(holding, releasing)).status).toBe(200);
    expect(await holdsOf(holding)).toHaveLength(1);
    await send(holding, 'resolved');
    expect(await holdsOf(holding)).toEqual([]);
    expect((await runsOf(server(), holding)).map(({ state }: { state: string }) => state)).toEqual([
      'success',
      'success',
    ]);
    expect(await pairsOf(holding)).toEqual([]);
  });

  it('holds and releases as the pair did: one hold for all alerts', async () => {
    const { holding, releasing } = await givenAlertPair();
    await merge(holding, releasing, { afterwards: 'delete' });
    await send(holding, 'firing', 'a');
    await send(holding, 'firing', 'b');
    expect(await holdsOf(holding)).toHaveLength(1);
    await send(holding, 'resolved', 'b');
    expect(await holdsOf(holding)).toEqual([]);
  });

  it('keeps the condition of the actions', async () => {
    const params = { key: '{{item.fingerprint}}' };
    const { holding, releasing } = await givenAlertPair({ holding: { params }, releasing: { params } });
    await send(holding, 'firing', 'a');
    await merge(holding, releasing);
    await send(holding, 'firing', 'b');
    await send(holding, 'resolved', 'a');
    expect((await holdsOf(holding)).map(({ heldBy }: { heldBy: { key: string } }) => heldBy.key)).toEqual(['b']);
  });

  it('releases a hold of before holds had a set', async () => {
    const { holding, releasing } = await givenAlertPair();
    await send(holding, 'firing');
    await server().app.database.writeQuietly('action runs', author, async (tx) => {
      const old = { action_set_id: null, renewed_by_run_id: null };
      await tx.db.updateTable('feature_leases').set(old).where('feature_name', '=', holding.flag.featureName).execute();
    });
    await merge(holding, releasing);
    await send(holding, 'resolved');
    expect(await holdsOf(holding)).toEqual([]);
  });

  it.each([
    ['another array', { match: { forEach: null, payload: {} } }, 'reads each element of alerts'],
    ['another state', { enabled: false }, 'is on, “Release” is off'],
    ['guards', { guards: { cooldownSeconds: 60 } }, 'has guards'],
    ['another condition', { params: { key: 'other' } }, undefined],
  ])('is refused for %s', async (_case, { match, ...releasing }: Record<string, unknown>, problem) => {
    const place = await givenAlertPlace(server());
    const changed = forAlerts(place, 'RELEASE_FEATURE', releasing);
    const given = { ...releasing, ...(match === undefined ? {} : { match: { ...changed.match, ...Object(match) } }) };
    const pair = await givenPair(server(), { at: place, releasing: given });
    const found = await pairsOf(pair.holding);
    if (problem === undefined) expect(found).toEqual([]);
    else expect(found[0].problems.join(' ')).toContain(problem);
    const before = await server().admin.call('GET /api/admin/projects/:projectId/actions', {
      params: { projectId: place.projectId },
    });
    expect((await merge(pair.holding, pair.releasing)).status).toBe(409);
    const after = await server().admin.call('GET /api/admin/projects/:projectId/actions', {
      params: { projectId: place.projectId },
    });
    expect(after.json).toEqual(before.json);
  });

  it('is refused for other accounts, for more flags, and for a set that releases for two', async () => {
    const place = await givenAlertPlace(server());
    const { id: actorId } = await givenCaller(server(), 'Editor');
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const first = await givenPair(server(), { at: place, releasing: { actorId } });
    const second = await givenSet(server(), forAlerts(place, 'HOLD_FEATURE', { name: 'Second' }), place);
    const [hold] = forAlerts({ ...place, flag: other }, 'HOLD_FEATURE').actions;
    const body = forAlerts(place, 'HOLD_FEATURE', { name: 'Third' });
    await givenSet(server(), { ...body, actions: [...body.actions, { ...hold, sortOrder: 2 }] }, place);
    const found = await pairsOf(first.holding);
    const problemsOf = (id: number) =>
      found.find(({ holding }: { holding: { id: number } }) => holding.id === id).problems.join(' ');
    expect(problemsOf(first.holding.id)).toContain('different service accounts');
    expect(problemsOf(second.id)).toContain('“Release” also releases what “Hold off” holds.');
    expect(found[2].problems.join(' ')).toContain('does not hold exactly the flags');
  });
});
