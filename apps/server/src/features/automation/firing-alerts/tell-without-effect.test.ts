import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { passMinutes } from '#testing/release-plans.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

const send = async (place: ActionPlace, fingerprint: string, status: 'firing' | 'resolved' = 'firing') => {
  const labels = { alertname: `Alert ${fingerprint}` };
  const generatorURL = 'https://prometheus.example/graph';
  const alert = { status, fingerprint, labels, generatorURL, startsAt: new Date(server().clock.now()).toISOString() };
  await signal(server(), place, { status, alerts: [alert] });
  await server().app.service.alerts.settled();
};

interface Told {
  readonly type: string;
  readonly summary: string;
  readonly data: { readonly id: number; readonly total: number; readonly alerts: readonly { link: string }[] };
}

/** Returns the events about alerts without effect of an endpoint, oldest first. */
async function toldOf({ endpoint }: ActionPlace): Promise<readonly Told[]> {
  const query = { type: 'IS_ANY_OF:alerts-without-effect,alerts-without-effect-ended', limit: 100 };
  const { events } = (await server().admin.call('GET /api/admin/search/events', { query })).json;
  return events.filter(({ data }: Told) => data.id === endpoint.id).toReversed();
}

describe('alerts without effect', () => {
  it('are told once for a row of them after two minutes, until none is left', async () => {
    const place = await givenAlertPlace(server());
    await send(place, 'a');
    await passMinutes(server(), 1);
    expect(await toldOf(place)).toEqual([]);
    await passMinutes(server(), 1);
    await send(place, 'b');
    for (let minute = 0; minute < 5; minute++) await passMinutes(server(), 1);
    const [begun, ...more] = await toldOf(place);
    expect(more).toEqual([]);
    expect(begun).toMatchObject({ type: 'alerts-without-effect', data: { total: 1 } });
    expect(begun?.summary).toContain('**Alert a**');
    expect(begun?.summary).toContain(`No action listens to ${place.endpoint.name}.`);
    expect(begun?.data.alerts[0]?.link).toBe('https://prometheus.example/graph');
    await send(place, 'a', 'resolved');
    await passMinutes(server(), 1);
    expect(await toldOf(place)).toHaveLength(1);
    await send(place, 'b', 'resolved');
    await passMinutes(server(), 1);
    expect((await toldOf(place)).map(({ type }) => type)).toEqual([
      'alerts-without-effect',
      'alerts-without-effect-ended',
    ]);
    await send(place, 'c');
    await passMinutes(server(), 3);
    expect(await toldOf(place)).toHaveLength(3);
  });

  it('are not told while they hold a flag, nor when a person released it', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place), place);
    await send(place, 'held');
    await passMinutes(server(), 5);
    expect(await toldOf(place)).toEqual([]);
    const inFlag = '/api/admin/projects/:projectId/features/:featureName' as const;
    const { leases } = (await server().admin.call(`GET ${inFlag}/leases`, { params: place.flag })).json;
    const params = { ...place.flag, leaseId: leases[0].id };
    await server().admin.call(`DELETE ${inFlag}/environments/:environment/leases/:leaseId`, { params });
    await passMinutes(server(), 5);
    expect(await toldOf(place)).toEqual([]);
  });

  it('are told when the hold of an alert has expired while it fires', async () => {
    const place = await givenAlertPlace(server());
    await givenSet(server(), holdingAlerts(place, { params: { minutes: 10 } }), place);
    await send(place, 'long');
    await passMinutes(server(), 11);
    await server().app.service.expiries.runDue();
    await passMinutes(server(), 1);
    const [told] = await toldOf(place);
    expect(told?.summary).toContain('its time was over');
  });
});
