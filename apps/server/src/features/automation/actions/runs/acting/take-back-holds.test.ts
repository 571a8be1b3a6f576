import { describe, expect, it } from 'vitest';
import { type ActionPlace, type GivenSet, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { author } from '#testing/database.ts';
import { switchFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;

/**
 * Creates a flag that is on, a set that holds it as `how` says for the minutes of the signal, and a set that releases
 * it.
 */
async function given(how: object) {
  const place = await givenActionPlace(server());
  const { projectId: project, flag } = place;
  const { environment, featureName } = flag;
  await switchFlag(server(), flag, 'on');
  const setFor = (status: string, action: string, params: object) => {
    const payload = { status: { operator: 'IN', values: [status] } };
    const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
    const executionParams = { project, environment, featureName, ...params };
    return givenSet(server(), { match, actions: [{ action, sortOrder: 1, executionParams }] }, place);
  };
  const hold = await setFor('firing', 'HOLD_FEATURE', { effect: 'off', minutes: '{{minutes}}', ...how });
  const release = await setFor('resolved', 'RELEASE_FEATURE', {});
  return { place, hold, release };
}

const fire = (place: ActionPlace, minutes: number) => signal(server(), place, { status: 'firing', minutes });
const resolve = (place: ActionPlace) => signal(server(), place, { status: 'resolved' });

async function takeBackLast(set: GivenSet) {
  const [run] = await runsOf(server(), set);
  expect(run.state).toBe('success');
  const params = { projectId: set.projectId, actionSetId: set.id, runId: run.id };
  return server().admin.call('POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/take-back', {
    params,
  });
}

const held = async ({ flag }: ActionPlace) => {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server().admin.call(list, { params: flag })).json.leases;
};

const inMinutes = (minutes: number) => new Date(server().clock.now() + minutes * minuteMs).toISOString();

async function pass(minutes: number): Promise<void> {
  server().clock.advance(minutes * minuteMs);
  await server().app.service.expiries.runDue();
}

describe('taking back a release', () => {
  it('restores the hold as it was, so that the end of the alert releases it', async () => {
    const { place, release } = await given({ effect: 'rollout', rollout: 5, onExpiry: 'keep', reason: 'canary' });
    await fire(place, 30);
    const [{ id: _, placedAt: __, ...before }] = await held(place);
    expect(before).toMatchObject({ effect: 'rollout', rollout: 5, onExpiry: 'keep', reason: 'canary' });
    await resolve(place);
    expect((await takeBackLast(release)).status).toBe(200);
    expect(await held(place)).toEqual([expect.objectContaining(before)]);
    await resolve(place);
    expect(await held(place)).toEqual([]);
  });

  it('restores a hold that is kept past its end, without an end', async () => {
    const { place, release } = await given({ onExpiry: 'keep' });
    await fire(place, 10);
    await pass(11);
    await resolve(place);
    expect((await takeBackLast(release)).status).toBe(200);
    expect(await held(place)).toMatchObject([{ effect: 'off', expiresAt: null, onExpiry: 'keep' }]);
  });

  it('restores no hold that would have expired meanwhile', async () => {
    const { place, release } = await given({});
    await fire(place, 10);
    await resolve(place);
    await pass(10);
    const reply = await takeBackLast(release);
    expect([reply.status, reply.json.message]).toEqual([409, 'None of the changes of this run are still in effect.']);
    expect(await held(place)).toEqual([]);
  });

  it('is refused when the flag is held for the same holder again', async () => {
    const { place, release } = await given({});
    await fire(place, 10);
    await resolve(place);
    await fire(place, 20);
    const reply = await takeBackLast(release);
    expect([reply.status, reply.json.message]).toEqual([409, expect.stringContaining('was changed after this run')]);
    expect(await held(place)).toMatchObject([{ expiresAt: inMinutes(20) }]);
  });
});

describe('taking back the extension of a hold', () => {
  it('restores the earlier end', async () => {
    const { place, hold } = await given({ onExpiry: 'keep' });
    await fire(place, 10);
    await fire(place, 60);
    expect((await takeBackLast(hold)).status).toBe(200);
    expect(await held(place)).toMatchObject([{ expiresAt: inMinutes(10), onExpiry: 'keep' }]);
  });

  it('releases a hold whose earlier end has passed, unless the hold is kept', async () => {
    for (const onExpiry of ['release', 'keep']) {
      const { place, hold } = await given({ onExpiry });
      await fire(place, 10);
      await fire(place, 60);
      await pass(20);
      const reply = await takeBackLast(hold);
      expect(reply.status, reply.text).toBe(200);
      expect(await held(place)).toMatchObject(onExpiry === 'keep' ? [{ expiresAt: null, onExpiry }] : []);
    }
  });
});

it('a hold whose event says nothing of its end, as before holds could be kept, can be taken back', async () => {
  const { place, hold } = await given({});
  await fire(place, 10);
  await server().app.database.writeQuietly('action runs', author, async (tx) => {
    const { id, data } = await tx.db
      .selectFrom('events')
      .select(['id', 'data'])
      .where('type', '=', 'feature-lease-placed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const { onExpiry: _, ...before } = JSON.parse(data ?? '');
    await tx.db
      .updateTable('events')
      .set({ data: JSON.stringify(before) })
      .where('id', '=', id)
      .execute();
  });
  expect((await takeBackLast(hold)).status).toBe(200);
  expect(await held(place)).toEqual([]);
});
