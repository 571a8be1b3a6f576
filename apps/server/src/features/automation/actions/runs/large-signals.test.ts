import { describe, expect, it, vi } from 'vitest';
import { givenSet, isOn } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { givenFlagIn, switchFlag } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';
import { freeze } from '#testing/stops.ts';

const server = useServer();

const count = 400;
const alerts = Array.from({ length: count }, (_, n) => ({
  status: 'firing',
  labels: { alertname: `A${n}` },
  fingerprint: `l${n}`,
}));

/** Sends a signal with many alerts, and returns its id when the first actions have run. */
async function givenBurst() {
  const place = await givenAlertPlace(server());
  await givenSet(server(), { ...holdingAlerts(place), guards: { flagsPerHour: 1000 } }, place);
  const reply = await send(server(), place.endpoint, JSON.stringify({ alerts }));
  expect(reply.status).toBe(200);
  const id = reply.json.signals[0].id as number;
  await vi.waitUntil(async () => (await runsFor(id)).length > 0, { timeout: 10_000, interval: 1 });
  return id;
}

/** Returns the runs for a signal in the order of their ids. */
async function runsFor(id: number): Promise<{ element: number; state: string }[]> {
  const query = { signal: `IS:${id}`, limit: 1000 };
  return (await server().admin.call('GET /api/admin/action-runs', { query })).json.runs.toReversed();
}

describe('a signal with many alerts', () => {
  it('lets a person switch a flag while its actions run', async () => {
    const other = await givenFlagIn(server(), 'development');
    const id = await givenBurst();
    await switchFlag(server(), other, 'on');
    expect((await runsFor(id)).length).toBeLessThan(count);
    expect(await isOn(server(), other)).toBe(true);
    await server().app.service.actions.settled();
    expect((await runsFor(id)).map(({ element }) => element)).toEqual(alerts.map((_, n) => n));
  });

  it('stops at the alert where a person freezes all automation', async () => {
    const id = await givenBurst();
    await freeze(server(), true);
    await server().app.service.actions.settled();
    await freeze(server(), false);
    const runs = await runsFor(id);
    expect(runs.map(({ element }) => element)).toEqual(alerts.map((_, n) => n));
    const first = runs.findIndex(({ state }) => state === 'waiting');
    expect(first).toBeGreaterThan(0);
    const states = new Set(runs.slice(first).map(({ state }) => state));
    expect([...states]).toEqual(['waiting', 'skipped']);
  });
});
