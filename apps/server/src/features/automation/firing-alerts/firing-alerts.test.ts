import { describe, expect, it } from 'vitest';
import { timeText } from '#kernel/clock.ts';
import { givenCaller } from '#testing/access.ts';
import { type ActionPlace, givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { givenFlag } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { useServer } from '#testing/server.ts';
import { changeEndpoint } from '#testing/silence.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const now = 'GET /api/admin/now';
const minuteMs = 60_000;

const alert = (status: string, fingerprint: string, startsAt = '2026-11-24T03:00:00.000Z') => ({
  status,
  fingerprint,
  startsAt,
  labels: { alertname: `Alert ${fingerprint}` },
});
const send = async (place: ActionPlace, ...alerts: object[]) => {
  const id = await signal(server(), place, { alerts });
  await server().app.service.alerts.settled();
  return id;
};
const listed = async ({ endpoint }: ActionPlace, client = server().admin) => {
  const { alertsWithoutEffect } = (await client.call(now)).json;
  return alertsWithoutEffect.filter((alert: { signalEndpointId: number }) => alert.signalEndpointId === endpoint.id);
};
const holdsOf = async ({ flag }: ActionPlace) =>
  (await server().admin.call(now)).json.holds.filter(
    ({ featureName }: { featureName: string }) => featureName === flag.featureName,
  );
const override = ({ flag: params }: ActionPlace, holds: 'keep' | 'release') =>
  server().admin.call(
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override',
    { params, body: { reason: 'The alert is wrong', endsAt: null, holds } },
  );
const titles = async () =>
  (await server().admin.call(now)).json.alertsWithoutEffect.map(({ title }: { title: string }) => title);

describe('alerts that fire without effect', () => {
  it('are listed with their latest signal until they are resolved', async () => {
    const place = await givenAlertPlace(server());
    const first = await send(place, alert('firing', 'a'), alert('firing', 'b'));
    expect(await listed(place)).toMatchObject([
      { title: 'Alert a', signalId: first, element: 0, reason: `No action listens to ${place.endpoint.name}.` },
      { title: 'Alert b', signalId: first, element: 1 },
    ]);
    const since = (await listed(place))[0].since;
    server().clock.advance(5 * minuteMs);
    const repeated = await send(place, alert('resolved', 'b'), alert('firing', 'a'));
    expect(await listed(place)).toMatchObject([{ title: 'Alert a', signalId: repeated, element: 1, since }]);
    await send(place, alert('resolved', 'a'));
    expect(await listed(place)).toEqual([]);
  });

  it('stay resolved when a firing signal of before arrives late, and fire again with another start', async () => {
    const place = await givenAlertPlace(server());
    await send(place, alert('firing', 'a'));
    await send(place, alert('resolved', 'a'));
    server().clock.advance(minuteMs);
    await send(place, alert('firing', 'a'));
    expect(await listed(place)).toEqual([]);
    const signalId = await send(place, alert('firing', 'a', '2026-11-24T03:30:00.000Z'));
    expect(await listed(place)).toMatchObject([{ title: 'Alert a', signalId, element: 0 }]);
  });

  it('are listed when they fire again at once, where their sender names no start', async () => {
    const place = await givenAlertPlace(server());
    const report = (status: string) => send(place, { status, fingerprint: 'a', labels: { alertname: 'Alert a' } });
    await report('firing');
    await report('resolved');
    server().clock.advance(minuteMs / 2);
    await report('firing');
    expect(await listed(place)).toMatchObject([{ title: 'Alert a' }]);
  });

  it('are left out a day after their last signal', async () => {
    const place = await givenAlertPlace(server());
    await send(place, alert('firing', 'a'));
    server().clock.advance(23 * 60 * minuteMs);
    expect(await listed(place)).toMatchObject([{ title: 'Alert a' }]);
    server().clock.advance(2 * 60 * minuteMs);
    expect(await listed(place)).toEqual([]);
  });

  it('are not those that hold a flag, until the hold is released', async () => {
    const place = await givenAlertPlace(server());
    const set = await givenSet(server(), holdingAlerts(place), place);
    await send(place, alert('firing', 'a'), alert('firing', 'b'));
    expect(await listed(place)).toEqual([]);
    const [, ofA] = await holdsOf(place);
    await releaseHold(server(), place.flag, ofA.id);
    expect(await listed(place)).toMatchObject([
      {
        title: 'Alert a',
        actionSetId: set.id,
        runId: expect.any(Number),
        reason: expect.stringContaining('the hold has ended'),
      },
    ]);
  });

  describe('whose hold has ended', () => {
    const ended = async (place: ActionPlace, how: string) => {
      const { featureName, environment } = place.flag;
      const [{ reason }] = await listed(place);
      expect(reason).toMatch(
        new RegExp(`^The action Guard held ${featureName} in ${environment}, and the hold has ended: ${how}\\.$`),
      );
    };
    const at = () => `at ${timeText(server().clock.now())}`;
    const guarded = async (more: Parameters<typeof holdingAlerts>[1] = {}) => {
      const place = await givenAlertPlace(server());
      await givenSet(server(), { ...holdingAlerts(place, more), name: 'Guard' }, place);
      await send(place, alert('firing', 'a'));
      return place;
    };

    it('name the person who released it, and when', async () => {
      const place = await guarded();
      server().clock.advance(minuteMs);
      const [{ id }] = await holdsOf(place);
      await releaseHold(server(), place.flag, id);
      await ended(place, `admin released it ${at()}`);
    });

    it('say that its time was over, and when', async () => {
      const place = await guarded({ params: { minutes: 1 } });
      server().clock.advance(minuteMs);
      await server().app.service.expiries.runDue();
      await ended(place, `its time was over ${at()}`);
    });

    it('name the action that released it, and its run', async () => {
      const place = await guarded({ params: { key: 'checkout' }, match: { release: null } });
      const { projectId: project, flag } = place;
      const executionParams = { project, environment: 'development', featureName: flag.featureName, key: 'checkout' };
      const source = await givenActionPlace(server());
      const actions = [{ action: 'RELEASE_FEATURE', sortOrder: 1, executionParams }];
      const releasing = { ...place, endpoint: source.endpoint };
      await givenSet(server(), { name: 'Recover', actions }, releasing);
      await signal(server(), releasing);
      await ended(place, `the action Recover released it in run \\d+ ${at()}`);
    });
  });

  it('are not those that share a hold of one set', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { match: { release: null } }), place);
    await send(place, alert('firing', 'a'));
    await send(place, alert('firing', 'b'));
    expect(await listed(place)).toEqual([]);
    for (const { id } of await holdsOf(place)) await releaseHold(server(), place.flag, id);
    expect((await listed(place)).map(({ reason }: { reason: string }) => reason)).toEqual([
      expect.stringContaining('the hold has ended'),
      expect.stringContaining('the hold has ended'),
    ]);
  });

  it('are not those whose flag another hold keeps in another state', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { effect: 'on' } }), place);
    await givenHold(server(), place.flag, { effect: 'off' });
    await send(place, alert('firing', 'a'));
    expect(await listed(place)).toEqual([]);
  });

  it('are not those that hold a flag from before their action was changed', async () => {
    const place = await givenAlertPlace(server());
    const { id } = await givenSet(server(), holdingAlerts(place), place);
    await send(place, alert('firing', 'a'));
    const other = holdingAlerts(place, { match: { payload: { 'item.labels.severity': is('page') } } });
    const params = { projectId: place.projectId, id };
    const changed = await server().admin.call('PUT /api/admin/projects/:projectId/actions/:id', {
      params,
      body: other,
    });
    expect(changed.status).toBe(200);
    await send(place, alert('firing', 'a'));
    expect(await listed(place)).toEqual([]);
    for (const hold of await holdsOf(place)) await releaseHold(server(), place.flag, hold.id);
    expect(await listed(place)).toMatchObject([{ reason: expect.stringContaining('No action matches') }]);
  });

  it.each([
    ['no filter lets them pass', { match: { payload: { 'item.status': is('pending') } } }, 'No action matches'],
    ['the action is switched off', { set: { enabled: false } }, 'is switched off'],
    ['the action is in shadow mode', { set: { shadow: true } }, 'shadow mode'],
    ['the flag does not exist', { params: { featureName: '{{item.labels.alertname}}' } }, 'failed'],
    ['a quorum is missing', { set: { guards: { quorum: { signals: 2, tokens: 1, withinSeconds: 60 } } } }, 'Quorum'],
  ])('say so when %s', async (_case, more, reason) => {
    const place = await givenAlertPlace(server());
    const set = { allow: { flags: ['*'], tags: [], environments: [] }, ...('set' in more ? more.set : {}) };
    const { id } = await givenSet(server(), holdingAlerts(place, { ...more, set }), place);
    await send(place, alert('firing', 'a'));
    const [shown] = await listed(place);
    expect(shown.reason).toContain(reason);
    if (shown.actionSetId !== null) expect([shown.actionSetId, shown.project]).toEqual([id, place.projectId]);
  });

  it('say so when automation is frozen, and when a person keeps it off the flag', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place), place);
    const freeze = (frozen: boolean) => server().admin.call('POST /api/admin/automation', { body: { frozen } });
    await freeze(true);
    await send(place, alert('firing', 'a'));
    await freeze(false);
    expect(await listed(place)).toMatchObject([{ reason: expect.stringContaining('Automation is frozen') }]);
    await override(place, 'keep');
    await send(place, alert('firing', 'a'));
    expect(await listed(place)).toMatchObject([{ reason: expect.stringContaining('The alert is wrong') }]);
  });

  describe('of an action on the flag that an alert names', () => {
    const onFlagOfLabel = { featureName: '{{item.labels.flag}}' };
    const set = { allow: { flags: ['*'], tags: [], environments: [] } };
    const about = (fingerprint: string, { featureName }: { readonly featureName: string }) => {
      const firing = alert('firing', fingerprint);
      return { ...firing, labels: { ...firing.labels, flag: featureName } };
    };

    it.each([
      ['did nothing', { release: null }],
      ['has not acted yet', {}],
    ])('say that a guard stopped the action, though it holds another flag: it %s', async (words, match) => {
      const place = await givenAlertPlace(server());
      const other = await givenFlag(server(), {}, place.projectId);
      const guarded = { ...set, guards: { flagsPerHour: 1 } };
      await givenSet(server(), holdingAlerts(place, { params: onFlagOfLabel, match, set: guarded }), place);
      await send(place, about('a', place.flag), about('b', other));
      expect(await listed(place)).toMatchObject([{ title: 'Alert b', reason: expect.stringContaining(words) }]);
    });

    it('are not those whose hold stays while a guard stops their repeats', async () => {
      const place = await givenAlertPlace(server());
      const { projectId } = place;
      const holding = holdingAlerts(place, { params: onFlagOfLabel, match: { release: null }, set });
      const { id } = await givenSet(server(), holding, place);
      await send(place, about('a', place.flag));
      const guards = { quorum: { signals: 9, tokens: 1, withinSeconds: 60 } };
      const body = { ...holding, guards };
      const params = { projectId, id };
      const changed = await server().admin.call('PUT /api/admin/projects/:projectId/actions/:id', { params, body });
      expect(changed.status).toBe(200);
      await send(place, about('a', place.flag));
      await send(place, about('b', place.flag));
      expect(await listed(place)).toEqual([]);
    });
  });

  it('are not those whose action changed a flag', async () => {
    const place = await givenAlertPlace(server());
    const { projectId: project, flag } = place;
    const off = { project, environment: 'development', featureName: flag.featureName };
    const actions = [{ action: 'TOGGLE_FEATURE_OFF', sortOrder: 1, executionParams: off }];
    await givenSet(server(), holdingAlerts(place, { match: { release: null }, set: { actions } }), place);
    await send(place, alert('firing', 'a'));
    expect(await listed(place)).toEqual([]);
  });

  it('are not those that their endpoint expects, such as a Watchdog, nor are these counted', async () => {
    const place = await givenAlertPlace(server());
    const { endpoint } = place;
    const named = (name: string) => ({ ...alert('firing', name), labels: { alertname: name } });
    await send(place, named('Watchdog'));
    await send(place, named('Other'), named('Watchdog2'));
    const total = async () => (await server().admin.call(now)).json.alertsWithoutEffectTotal;
    const before = await total();
    const expect5 = async (expectedFilters: object) => {
      const body = { expectedMinutes: 5, expectedFilters };
      const reply = await changeEndpoint(server(), endpoint, { source: 'alertmanager', ...body });
      expect(reply.status).toBe(200);
      return (await listed(place)).map(({ title }: { title: string }) => title).toSorted();
    };
    expect(await expect5({})).toEqual(['Other', 'Watchdog2']);
    expect(await expect5({ 'alerts[0].labels.alertname': is('Watchdog'), status: is('firing') })).toHaveLength(3);
    expect(await expect5({ 'alerts[0].labels.alertname': is('Watchdog') })).toEqual(['Other', 'Watchdog2']);
    expect(await total()).toBe(before - 1);
    expect(await expect5({ 'normalized.elements[0].title': is('Watchdog2') })).toEqual(['Other', 'Watchdog']);
  });

  it('need READ_SIGNALS, and name no action of projects that the caller cannot see', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { set: { name: 'hidden action', shadow: true } }), place);
    await send(place, alert('firing', 'a'));
    const viewer = server().client(await server().tokenOf('viewer'));
    expect((await viewer.call(now)).json.alertsWithoutEffect).toBeNull();
    await server().admin.call('PUT /api/admin/projects/:projectId/settings', {
      params: { projectId: place.projectId },
      body: { name: 'hidden', mode: 'private' },
    });
    const { client } = await givenCaller(server(), 'Editor');
    expect(await listed(place, client)).toMatchObject([
      {
        title: 'Alert a',
        reason: expect.stringContaining('cannot see'),
        project: null,
        actionSetId: null,
        runId: null,
      },
    ]);
    expect((await client.call(now)).text).not.toContain('hidden action');
  });

  it('have the link of the alert, or that of its signal, or none', async () => {
    const place = await givenAlertPlace(server());
    const alerts = [{ ...alert('firing', 'a'), generatorURL: 'https://prometheus.example.com/graph' }];
    await signal(server(), place, { externalURL: 'javascript:alert(1)', alerts });
    await signal(server(), place, { externalURL: 'https://alertmanager.example.com', alerts: [alert('firing', 'b')] });
    await send(place, { ...alert('firing', 'c'), generatorURL: 'javascript:alert(1)' });
    const links = (await listed(place)).map(({ title, link }: { title: string; link: string }) => [title, link]);
    expect(Object.fromEntries(links)).toEqual({
      'Alert a': 'https://prometheus.example.com/graph',
      'Alert b': 'https://alertmanager.example.com',
      'Alert c': null,
    });
  });

  it('are not read from signals without a fingerprint', async () => {
    const place = await givenActionPlace(server());
    await send(place, alert('firing', 'a'));
    expect(await listed(place)).toEqual([]);
  });

  it('are at most 25, the newest', async () => {
    const place = await givenAlertPlace(server());
    await send(place, ...Array.from({ length: 30 }, (_, n) => alert('firing', `${n}`)));
    server().clock.advance(minuteMs);
    await send(place, alert('firing', 'newest'));
    const { alertsWithoutEffect } = (await server().admin.call(now)).json;
    expect([alertsWithoutEffect.length, alertsWithoutEffect[0].title]).toEqual([25, 'Alert newest']);
  });

  it('come after all others when a person keeps automation off their flag, and are counted', async () => {
    server().clock.advance(25 * 60 * minuteMs);
    const [unheard, trial, overridden] = [
      await givenAlertPlace(server()),
      await givenAlertPlace(server()),
      await givenAlertPlace(server()),
    ];
    await givenSet(server(), holdingAlerts(trial, { set: { shadow: true } }), trial);
    await send(unheard, alert('firing', 'unheard'));
    await send(trial, alert('firing', 'trial'));
    await givenSet(server(), holdingAlerts(overridden), overridden);
    await override(overridden, 'keep');
    server().clock.advance(minuteMs);
    await send(overridden, ...Array.from({ length: 30 }, (_, n) => alert('firing', `${n}`)));
    const { alertsWithoutEffect, alertsWithoutEffectTotal } = (await server().admin.call(now)).json;
    expect([alertsWithoutEffect.length, alertsWithoutEffectTotal]).toEqual([25, 32]);
    expect(new Set((await titles()).slice(0, 2))).toEqual(new Set(['Alert unheard', 'Alert trial']));
  });

  it.each([
    [
      'released their hold',
      async (place: ActionPlace) => {
        for (const { id } of await holdsOf(place)) await releaseHold(server(), place.flag, id);
      },
    ],
    [
      'took their run back',
      async (place: ActionPlace) => {
        const [{ heldBy }] = await holdsOf(place);
        const { projectId } = place;
        await server().admin.call('POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back', {
          params: { projectId, actionSetId: heldBy.actionSetId, runId: heldBy.runId },
        });
      },
    ],
    ['released their hold with an override', (place: ActionPlace) => override(place, 'release')],
  ])('come after all others when a person %s', async (_how, release) => {
    server().clock.advance(25 * 60 * minuteMs);
    const [unheard, released] = [await givenAlertPlace(server()), await givenAlertPlace(server())];
    const expired = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(expired, { params: { minutes: 1 } }), expired);
    await send(expired, alert('firing', 'expired'));
    server().clock.advance(minuteMs);
    await server().app.service.expiries.runDue();
    await send(unheard, alert('firing', 'unheard'));
    server().clock.advance(minuteMs);
    await givenSet(server(), holdingAlerts(released), released);
    await send(released, alert('firing', 'released'));
    await release(released);
    expect(await titles()).toEqual(['Alert unheard', 'Alert expired', 'Alert released']);
  });
});
