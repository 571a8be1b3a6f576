import { describe, expect, it } from 'vitest';
import { itemAt } from '#kernel/lists.ts';
import { type ActionPlace, givenSet, runsOf, setBody, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

const setsPath = '/api/admin/projects/:projectId/actions' as const;

let minute = 0;
const send = (place: ActionPlace, ...alerts: (readonly [status: string, fingerprint: string])[]) => {
  const startsAt = new Date(Date.UTC(2026, 10, 23, 3, minute++)).toISOString();
  return signal(server(), place, {
    status: alerts[0]?.[0],
    groupKey: `{}/{team=~"^(?:${'checkout|'.repeat(40)})$"}:{alertname="HighLatency"}`,
    alerts: alerts.map(([status, fingerprint]) => ({ status, fingerprint, startsAt })),
  });
};

const held = async ({ flag }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  const { leases } = (await server().admin.call(list, { params: flag })).json;
  return leases.map(({ heldBy }: { heldBy: { key: string } }) => heldBy.key).toSorted();
};

describe('a set that holds and releases', () => {
  it('holds for each alert, and releases for each alert that is resolved', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place), place);
    await send(place, ['firing', 'a'], ['firing', 'b']);
    expect(await held(place)).toEqual(['a', 'b']);
    await send(place, ['resolved', 'a'], ['firing', 'b']);
    expect(await held(place)).toEqual(['b']);
    await send(place, ['resolved', 'b']);
    expect(await held(place)).toEqual([]);
    const runs = await runsOf(server(), set);
    expect(runs).toHaveLength(5);
    expect(runs[0]).toMatchObject({
      state: 'success',
      actionSet: {
        match: { release: { 'item.status': is('resolved') } },
        actions: [
          {
            action: 'RELEASE_FEATURE',
            state: 'success',
            executionParams: { featureName: place.flag.featureName },
            changes: [{ type: 'feature-lease-released' }, { type: 'feature-effective-state-changed' }],
          },
        ],
      },
    });
  });

  it('holds for each group of alerts, also when their group keys differ only after 300 characters', async () => {
    const place = await givenAlertPlace(server());
    const ofGroup = (value: string) => ({ 'normalized.state': is(value) });
    const match = { forEach: null, payload: ofGroup('firing'), release: ofGroup('resolved') };
    await givenSet(server(), holdingAlerts(place, { match }), place);
    const groupKey = (pod: string) => `{}/{team=~"^(?:${'checkout|'.repeat(40)})$"}:{alertname="Down", pod="${pod}"}`;
    const sendGroup = (status: string, pod: string) => signal(server(), place, { status, groupKey: groupKey(pod) });
    await sendGroup('firing', 'a');
    await sendGroup('firing', 'b');
    expect(await held(place)).toHaveLength(2);
    await sendGroup('resolved', 'a');
    expect(await held(place)).toHaveLength(1);
  });

  it('releases its other flags when one of them was deleted while it was held', async () => {
    const place = await givenAlertPlace(server());
    const { projectId, flag } = place;
    const kept = { ...place, flag: await givenFlagIn(server(), 'development', projectId) };
    const [first] = holdingAlerts(place).actions;
    const second = { ...itemAt(holdingAlerts(kept).actions, 0), sortOrder: 2 };
    const set = await givenSet(server(), holdingAlerts(place, { set: { actions: [first, second] } }), place);
    await send(place, ['firing', 'a']);
    expect([await held(place), await held(kept)]).toEqual([['a'], ['a']]);
    await server().admin.call('DELETE /api/admin/projects/:projectId/features/:featureName', { params: flag });
    await server().admin.call('DELETE /api/admin/archive/:featureName', { params: flag });
    await send(place, ['resolved', 'a']);
    expect(await held(kept)).toEqual([]);
    const [run] = await runsOf(server(), set);
    expect(run).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(flag.featureName),
      actionSet: { actions: [{ state: 'failed' }, { state: 'success' }] },
    });
  });

  it('releases a flag that lost the tag which the set allows while it was held', async () => {
    const place = await givenAlertPlace(server());
    const { featureName } = place.flag;
    const tag = { type: 'simple', value: 'checkout' };
    await server().admin.call('POST /api/admin/features/:featureName/tags', { params: { featureName }, body: tag });
    const params = { featureName: '{{item.labels.flag}}' };
    const allow = { tags: ['simple:checkout'] };
    const set = await givenSet(server(), holdingAlerts(place, { params, set: { allow } }), place);
    const sendOf = (status: string) =>
      signal(server(), place, { alerts: [{ status, fingerprint: 'a', labels: { flag: featureName } }] });
    await sendOf('firing');
    const untag = 'DELETE /api/admin/features/:featureName/tags/:type/:value';
    expect((await server().admin.call(untag, { params: { featureName, ...tag } })).status).toBe(200);
    await sendOf('resolved');
    expect(await held(place)).toEqual([]);
    await sendOf('firing');
    expect((await runsOf(server(), set)).map(({ state }: { state: string }) => state)).toEqual([
      'failed',
      'success',
      'success',
    ]);
  });

  it('releases only what it holds itself', async () => {
    const place = await givenAlertPlace(server());
    const params = { key: '{{item.fingerprint}}' };
    await givenSet(server(), holdingAlerts(place, { params, match: { release: null } }), place);
    const own = await givenSet(server(), holdingAlerts(place, { params }), place);
    await send(place, ['firing', 'a']);
    expect(await held(place)).toEqual(['a', 'a']);
    await send(place, ['resolved', 'a']);
    expect(await held(place)).toEqual(['a']);
    expect((await runsOf(server(), own))[0]).toMatchObject({ state: 'success' });
    await send(place, ['resolved', 'a']);
    expect((await runsOf(server(), own))[0].reason).toMatch(/^Nothing to release: .+ holds it off under the cond/);
  });

  it('holds for a group of alerts, whose long key is shortened', async () => {
    const place = await givenAlertPlace(server());
    const match = { payload: { status: is('firing') }, release: { status: is('resolved') }, forEach: null };
    await givenSet(server(), holdingAlerts(place, { match }), place);
    await send(place, ['firing', 'a']);
    expect(await held(place)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    await send(place, ['resolved', 'a']);
    expect(await held(place)).toEqual([]);
  });

  it('releases whatever its quorum and its limit of flags are', async () => {
    const place = await givenAlertPlace(server());
    const guards = { quorum: { signals: 2, tokens: 1, withinSeconds: 60 }, flagsPerHour: 1 };
    const set = await givenSet(server(), holdingAlerts(place, { set: { guards } }), place);
    await send(place, ['firing', 'a']);
    expect(await held(place)).toEqual([]);
    await send(place, ['firing', 'a']);
    expect(await held(place)).toEqual(['a']);
    await send(place, ['resolved', 'a']);
    expect(await held(place)).toEqual([]);
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: 'success' });
  });

  it('waits with a release while automation is frozen', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place), place);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await send(place, ['firing', 'a']);
    await freeze(true);
    await send(place, ['resolved', 'a']);
    await send(place, ['firing', 'b']);
    const reason = 'Automation is frozen.';
    expect((await runsOf(server(), set)).slice(0, 2)).toMatchObject([
      { state: 'waiting', reason: `Waits for a person: ${reason}` },
      { state: 'waiting', reason },
    ]);
    await freeze(false);
    server().clock.advance(2000);
    await server().app.service.jobs.runDue();
    expect(await held(place)).toEqual([]);
  });

  it('records both in shadow mode, and changes nothing', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place, { set: { shadow: true } }), place);
    await send(place, ['firing', 'a']);
    await send(place, ['resolved', 'a']);
    expect(await runsOf(server(), set)).toMatchObject([
      { state: 'skipped', shadow: true, actionSet: { actions: [{ action: 'RELEASE_FEATURE' }] } },
      { state: 'success', shadow: true, actionSet: { actions: [{ action: 'HOLD_FEATURE' }] } },
    ]);
    expect(await held(place)).toEqual([]);
  });

  it('can have its release taken back', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place), place);
    await send(place, ['firing', 'a']);
    await send(place, ['resolved', 'a']);
    const [{ id: runId }] = await runsOf(server(), set);
    const params = { projectId: set.projectId, actionSetId: set.id, runId };
    const takeBack = `POST ${setsPath}/:actionSetId/events/:runId/take-back` as const;
    expect((await server().admin.call(takeBack, { params })).status).toBe(200);
    expect(await held(place)).toEqual(['a']);
    await send(place, ['resolved', 'a']);
    expect(await held(place)).toEqual([]);
  });

  it('shows in a dry run and in a backtest what it would release', async () => {
    const place = await givenAlertPlace(server());
    const signalId = await send(place, ['resolved', 'a'], ['firing', 'b'], ['unknown', 'c']);
    const params = { projectId: place.projectId };
    const body = { set: holdingAlerts(place), signalId };
    const { json } = await server().admin.call(`POST ${setsPath}/rehearse`, { params, body });
    expect(json.views).toMatchObject([
      { matches: true, releases: true, state: 'skipped', actions: [{ action: 'RELEASE_FEATURE' }] },
      { matches: true, releases: false, state: 'success', actions: [{ action: 'HOLD_FEATURE' }] },
      { matches: false, releases: false, state: null },
    ]);
    const tested = await server().admin.call(`POST ${setsPath}/backtest`, {
      params,
      body: { set: holdingAlerts(place), days: 1 },
    });
    expect(tested.json.matches).toMatchObject([
      { element: 0, actions: [{ action: 'RELEASE_FEATURE' }] },
      { element: 1, actions: [{ action: 'HOLD_FEATURE' }] },
    ]);
  });
});

