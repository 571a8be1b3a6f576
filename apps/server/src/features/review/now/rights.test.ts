import { expect, it } from 'vitest';
import { givenMember, setRootRole } from '#testing/access.ts';
import { type ActionPlace, calling, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import type { ApiClient } from '#testing/client.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const now = 'GET /api/admin/now';
const owner = 4;

/** Creates a place whose project has a failed run, a run that waits for a decision, and a set that cannot run. */
async function givenTrouble(): Promise<ActionPlace> {
  const place = await givenAlertPlace(server());
  await givenSet(server(), { actions: [calling(place, 'https://8.8.8.8/{{missing}}')] }, place);
  await signal(server(), place, { alerts: [] });
  await givenSet(server(), holdingAlerts(place), place);
  await server().admin.call('POST /api/admin/automation', { body: { frozen: true } });
  const labels = { alertname: 'DiskFull' };
  await signal(server(), place, { status: 'firing', alerts: [{ status: 'firing', fingerprint: 'a', labels }] });
  await server().admin.call('POST /api/admin/automation', { body: { frozen: false } });
  await setRootRole(server(), place.actorId, 3);
  return place;
}

it('shows the runs and action sets of projects in which the caller may read actions, and no others', async () => {
  const [own, other] = [await givenTrouble(), await givenTrouble()];
  const { client } = await givenMember(server(), own.projectId, owner);
  const projectsSeenBy = async (caller: ApiClient) => {
    const { runs, undecided, blocked } = (await caller.call(now)).json;
    return [runs, undecided, blocked].map((rows: { project: string }[]) =>
      [...new Set(rows.map(({ project }) => project))].toSorted(),
    );
  };
  const both = [own.projectId, other.projectId].toSorted();
  expect(await projectsSeenBy(server().admin)).toEqual([both, both, both]);
  const alone = [own.projectId];
  expect(await projectsSeenBy(client)).toEqual([alone, alone, alone]);
});

it('shows the title of an alert that waits for a decision only to those who may read signals', async () => {
  const place = await givenTrouble();
  const { client } = await givenMember(server(), place.projectId, owner);
  const titleFor = async (caller: ApiClient) =>
    (await caller.call(now)).json.undecided.find(({ project }: { project: string }) => project === place.projectId)
      .title;
  expect(await titleFor(server().admin)).toContain('DiskFull');
  expect(await titleFor(client)).toBeNull();
});

it('shows the refusals of signals, and alerts without effect, to those with the root permission alone', async () => {
  const place = await givenTrouble();
  const { client } = await givenMember(server(), place.projectId, owner);
  const { refusals, alertsWithoutEffect, alertsWithoutEffectTotal } = (await client.call(now)).json;
  expect([refusals, alertsWithoutEffect, alertsWithoutEffectTotal]).toEqual([null, null, null]);
});

it('shows a signal whose endpoint was deleted', async () => {
  const place = await givenAlertPlace(server());
  const id = await signal(server(), place, { alerts: [] });
  await server().admin.call('DELETE /api/admin/signal-endpoints/:id', { params: { id: place.endpoint.id } });
  const { lastHour } = (await server().admin.call(now)).json;
  const shown = lastHour.find((moment: { kind: string; id: number }) => moment.kind === 'signal' && moment.id === id);
  expect(shown).toMatchObject({ by: 'deleted endpoint', label: expect.any(String) });
});
