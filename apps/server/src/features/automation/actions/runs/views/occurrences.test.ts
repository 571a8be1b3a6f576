import type { SignalSourceName } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { author } from '#testing/database.ts';
import { useServer } from '#testing/server.ts';
import { givenToken, send } from '#testing/signals.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const [early, late] = ['2026-11-20T03:00:00.000Z', '2026-11-20T04:00:00.000Z'];
const alert = (status: string, startsAt?: string, fingerprint = 'f1') => ({ status, startsAt, fingerprint });

async function givenSource(source: SignalSourceName, more: object = {}): Promise<ActionPlace> {
  const place = await givenAlertPlace(server());
  const { id, name } = place.endpoint;
  const body = { name, source, ...more };
  await server().admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id }, body });
  return place;
}

/** A set that holds the flag by what the source recognises of a whole signal. */
const byState = (firing: string, over: string) => ({
  match: { forEach: null, payload: { 'normalized.state': is(firing) }, release: { 'normalized.state': is(over) } },
});

const leases = async ({ flag: params }: ActionPlace) =>
  (await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', { params })).json
    .leases;
const held = async (place: ActionPlace) => (await leases(place)).length as number;

describe.each(['alertmanager', 'grafana'] as const)('the end of an earlier occurrence of an alert of %s', (source) => {
  it.each([
    ['holds on after a late end', [[alert('firing', late)], [alert('resolved', early)]], 1],
    [
      'holds on after three reports',
      [[alert('firing', early)], [alert('firing', late)], [alert('resolved', early)]],
      1,
    ],
    ['holds on in one request', [[alert('firing', late), alert('resolved', early)]], 1],
    ['holds on in one request, the end first', [[alert('resolved', early), alert('firing', late)]], 1],
    ['releases at the end of the same occurrence', [[alert('firing', late)], [alert('resolved', late)]], 0],
    ['releases at the end of a later occurrence', [[alert('firing', early)], [alert('resolved', late)]], 0],
    ['releases at an end without a start', [[alert('firing', late)], [alert('resolved')]], 0],
    ['does not hold for an earlier occurrence after the end', [[alert('resolved', late)], [alert('firing', early)]], 0],
    ['keeps the later start', [[alert('firing', late)], [alert('firing', early)], [alert('resolved', early)]], 1],
  ])('%s', async (_what, reports, wanted) => {
    const place = await givenSource(source);
    await givenSet(server(), holdingAlerts(place), place);
    for (const alerts of reports) await signal(server(), place, { alerts });
    expect(await held(place)).toBe(wanted);
  });
});

it('the run of a late end names the occurrence that holds the flag', async () => {
  const place = await givenSource('alertmanager');
  const set = await givenSet(server(), holdingAlerts(place), place);
  await signal(server(), place, { alerts: [alert('firing', late)] });
  await signal(server(), place, { alerts: [alert('resolved', early)] });
  expect((await runsOf(server(), set))[0]).toMatchObject({
    state: 'skipped',
    reason: `Nothing to release: ${place.flag.featureName} is held in development because the alert fires again since 2026-11-20 04:00:00 UTC. This is the end of an earlier occurrence.`,
  });
});

it('a set that only releases leaves the hold of a later occurrence, too', async () => {
  const place = await givenSource('alertmanager');
  const key = '{{item.fingerprint}}';
  await givenSet(server(), holdingAlerts(place, { match: { release: null }, params: { key } }), place);
  const { projectId: project, flag } = place;
  const executionParams = { project, environment: flag.environment, featureName: flag.featureName, key };
  const match = { payload: { 'item.status': is('resolved') }, release: null };
  const actions = [{ action: 'RELEASE_FEATURE', sortOrder: 1, executionParams }];
  await givenSet(server(), { ...holdingAlerts(place, { match }), actions }, place);
  await signal(server(), place, { alerts: [alert('firing', late)] });
  await signal(server(), place, { alerts: [alert('resolved', early)] });
  expect(await held(place)).toBe(1);
  await signal(server(), place, { alerts: [alert('resolved', late)] });
  expect(await held(place)).toBe(0);
});

it('a late end leaves the hold that waits for a person, and the list of alerts without effect', async () => {
  const place = await givenSource('alertmanager');
  const set = await givenSet(server(), holdingAlerts(place), place);
  const freeze = (frozen: boolean) =>
    server().admin.call('POST /api/admin/automation', { body: { frozen, reason: frozen ? 'drill' : null } });
  await freeze(true);
  await signal(server(), place, { alerts: [alert('firing', late)] });
  await signal(server(), place, { alerts: [alert('resolved', early)] });
  await server().app.service.alerts.settled();
  const { alertsWithoutEffect } = (await server().admin.call('GET /api/admin/now')).json;
  expect(alertsWithoutEffect.map(({ endpoint }: { endpoint: string }) => endpoint)).toContain(place.endpoint.name);
  expect((await runsOf(server(), set)).map(({ state }: { state: string }) => state)).toEqual(['waiting', 'waiting']);
  await freeze(false);
});

const incident = (status: string, occurred_at?: string) => ({
  event: {
    occurred_at,
    data: { type: 'incident', id: 'Q1', incident_key: 'cpu', status, created_at: early },
  },
});
const issue = (action: string) => ({ action, data: { issue: { id: '7', title: 'T', firstSeen: early } } });
const codeAlert = (state: string, updated_at: string) => ({
  alert: { html_url: 'https://github.com/o/r/1', state, created_at: early, updated_at },
});
const [t1, t2, t3] = ['2026-11-20T03:01:00.000Z', '2026-11-20T03:02:00.000Z', '2026-11-20T03:03:00.000Z'];

describe('an incident whose start stays when it is reopened', () => {
  it.each([
    ['pagerduty', [incident('triggered', t1), incident('resolved', t2), incident('triggered', t3)]],
    ['pagerduty', [incident('triggered'), incident('resolved'), incident('triggered')]],
    ['sentry', [issue('created'), issue('resolved'), issue('unresolved')]],
    ['github', [codeAlert('open', t1), codeAlert('fixed', t2), codeAlert('open', t3)]],
  ] as const)('holds again within two minutes: %s', async (source, reports) => {
    const place = await givenSource(source);
    await givenSet(server(), holdingAlerts(place, byState('firing', 'resolved')), place);
    for (const report of reports) await signal(server(), place, report);
    expect(await held(place)).toBe(1);
  });

  it('does not hold when the report arrives after that of its end', async () => {
    const place = await givenSource('pagerduty');
    await givenSet(server(), holdingAlerts(place, byState('firing', 'resolved')), place);
    await signal(server(), place, incident('resolved', t2));
    await signal(server(), place, incident('triggered', t1));
    expect(await held(place)).toBe(0);
  });

  it('holds on when the report of its earlier end arrives late', async () => {
    const place = await givenSource('pagerduty');
    await givenSet(server(), holdingAlerts(place, byState('firing', 'resolved')), place);
    for (const [status, time] of [
      ['triggered', t1],
      ['triggered', t3],
      ['resolved', t2],
    ] as const)
      await signal(server(), place, incident(status, time));
    expect(await held(place)).toBe(1);
  });
});

describe('a flag that is held for a group of alerts', () => {
  const group = (groupKey: string, ...alerts: ReturnType<typeof alert>[]) => ({
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    ...{ receiver: 'yardarm', groupLabels: { alertname: 'A' }, groupKey, alerts },
  });
  const [edited, before, other] = ['{}/{severity="page"}', '{}/{job="shop"}', '{}/{job="blog"}'];
  it.each([
    [
      'is released after the route of the group was edited',
      [
        group(before, alert('firing', early)),
        group(edited, alert('firing', early)),
        group(edited, alert('resolved', early)),
      ],
      0,
    ],
    [
      'stays held while the same labels fire by another route',
      [
        group(before, alert('firing', early, 'shop')),
        group(other, alert('firing', early, 'blog')),
        group(before, alert('resolved', early, 'shop')),
      ],
      1,
    ],
    [
      'is released after the last of both',
      [
        group(before, alert('firing', early, 'shop')),
        group(other, alert('firing', early, 'blog')),
        group(before, alert('resolved', early, 'shop')),
        group(other, alert('resolved', early, 'blog')),
      ],
      0,
    ],
    [
      'is released when a silenced alert is no longer reported',
      [
        group(before, alert('firing', early, 'a'), alert('firing', early, 'b')),
        group(before, alert('resolved', early, 'a')),
      ],
      0,
    ],
    [
      'stays held after the late end of an earlier occurrence',
      [group(before, alert('firing', late)), group(before, alert('resolved', early))],
      1,
    ],
  ])('%s', async (_what, reports, wanted) => {
    const place = await givenSource('alertmanager');
    await givenSet(server(), holdingAlerts(place, byState('firing', 'resolved')), place);
    for (const report of reports) await signal(server(), place, report);
    expect(await held(place)).toBe(wanted);
  });
});

describe('two senders at one endpoint', () => {
  async function given(settings: object, tokens: readonly object[]) {
    const place = await givenSource('alertmanager', settings);
    await givenSet(server(), holdingAlerts(place), place);
    const { id, name, token } = place.endpoint;
    const made = [];
    for (const [index, more] of tokens.entries()) made.push(await givenToken(server(), id, `token ${index}`, more));
    const secrets = [token, ...made.map(({ secret }) => secret)];
    const report = async (sender: number, ...alerts: object[]) => {
      const raw = JSON.stringify({ alerts });
      expect((await send(server(), { name, token: secrets[sender] ?? '' }, raw)).status).toBe(200);
      await server().app.service.actions.settled();
    };
    return { place, report };
  }

  it('hold for themselves', async () => {
    const { place, report } = await given({}, [{}]);
    await report(0, alert('firing', early));
    await report(1, alert('firing', early));
    expect((await leases(place)).map(({ heldBy }: { heldBy: { key: string } }) => heldBy.key).toSorted()).toEqual([
      'f1',
      'sender token%200/f1',
    ]);
    await report(1, alert('resolved', early));
    expect(await held(place)).toBe(1);
    await report(0, alert('resolved', early));
    expect(await held(place)).toBe(0);
  });

  it('are one sender by the name of their tokens, which is kept when a token is replaced', async () => {
    const { place, report } = await given({}, [{ sender: 'b' }, { sender: 'b' }, { sender: null }]);
    await report(1, alert('firing', early));
    await report(2, alert('resolved', early));
    expect(await held(place)).toBe(0);
    await report(0, alert('firing', late));
    await report(3, alert('resolved', late));
    expect(await held(place)).toBe(0);
  });

  it('are one sender at an endpoint that says so, as those of a pair of Alertmanagers', async () => {
    const { place, report } = await given({ oneSender: true }, [{}, { sender: 'b' }]);
    await report(1, alert('firing', early));
    await report(2, alert('resolved', early));
    expect(await held(place)).toBe(0);
  });

  it('are told apart where the payload alone has the fingerprint', async () => {
    const { place, report } = await given({ source: 'generic' }, [{}]);
    await report(1, alert('firing', early));
    await report(0, alert('resolved', early));
    expect(await held(place)).toBe(1);
  });
});

/** Stores the hold of a flag as earlier versions did: under another key, without the alert. */
async function storeAsBefore({ flag }: ActionPlace, key: string): Promise<void> {
  await server().app.database.writeQuietly('action runs', author, async (tx) => {
    const holds = tx.db.updateTable('feature_leases').where('feature_name', '=', flag.featureName);
    await holds.set({ holder_key: key, alert_condition: null, alert_at: null }).execute();
  });
}

describe('a hold from before an upgrade, under the fingerprint of the earlier version', () => {
  const cases = [
    [
      'gitlab',
      '15',
      (status: string) => ({ object_kind: 'pipeline', object_attributes: { id: 15, status } }),
      'failed',
      'success',
      byState('failed', 'succeeded'),
    ],
    ['pagerduty', 'cpu', (status: string) => incident(status), 'triggered', 'resolved', byState('firing', 'resolved')],
    [
      'alertmanager',
      '{}:{a="b"}',
      (status: string) => ({ status, receiver: 'r', groupLabels: { a: 'b' }, groupKey: '{}:{a="b"}' }),
      'firing',
      'resolved',
      byState('firing', 'resolved'),
    ],
    [
      'alertmanager',
      'g',
      (status: string) => ({ status, groupKey: 'g', alerts: [{ status, labels: { alertname: 'A' } }] }),
      'firing',
      'resolved',
      {},
    ],
  ] as const;
  it.each(cases)('is released by the end of its alert: %s %s', async (source, former, report, firing, over, more) => {
    const place = await givenSource(source);
    await givenSet(server(), holdingAlerts(place, more), place);
    await signal(server(), place, report(firing));
    const [{ heldBy }] = await leases(place);
    expect(heldBy.key).not.toBe(former);
    await storeAsBefore(place, former);
    await signal(server(), place, report(over));
    expect(await held(place)).toBe(0);
  });

  it('is released by a set that only releases, under a key of the payload', async () => {
    const place = await givenSource('pagerduty');
    const key = '{{normalized.fingerprint}}';
    const { match } = byState('firing', 'resolved');
    await givenSet(server(), holdingAlerts(place, { match: { ...match, release: null }, params: { key } }), place);
    const { projectId: project, flag } = place;
    const executionParams = { project, environment: flag.environment, featureName: flag.featureName, key };
    const releasing = { ...match, payload: match.release, release: null };
    const actions = [{ action: 'RELEASE_FEATURE', sortOrder: 1, executionParams }];
    await givenSet(server(), { ...holdingAlerts(place, { match: releasing }), actions }, place);
    await signal(server(), place, incident('triggered'));
    await storeAsBefore(place, 'cpu');
    await signal(server(), place, incident('resolved'));
    expect(await held(place)).toBe(0);
  });
});
