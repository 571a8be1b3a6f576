import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { metricNamed, reportMetrics, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { useServer } from '#testing/server.ts';
import { givenSdk } from '#testing/tokens.ts';
import { contextsPerFlag } from './moved-users.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const users = Array.from({ length: 40 }, (_, index) => `user-${index}`);

/** Forgets the contexts of earlier tests, which are older than a day then. */
const passDay = () => server().clock.advance(24 * 60 * 60 * 1000 + 1);

/** Asks for a flag for each user. Returns the number of those for whom it is on. */
async function usersOn({ featureName, environment }: ActionPlace['flag']): Promise<number> {
  const sdk = await givenSdk(server(), { environment, type: 'frontend' });
  const answers = await Promise.all(users.map((userId) => sdk.call('GET /api/frontend', { query: { userId } })));
  const hasFlag = ({ json }: (typeof answers)[number]) =>
    json.toggles.some(({ name }: { readonly name: string }) => name === featureName);
  return answers.filter(hasFlag).length;
}

const send = (place: ActionPlace, status: string, ...fingerprints: string[]) =>
  signal(server(), place, {
    status,
    alerts: fingerprints.map((fingerprint) => ({ status, fingerprint, labels: { alertname: 'Down' } })),
  });

async function givenAlerting(params: object = {}): Promise<ActionPlace> {
  const place = await givenAlertPlace(server());
  await givenSet(server(), holdingAlerts(place, { params }), place);
  return place;
}

/** Returns what the only incident of a project did to its only flag. */
async function flagOf(projectId: string) {
  const { incidents } = (
    await server().admin.call('GET /api/admin/incidents', { query: { project: `IS:${projectId}` } })
  ).json;
  expect(incidents).toHaveLength(1);
  const params = { incidentId: incidents[0].id };
  const { perFlag } = (await server().admin.call('GET /api/admin/incidents/:incidentId', { params })).json;
  expect(perFlag).toHaveLength(1);
  return perFlag[0];
}

describe('the users that an incident moved', () => {
  it('are those among the contexts seen for whom the held flag answered otherwise', async () => {
    passDay();
    const place = await givenAlerting();
    await givenPlan(server(), [rolloutTo(50), rolloutTo(100)], place.flag);
    const on = await usersOn(place.flag);
    expect(on).toBeGreaterThan(5);
    expect(on).toBeLessThan(users.length);
    await send(place, 'firing', 'a');
    const moved = { contexts: users.length, moved: on };
    expect(await flagOf(place.projectId)).toMatchObject({ moved, isOff: true });
    const { from, to } = { from: 'IS:2020-01-01', to: 'IS:2100-01-01' };
    const query = { from, to, project: `IS:${place.projectId}` };
    const report = (await server().admin.call('GET /api/admin/incident-report', { query })).json;
    expect(report.incidents[0].perFlag).toMatchObject([{ moved }]);
  });

  it('are counted once when the flag is held, released and held again', async () => {
    passDay();
    const place = await givenAlerting();
    await usersOn(place.flag);
    for (const status of ['firing', 'resolved', 'firing', 'resolved']) await send(place, status, 'a');
    expect((await flagOf(place.projectId)).moved).toEqual({ contexts: users.length, moved: users.length });
  });

  it('are all that had the flag before, when a hold goes down in steps', async () => {
    passDay();
    const place = await givenAlerting({ effect: 'rollout', rollout: 50 });
    await givenSet(
      server(),
      holdingAlerts(place, { match: { payload: { 'item.fingerprint': { operator: 'IN', values: ['b'] } } } }),
      place,
    );
    await usersOn(place.flag);
    await send(place, 'firing', 'a');
    const half = (await flagOf(place.projectId)).moved.moved;
    expect(half).toBeGreaterThan(5);
    expect(half).toBeLessThan(users.length);
    await send(place, 'firing', 'b');
    expect((await flagOf(place.projectId)).moved.moved).toBe(users.length);
  });

  it('are those that lost a milestone, when the flag is held at an earlier one', async () => {
    passDay();
    const place = await givenAlerting({ effect: 'milestone', milestone: 'first' });
    const { params, milestoneIds } = await givenPlan(server(), [rolloutTo(30), rolloutTo(100)], place.flag);
    const first = await usersOn(place.flag);
    const start =
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans/:planId/milestones/:milestoneId/start';
    await server().admin.call(start, { params: { ...params, milestoneId: milestoneIds[1] ?? '' }, body: {} });
    await send(place, 'firing', 'a');
    expect((await flagOf(place.projectId)).moved).toEqual({ contexts: users.length, moved: users.length - first });
  });

  it('are those that had a flag that a safeguard switched off', async () => {
    passDay();
    const name = metricNamed('failed');
    startMinute(server());
    const { flag } = await givenAlertPlace(server());
    await usersOn(flag);
    const action = { type: 'disableFeatureEnvironment' };
    await setSafeguard(server(), flag, { ...moreThan(10, `unleash_counter_${name}`), action });
    for (let minute = 0; minute < 3; minute++) {
      await reportMetrics(server(), [{ name, samples: [{ value: 20 * minute }] }], 'development');
      await passMinutes(server(), 1);
    }
    expect(await flagOf(flag.projectId)).toMatchObject({
      moved: { contexts: users.length, moved: users.length },
      alerts: 0,
    });
  });

  it('are unknown when no client sent a context', async () => {
    passDay();
    const place = await givenAlerting();
    await send(place, 'firing', 'a');
    expect(await flagOf(place.projectId)).toMatchObject({ moved: null, isOff: true });
  });

  it('are counted with few contexts for each flag when many flags change at once', () => {
    expect(contextsPerFlag(1)).toBeGreaterThan(1000);
    expect(contextsPerFlag(100)).toBe(200);
    expect(contextsPerFlag(1000)).toBe(20);
    expect(contextsPerFlag(5000)).toBe(20);
  });
});

describe('the alerts that held a flag in an incident', () => {
  it('are counted by fingerprint, each once', async () => {
    const place = await givenAlerting();
    await send(place, 'firing', 'a', 'b');
    await send(place, 'firing', 'a', 'b');
    expect(await flagOf(place.projectId)).toMatchObject({ alerts: 2, holds: 2, signals: 1 });
    await send(place, 'resolved', 'a', 'b');
    await send(place, 'firing', 'a');
    expect(await flagOf(place.projectId)).toMatchObject({ alerts: 2, holds: 3 });
  });

  it('are none for signals without a fingerprint', async () => {
    const place = await givenActionPlace(server());
    const on = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
    await server().admin.call(on, { params: place.flag });
    await givenSet(server(), holdingAlerts(place), place);
    await signal(server(), place, { alerts: [{ status: 'firing' }] });
    expect(await flagOf(place.projectId)).toMatchObject({ alerts: 0, signals: 1 });
  });
});
