import { describe, expect, it } from 'vitest';
import { type ActionPlace, calling, type GivenSet, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts, is } from '#testing/alerts.ts';
import { type FlagEnvironmentParams, givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { freeze } from '#testing/stops.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000, allowPrivateIntegrationUrls: true });
const setPath = '/api/admin/projects/:projectId/actions/:id' as const;

let minute = 0;
const send = (place: ActionPlace, status: string, fingerprint = 'a') => {
  const startsAt = new Date(Date.UTC(2026, 10, 23, 3, minute++)).toISOString();
  const labels = { service: 'shop', severity: 'warning', flag: place.flag.featureName };
  return signal(server(), place, { status, alerts: [{ status, fingerprint, startsAt, labels }] });
};

const heldKeys = async (flag: FlagEnvironmentParams) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  const { leases } = (await server().admin.call(list, { params: flag })).json;
  return leases.map(({ heldBy }: { heldBy: { key: string } }) => heldBy.key).toSorted();
};

type Change = NonNullable<Parameters<typeof holdingAlerts>[1]>;

async function given(how: Change = {}) {
  const place = await givenAlertPlace(server());
  const allow = { flags: ['*'], tags: [], environments: ['development'] };
  const set = await givenSet(server(), holdingAlerts(place, { ...how, set: { allow, ...how.set } }), place);
  return { place, set, allow };
}

async function edit({ id, projectId, ...place }: GivenSet, change: Change, allow: object): Promise<void> {
  const body = holdingAlerts({ projectId, ...place }, { ...change, set: { allow, ...change.set } });
  const { status, text } = await server().admin.call(`PUT ${setPath}`, { params: { projectId, id }, body });
  expect([status, text]).toEqual([200, text]);
}

const critical = { 'item.labels.severity': is('critical') };
const narrowed = {
  payload: { 'item.status': is('firing'), ...critical },
  release: { 'item.status': is('resolved'), ...critical },
};

/** The edits of a set while it holds a flag for an alert. */
const edits: Record<string, (place: ActionPlace, other: FlagEnvironmentParams) => Change> = {
  'its condition': () => ({ params: { key: '{{item.labels.service}}' } }),
  'its filters': () => ({ match: narrowed }),
  'the filters that release': () => ({ match: { release: { 'item.status': is('over') } } }),
  'whether it releases': () => ({ match: { release: null } }),
  'the array that it reads': () => ({ match: { forEach: 'others' } }),
  'the array of the same alerts': () => ({
    match: {
      forEach: 'normalized.elements',
      payload: { 'item.state': is('firing') },
      release: { 'item.state': is('resolved') },
    },
    params: { key: '{{item.labels.service}}' },
  }),
  'that it reads single alerts': () => ({
    match: { forEach: null, payload: { status: is('firing') }, release: { status: is('resolved') } },
  }),
  'its flag': (_, { featureName }) => ({ params: { featureName } }),
  'the mapping of its flag': () => ({ params: { featureName: '{{item.labels.service}}' } }),
  'the mapping of its environment': () => ({ params: { environment: '{{item.labels.severity}}' } }),
  'its actions': (place) => ({
    set: { actions: [calling(place, 'https://nothing.invalid/hook')] },
    match: { release: null },
  }),
};

