import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, isOn, runsOf, signal } from '../../../../testing/actions.ts';
import { useServer } from '../../../../testing/server.ts';
import { givenToken } from '../../../../testing/tokens.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;

/** Holds the flag off for each alert that fires, and releases it for each that is resolved. */
async function givenHolds(place: ActionPlace, params: object = {}) {
  const set = (status: string, action: string, more: object) =>
    givenSet(
      server(),
      {
        match: {
          source: 'signal-endpoint',
          sourceId: place.endpoint.id,
          payload: { 'item.status': { operator: 'IN', values: [status] } },
          forEach: 'alerts',
        },
        actions: [
          {
            action,
            sortOrder: 1,
            executionParams: {
              project: place.projectId,
              environment: 'development',
              featureName: place.flag.featureName,
              key: '{{item.fingerprint}}',
              ...more,
            },
          },
        ],
      },
      place,
    );
  return {
    hold: await set('firing', 'HOLD_FEATURE', { effect: 'off', ...params }),
    release: await set('resolved', 'RELEASE_FEATURE', {}),
  };
}

const alerts = (...some: (readonly [status: string, fingerprint: string])[]) => ({
  alerts: some.map(([status, fingerprint]) => ({ status, fingerprint })),
});

/** What SDKs are told, and what is configured. */
async function statesOf({ flag }: ActionPlace) {
  const { secret } = await givenToken(server(), { environment: 'development' });
  const { features } = (await server().client(secret).call('GET /api/client/features')).json;
  const seen = features.find(({ name }: { name: string }) => name === flag.featureName);
  return { seen: seen.enabled as boolean, configured: await isOn(server(), flag) };
}

async function givenFlagOn(): Promise<ActionPlace> {
  const place = await givenActionPlace(server());
  const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  expect((await server().admin.call(on, { params: place.flag })).status).toBe(200);
  return place;
}

describe('a flag that alerts hold off', () => {
  it('is back when the last of them is resolved, in whatever order and however often they come', async () => {
    const place = await givenFlagOn();
    await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a'], ['firing', 'b']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await signal(server(), place, alerts(['firing', 'a'], ['resolved', 'b'], ['resolved', 'b']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await signal(server(), place, alerts(['resolved', 'a']));
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });

  it('is as it was configured meanwhile once it is released', async () => {
    const place = await givenFlagOn();
    await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a']));
    const off = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off';
    await server().admin.call(off, { params: place.flag });
    await signal(server(), place, alerts(['resolved', 'a']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: false });
  });

  it('is back after the minutes that were given, when nobody resolves anything', async () => {
    const place = await givenFlagOn();
    await givenHolds(place, { minutes: 10 });
    await signal(server(), place, alerts(['firing', 'a']));
    server().clock.advance(11 * minuteMs);
    await server().app.service.expiries.runDue();
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });

  it('tells of a release under a condition that holds nothing', async () => {
    const place = await givenFlagOn();
    const { release } = await givenHolds(place);
    await signal(server(), place, alerts(['resolved', 'never fired']));
    const [run] = await runsOf(server(), release);
    expect(run.state).toBe('success');
    expect(run.actionSet.actions[0].details).toContain('Nothing held');
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });
});
