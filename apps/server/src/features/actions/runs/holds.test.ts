import { describe, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, isOn, runsOf, signal } from '../../../../testing/actions.ts';
import { eventsAfter, lastEventId } from '../../../../testing/scenario.ts';
import { useServer } from '../../../../testing/server.ts';
import { givenToken } from '../../../../testing/tokens.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const minuteMs = 60_000;

/** Creates sets that hold the flag off for each firing alert and release it for each resolved alert. */
async function givenHolds(place: ActionPlace, params: object = {}, guards: { hold?: object; release?: object } = {}) {
  const set = (status: string, action: string, more: object, guards: object = {}) =>
    givenSet(
      server(),
      {
        guards,
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
    hold: await set('firing', 'HOLD_FEATURE', { effect: 'off', ...params }, guards.hold),
    release: await set('resolved', 'RELEASE_FEATURE', {}, guards.release),
  };
}

const alerts = (...some: (readonly [status: string, fingerprint: string])[]) => ({
  alerts: some.map(([status, fingerprint]) => ({ status, fingerprint })),
});

/** Returns the state that SDKs receive and the configured state. */
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
  it('is on again when the last alert is resolved, in any order and with repetitions', async () => {
    const place = await givenFlagOn();
    await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a'], ['firing', 'b']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await signal(server(), place, alerts(['firing', 'a'], ['resolved', 'b'], ['resolved', 'b']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await signal(server(), place, alerts(['resolved', 'a']));
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });

  it('has the state that was configured meanwhile once it is released', async () => {
    const place = await givenFlagOn();
    await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a']));
    const off = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off';
    await server().admin.call(off, { params: place.flag });
    await signal(server(), place, alerts(['resolved', 'a']));
    expect(await statesOf(place)).toEqual({ seen: false, configured: false });
  });

  it('is on again after the given minutes when no alert is resolved', async () => {
    const place = await givenFlagOn();
    await givenHolds(place, { minutes: 10 });
    await signal(server(), place, alerts(['firing', 'a']));
    server().clock.advance(11 * minuteMs);
    await server().app.service.expiries.runDue();
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });

  it('names the run and the signal of each hold as the cause when it expires', async () => {
    const place = await givenFlagOn();
    const { hold } = await givenHolds(place, { minutes: 10 });
    const first = await signal(server(), place, alerts(['firing', 'a']));
    const second = await signal(server(), place, alerts(['firing', 'b']));
    const [secondRun, firstRun] = (await runsOf(server(), hold)).map(({ id }: { id: number }) => id);
    const before = await lastEventId(server());
    server().clock.advance(11 * minuteMs);
    await server().app.service.expiries.runDue();
    const events = await eventsAfter(server(), before);
    const expired = (runId: number, signalId: number, key: string) => ({
      type: 'feature-lease-expired',
      cause: { runId, signalId, requestId: null },
      preData: { heldBy: { kind: 'run', key: expect.stringContaining(key), runId }, expiresAt: expect.any(String) },
    });
    expect(events).toMatchObject([
      expired(secondRun, second, 'b'),
      expired(firstRun, first, 'a'),
      { type: 'feature-effective-state-changed', cause: { runId: firstRun, signalId: first }, data: { enabled: true } },
    ]);
  });

  it('is held with a reason from the alert, cut to the maximum length', async () => {
    const place = await givenFlagOn();
    await givenHolds(place, { reason: 'Alert: {{item.summary}}' });
    const firing = (fingerprint: string, summary: string) => ({ status: 'firing', fingerprint, summary });
    await signal(server(), place, { alerts: [firing('a', 'p99 over 2 s'), firing('b', `\0${'long '.repeat(300)}`)] });
    const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
    const { leases } = (await server().admin.call(list, { params: place.flag })).json;
    const reasons = leases.map(({ reason }: { reason: string }) => reason);
    expect(reasons.toSorted()).toEqual([`Alert: ${'long '.repeat(300)}`.slice(0, 1000), 'Alert: p99 over 2 s']);
  });

  it('is guarded against flapping; holds that change no effective state do not count', async () => {
    const place = await givenFlagOn();
    const flapping = { changes: 3, withinSeconds: 3600 };
    const { hold, release } = await givenHolds(
      place,
      { minutes: 30 },
      { hold: { cooldownSeconds: 60 }, release: { flapping } },
    );
    const inAWhile = async (...alert: Parameters<typeof alerts>[0]) => {
      server().clock.advance(1000);
      await signal(server(), place, alerts(alert));
    };
    // The second extends the first hold, and the third is shadowed by it: neither changes the state for SDKs.
    for (const fingerprint of ['a', 'a', 'b']) await inAWhile('firing', fingerprint);
    expect((await runsOf(server(), hold)).map(({ state }: { state: string }) => state)).toEqual(
      Array(3).fill('success'),
    );
    await inAWhile('resolved', 'a');
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
    await inAWhile('resolved', 'b');
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });

    await signal(server(), place, alerts(['firing', 'a']));
    const [tooSoon] = await runsOf(server(), hold);
    expect(tooSoon.reason).toMatch(/^Cool-down: the set changed flag-\d+ less than 60 s ago\.$/);
    server().clock.advance(minuteMs);
    await signal(server(), place, alerts(['firing', 'a']));
    await signal(server(), place, alerts(['resolved', 'a']));
    const [tooOften] = await runsOf(server(), release);
    expect(tooOften.reason).toMatch(/^Flapping: actions changed flag-\d+ 3 times within 3600 s\.$/);
    expect(await statesOf(place)).toEqual({ seen: false, configured: true });
  });

  it('refuses a condition that cannot be stored', async () => {
    const place = await givenFlagOn();
    const { hold } = await givenHolds(place);
    await signal(server(), place, alerts(['firing', 'a\0b'], ['firing', 'c']));
    const [second, first] = await runsOf(server(), hold);
    expect(second.state).toBe('success');
    expect(first.state).toBe('failed');
    expect(first.actionSet.actions[0].details).toBe(
      'The parameter key is invalid: must not contain U+0000 or a lone surrogate',
    );
  });

  it('reports a release under a condition without a hold', async () => {
    const place = await givenFlagOn();
    const { release } = await givenHolds(place);
    await signal(server(), place, alerts(['resolved', 'never fired']));
    const [run] = await runsOf(server(), release);
    expect(run.state).toBe('success');
    expect(run.actionSet.actions[0].details).toContain('There was no hold on');
    expect(await statesOf(place)).toEqual({ seen: true, configured: true });
  });
});
