import { describe, expect, it } from 'vitest';
import { storeSignals } from '#features/signals/signals/index.ts';
import {
  type ActionPlace,
  type GivenSet,
  givenActionPlace,
  givenSet,
  isOn,
  runsOf,
  turning,
} from '#testing/actions.ts';
import { givenFlagIn } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });

/** Stores signals without waking the runner, like a process that crashes before it handles them. */
async function stored(
  signals: readonly { readonly payload: string; readonly normalized: string | null }[],
  { endpoint }: ActionPlace,
): Promise<void> {
  const { id: endpointId, tokenId } = endpoint;
  const group = signals.map((signal) => ({ ...signal, endpointId, tokenId, delivery: undefined }));
  await storeSignals(server().app.database, group, server().clock.now());
}

const empty = (count: number) => Array.from({ length: count }, () => ({ payload: '{}', normalized: null }));

async function signalsOf({ projectId, id }: GivenSet): Promise<number[]> {
  const { json } = await server().admin.call('GET /api/admin/projects/:projectId/actions/:actionSetId/events', {
    params: { projectId, actionSetId: id },
    query: { limit: 100 },
  });
  return json.actionSetEvents.map(({ signalId }: { signalId: number }) => signalId);
}

describe('pending signals', () => {
  it('are all handled once, also when one transaction cannot handle all', async () => {
    const place = await givenActionPlace(server());
    const set = await givenSet(server(), {}, place);
    await stored(empty(45), place);
    await server().app.service.actions.idle();
    const signals = await signalsOf(set);
    expect([signals.length, new Set(signals).size]).toEqual([45, 45]);
    expect(await isOn(server(), place.flag)).toBe(true);
  });

  it('are all handled, also when the first of them trigger as many runs as one transaction makes', async () => {
    const place = await givenActionPlace(server());
    const sets = await Promise.all([1, 2, 3].map(() => givenSet(server(), {}, place)));
    await server().app.service.actions.idle();
    await stored(empty(15), place);
    await server().app.service.actions.idle();
    for (const set of sets) expect(await signalsOf(set)).toHaveLength(15);
  });

  it('are all handled when they report the ends of thousands of alerts', async () => {
    const place = await givenActionPlace(server());
    const payload = { state: { operator: 'IN', values: ['firing'] } };
    const match = { source: 'signal-endpoint', sourceId: place.endpoint.id, payload };
    const set = await givenSet(server(), { match }, place);
    await server().app.service.actions.idle();
    const none = { title: null, severity: null, link: null };
    const resolved = (signal: number) =>
      Array.from({ length: 1000 }, (_, n) => ({
        ...none,
        ...{ state: 'resolved', fingerprint: `${signal}-${n}`, startedAt: '2026-11-27T12:00:00.000Z' },
      }));
    const whole = { ...none, state: 'resolved', fingerprint: null, startedAt: null };
    const ends = Array.from({ length: 20 }, (_, signal) => ({
      payload: '{}',
      normalized: JSON.stringify({ ...whole, elements: resolved(signal) }),
    }));
    await stored([...ends, { payload: '{"state":"firing"}', normalized: null }], place);
    await server().app.service.actions.idle();
    expect(await runsOf(server(), set)).toMatchObject([{ state: 'success' }]);
  });

  it('run the sets that existed when they arrived, also when another set is created before', async () => {
    const place = await givenActionPlace(server());
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const early = await givenSet(server(), {}, place);
    // Creating a set also starts a scan for pending signals. Wait for its end, so that the next signal stays pending.
    await server().app.service.actions.idle();
    await stored(empty(1), place);
    const actions = [turning('ON', place.projectId, other.featureName)];
    const late = await givenSet(server(), { actions }, place);
    await server().app.service.actions.idle();
    expect(await runsOf(server(), early)).toMatchObject([{ state: 'success' }]);
    expect(await runsOf(server(), late)).toEqual([]);
  });
});