describe('the filters that release', () => {
  const create = async (more: Parameters<typeof holdingAlerts>[1]) => {
    const place = await givenAlertPlace(server());
    const params = { projectId: place.projectId };
    return server().admin.call(`POST ${setsPath}`, { params, body: holdingAlerts(place, more) });
  };

  it.each([
    ['without a filter', { match: { release: {} } }, 'match.release'],
    ['with an invalid path', { match: { release: { 'a..b': is('resolved') } } }, 'match.release.a..b'],
    [
      'without a value',
      { match: { release: { status: { operator: 'IN', values: [] } } } },
      'match.release.status.values',
    ],
  ])('are refused %s', async (_, more, path) => {
    const { status, json } = await create(more);
    expect([status, json.details?.[0]?.path]).toEqual([400, path]);
  });

  it('are refused for a set that holds nothing', async () => {
    const place = await givenAlertPlace(server());
    const { match } = holdingAlerts(place) as unknown as { match: object };
    const { status, json } = await server().admin.call(`POST ${setsPath}`, {
      params: { projectId: place.projectId },
      body: setBody(place, { match: { ...match, forEach: null } }),
    });
    expect([status, json.details]).toEqual([
      400,
      [
        expect.objectContaining({
          path: 'match.release',
          message: expect.stringContaining('needs an action that holds'),
        }),
      ],
    ]);
  });

  it('stay when an update leaves them out, and go when it says null', async () => {
    const place = await givenAlertPlace(server());
    const { id, projectId } = await givenSet(server(), holdingAlerts(place), place);
    const update = async (release: object) => {
      const { match, ...body } = holdingAlerts(place) as unknown as { match: object };
      const { release: _, ...rest } = match as { release: object };
      const params = { projectId, id };
      const sent = { ...body, match: { ...rest, ...release } };
      return (await server().admin.call(`PUT ${setsPath}/:id`, { params, body: sent })).json.match.release;
    };
    expect(await update({})).toEqual({ 'item.status': is('resolved') });
    expect(await update({ release: null })).toBeNull();
  });
});