describe('the end of an alert releases what a set held before an edit of', () => {
  it.each(Object.keys(edits))('%s', async (name) => {
    const { place, set, allow } = await given();
    const other = await givenFlagIn(server(), 'development', place.projectId);
    await send(place, 'firing');
    expect(await heldKeys(place.flag)).toEqual(['a']);
    await edit(set, edits[name]?.(place, other) ?? {}, allow);
    await send(place, 'resolved', 'b');
    expect(await heldKeys(place.flag)).toEqual(['a']);
    await send(place, 'resolved');
    expect(await heldKeys(place.flag)).toEqual([]);
    const runs = await runsOf(server(), set);
    const released = expect.objectContaining({ action: 'RELEASE_FEATURE', state: 'success' });
    const actions = runs.flatMap((run: { actionSet: { actions: unknown[] } }) => run.actionSet.actions);
    expect(actions).toEqual(expect.arrayContaining([released]));
  });

  it('its condition, also of an alert that was reported again after the edit', async () => {
    const { place, set, allow } = await given();
    await send(place, 'firing');
    await edit(set, { params: { key: '{{item.labels.service}}' } }, allow);
    await send(place, 'firing');
    expect(await heldKeys(place.flag)).toEqual(['a', 'shop']);
    await send(place, 'resolved');
    expect(await heldKeys(place.flag)).toEqual([]);
  });

  it('its condition, twice', async () => {
    const { place, set, allow } = await given();
    await send(place, 'firing');
    await edit(set, { params: { key: '{{item.labels.service}}' } }, allow);
    await edit(set, { params: { key: '{{item.labels.severity}}' } }, allow);
    await send(place, 'resolved');
    expect(await heldKeys(place.flag)).toEqual([]);
  });

  it('its condition, which no fingerprint tells apart', async () => {
    const { place, set, allow } = await given({ params: { key: '{{item.labels.service}}' } });
    await send(place, 'firing');
    await edit(set, { params: { key: '{{item.labels.severity}}' } }, allow);
    await send(place, 'resolved', 'another of the same service');
    expect(await heldKeys(place.flag)).toEqual([]);
  });

  it('its filters, while a freeze lets the release wait', async () => {
    const { place, set, allow } = await given();
    await send(place, 'firing');
    await freeze(server(), true);
    await send(place, 'resolved');
    await edit(set, { match: narrowed }, allow);
    await freeze(server(), false);
    server().clock.advance(60_000);
    await server().app.service.jobs.runDue();
    expect(await heldKeys(place.flag)).toEqual([]);
    expect((await runsOf(server(), set))[0]).toMatchObject({ state: 'success' });
  });
});

describe('an edited set', () => {
  it('leaves what another set holds for the same alert', async () => {
    const { place, set, allow } = await given();
    await givenSet(server(), holdingAlerts(place, { match: { release: null }, params: { key: 'a' } }), place);
    await send(place, 'firing');
    await edit(set, { match: narrowed }, allow);
    await send(place, 'resolved');
    expect(await heldKeys(place.flag)).toEqual(['a']);
  });

  it('does not end what it holds by its new filters at an end that only the old ones describe', async () => {
    const { place, set, allow } = await given();
    await edit(set, { match: { release: { 'item.status': is('over') } } }, allow);
    await send(place, 'firing');
    await send(place, 'resolved');
    expect(await heldKeys(place.flag)).toEqual(['a']);
  });

  it('forgets its earlier versions when they hold nothing, and makes no run for them', async () => {
    const { place, set, allow } = await given();
    await send(place, 'firing');
    await edit(set, { match: narrowed }, allow);
    await send(place, 'resolved');
    await send(place, 'resolved');
    expect(await runsOf(server(), set)).toHaveLength(2);
  });

  it('releases nothing while it is switched off, or after it was deleted', async () => {
    const [off, deleted] = [await given(), await given()];
    for (const { place } of [off, deleted]) await send(place, 'firing');
    const { projectId, id } = off.set;
    await server().admin.call(`POST ${setPath}/off`, { params: { projectId, id } });
    await server().admin.call(`DELETE ${setPath}`, {
      params: { projectId: deleted.set.projectId, id: deleted.set.id },
    });
    for (const { place } of [off, deleted]) {
      await send(place, 'resolved');
      expect(await heldKeys(place.flag)).toEqual(['a']);
    }
  });

  it('is edited at most 20 times while each of its versions holds flags', async () => {
    const { place, set, allow } = await given();
    for (let version = 1; version <= 20; version++) {
      await send(place, 'firing', `alert ${version}`);
      await edit(set, { params: { key: `{{item.fingerprint}} ${version}` } }, allow);
    }
    await send(place, 'firing', 'last');
    const { id, projectId } = set;
    const body = holdingAlerts(place, { params: { key: 'one more' } });
    const reply = await server().admin.call(`PUT ${setPath}`, { params: { projectId, id }, body });
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('20 earlier versions of the action set')]);
  });
});
