import { expect, it } from 'vitest';
import { type ActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

/** Creates an endpoint, of whose alerts one has held its flag, and the other waits for the limit of flags an hour. */
async function givenWaitingHold() {
  const place = await givenAlertPlace(server());
  const other = await givenFlagIn(server(), 'development', place.projectId);
  const more = { guards: { flagsPerHour: 1 }, allow: { flags: ['*'], tags: [], environments: [] } };
  const params = { featureName: '{{item.flag}}', minutes: 600 };
  const set = await givenSet(server(), holdingAlerts(place, { params, set: more }), place);
  const [first, second] = [place.flag.featureName, other.featureName];
  const send = (status: string, flag: string) =>
    signal(server(), place, { status, alerts: [{ status, fingerprint: flag, flag }] });
  await send('firing', first);
  await send('firing', second);
  await send('resolved', first);
  return { place, set };
}

const disable = ({ endpoint: { id, name } }: ActionPlace) =>
  server().admin.call('PUT /api/admin/signal-endpoints/:id', {
    params: { id },
    body: { name, source: 'alertmanager', enabled: false, whenDisabled: 'keep' },
  });

it('a disabled endpoint leaves its own waiting holds to a person, while those of others are placed in time', async () => {
  const [first, second, third] = [await givenWaitingHold(), await givenWaitingHold(), await givenWaitingHold()];
  await disable(second.place);
  for (let minute = 0; minute < 70; minute++) {
    server().clock.advance(60_000);
    await server().app.service.jobs.runDue();
  }
  const waited = async ({ set }: typeof first) => (await runsOf(server(), set))[1];
  expect([await waited(first), await waited(second), await waited(third)]).toMatchObject([
    { state: 'success' },
    { state: 'waiting', reason: expect.stringContaining('is disabled'), decideBy: expect.any(String) },
    { state: 'success' },
  ]);
});
