import { beforeEach, describe, expect, it } from 'vitest';
import { givenRunHold, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { type FlagEnvironmentParams, givenEnabled } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { passMinutes } from '#testing/release-plans.ts';
import { useServer } from '#testing/server.ts';
import { override } from '#testing/stops.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000, reminderMinutes: 15 });
const type = 'automation-unacknowledged';

interface Told {
  readonly project: string;
  readonly environment: string;
  readonly featureName: string | null;
  readonly summary: string;
  readonly data: { readonly items: readonly { readonly name: string }[]; readonly total: number };
}

/** Returns the reminders of flags of a project, oldest first. */
async function toldOf({ projectId }: FlagEnvironmentParams): Promise<readonly Told[]> {
  const query = { type: `IS:${type}`, project: `IS:${projectId}`, limit: 100 };
  return (await server().admin.call('GET /api/admin/search/events', { query })).json.events.toReversed();
}

const acknowledgeAll = async ({ featureName }: FlagEnvironmentParams) => {
  const { leases } = (await server().admin.call('GET /api/admin/leases')).json;
  const subjects = leases.flatMap((lease: { readonly featureName: string; readonly id: number }) =>
    lease.featureName === featureName ? [`hold:${lease.id}`] : [],
  );
  await server().admin.call('POST /api/admin/acknowledgements', { body: { subjects } });
};

async function setIntegration(events: readonly string[]) {
  const { addons } = (await server().admin.call('GET /api/admin/addons')).json;
  for (const { id } of addons) await server().admin.call('DELETE /api/admin/addons/:id', { params: { id } });
  const body = { provider: 'webhook', enabled: true, parameters: { url: 'https://receiver.invalid' }, events };
  const { status } = await server().admin.call('POST /api/admin/addons', { body });
  expect(status).toBe(201);
}

describe('a reminder', () => {
  beforeEach(() => setIntegration([type]));

  it('is recorded once for a hold without an acknowledgement after 15 minutes', async () => {
    const flag = await givenRunHold(server());
    await passMinutes(server(), 14);
    expect(await toldOf(flag)).toEqual([]);
    await passMinutes(server(), 1);
    expect(await toldOf(flag)).toHaveLength(1);
    await passMinutes(server(), 60);
    const [told, ...more] = await toldOf(flag);
    expect(more).toEqual([]);
    expect(told).toMatchObject({ environment: flag.environment, featureName: flag.featureName, data: { total: 1 } });
    expect(told?.summary).toContain(`hold of **${flag.featureName}**`);
  });

  it('is not recorded for an acknowledged hold', async () => {
    const flag = await givenRunHold(server());
    await acknowledgeAll(flag);
    await passMinutes(server(), 30);
    expect(await toldOf(flag)).toEqual([]);
  });

  it('is not recorded for the hold of a person', async () => {
    const flag = await givenEnabled(server());
    await givenHold(server(), flag);
    await passMinutes(server(), 30);
    expect((await toldOf(flag)).flatMap(({ data }) => data.items.map(({ name }) => name))).not.toContain(
      flag.featureName,
    );
  });

  it('is recorded for an alert without effect, and not for one at the same endpoint that a person overrode', async () => {
    const place = await givenAlertPlace(server());
    const fire = async (fingerprint: string) => {
      await signal(server(), place, {
        status: 'firing',
        alerts: [{ status: 'firing', fingerprint, startsAt: '2026-01-01T00:00:00Z' }],
      });
      await server().app.service.alerts.settled();
    };
    await fire('unheard');
    await givenSet(server(), holdingAlerts(place), place);
    await override(server(), place.flag);
    await fire('overridden');
    for (let minute = 0; minute < 16; minute++) await passMinutes(server(), 1);
    const { events } = (await server().admin.call('GET /api/admin/search/events', { query: { type: `IS:${type}` } }))
      .json as { readonly events: readonly (Told & { readonly data: { items: { subject: string }[] } })[] };
    const of = (fingerprint: string) =>
      events.flatMap(({ data }) => data.items).filter(({ subject }) => subject.endsWith(`:${fingerprint}`));
    expect([of('unheard').length, of('overridden').length]).toEqual([1, 0]);
  });

  it('is not recorded while no integration subscribes to it, nor after a day', async () => {
    await setIntegration(['feature-created']);
    const flag = await givenRunHold(server());
    await passMinutes(server(), 25 * 60);
    await setIntegration([type]);
    await passMinutes(server(), 30);
    expect(await toldOf(flag)).toEqual([]);
  });
});
