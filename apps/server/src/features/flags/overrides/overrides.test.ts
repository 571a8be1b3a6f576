import { describe, expect, it } from 'vitest';
import { givenMember } from '#testing/access.ts';
import { givenActionPlace, givenSet, isOn, runsOf, signal, turning } from '#testing/actions.ts';
import { givenFlagIn, givenProject, switchFlag } from '#testing/flags.ts';
import { givenPlan, inThreeSteps, passMinutes, planOf } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { overrideScenarios } from './overrides.scenarios.ts';

const hourMs = 3_600_000;
const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const route =
  '/api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override' as const;

describe('routes of overrides', () => testScenarios(server, overrideScenarios));

/** Creates a set that holds a flag off while an alert fires, and one that releases it. */
async function given() {
  const place = await givenActionPlace(server());
  const { projectId: project, flag } = place;
  const { environment, featureName } = flag;
  await switchFlag(server(), flag, 'on');
  const when = (status: string) => ({
    match: {
      source: 'signal-endpoint',
      sourceId: place.endpoint.id,
      payload: { status: { operator: 'IN', values: [status] } },
    },
  });
  const of = (action: string, more: object = {}) => ({
    actions: [{ action, sortOrder: 1, executionParams: { project, environment, featureName, ...more } }],
  });
  const hold = await givenSet(server(), { ...when('firing'), ...of('HOLD_FEATURE', { effect: 'off' }) }, place);
  const release = await givenSet(server(), { ...when('resolved'), ...of('RELEASE_FEATURE') }, place);
  return {
    ...{ place, flag, hold, release },
    alert: (status: 'firing' | 'resolved') => signal(server(), place, { status }),
    override: (body: object) => server().admin.call(`PUT ${route}`, { params: flag, body }),
    held: async () => {
      const reply = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', {
        params: flag,
      });
      return reply.json.leases.length as number;
    },
    lastRun: async (of: typeof hold) => (await runsOf(server(), of))[0],
  };
}

describe('an override', () => {
  it('releases what automation holds, and skips runs that would hold again, with the reason', async () => {
    const { alert, override, held, hold, lastRun } = await given();
    await alert('firing');
    expect(await held()).toBe(1);
    await override({ reason: 'False alarm of the checkout' });
    expect(await held()).toBe(0);
    await alert('firing');
    expect(await held()).toBe(0);
    expect(await lastRun(hold)).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/^Override: admin keeps automation off .+ in development\. False alarm/),
    });
  });

  it('keeps the end of an alert waiting that would release a kept hold, until the override ends', async () => {
    const { alert, override, held, release, lastRun, flag } = await given();
    await alert('firing');
    await override({ reason: 'Leave it off', holds: 'keep' });
    await alert('resolved');
    const waiting = { state: 'waiting', reason: expect.stringMatching(/^Override: .+ Leave it off/) };
    expect([await held(), await lastRun(release)]).toMatchObject([1, waiting]);
    await passMinutes(server(), 60);
    expect([await held(), await lastRun(release)]).toMatchObject([1, waiting]);
    await server().admin.call(`DELETE ${route}`, { params: flag });
    await passMinutes(server(), 1);
    expect([await held(), await lastRun(release)]).toMatchObject([0, { state: 'success' }]);
  });

  it('does not let a waiting end release the hold of an alert that fires again', async () => {
    const { alert, override, held, hold, lastRun, flag } = await given();
    await alert('firing');
    await override({ reason: 'Leave it off', holds: 'keep' });
    await alert('resolved');
    await alert('firing');
    expect(await lastRun(hold)).toMatchObject({ state: 'success' });
    await server().admin.call(`DELETE ${route}`, { params: flag });
    await passMinutes(server(), 1);
    expect(await held()).toBe(1);
  });

  it('lets a plan go on when it has ended and the kept hold is released', async () => {
    const { alert, override, held, release, lastRun, flag } = await given();
    const { params } = await givenPlan(server(), inThreeSteps, flag);
    await alert('firing');
    await override({ reason: 'Leave it off', holds: 'keep' });
    await alert('resolved');
    await server().admin.call(`DELETE ${route}`, { params: flag });
    await passMinutes(server(), 1);
    expect([await held(), await lastRun(release)]).toMatchObject([0, { state: 'success' }]);
    expect((await planOf(server(), params)).progress.state).toBe('running');
  });

  it('stays as it is, without an event, when the same account places the same override again', async () => {
    const { override, flag } = await given();
    const first = (await override({ reason: 'Look first' })).json;
    const before = await lastEventId(server());
    server().clock.advance(hourMs);
    expect((await override({ reason: 'Look first' })).json).toEqual(first);
    expect(await eventsAfter(server(), before)).toEqual([]);
    await override({ reason: 'Look twice' });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-override-updated', featureName: flag.featureName, data: { reason: 'Look twice' } },
    ]);
  });

  it('ends at its time, with an event, and automation holds again', async () => {
    const { alert, override, held, hold, lastRun, flag } = await given();
    const endsAt = new Date(server().clock.now() + hourMs).toISOString();
    await override({ reason: 'For an hour', endsAt });
    server().clock.advance(hourMs - 1);
    await alert('firing');
    expect(await held()).toBe(0);
    expect((await lastRun(hold)).reason).toContain('in development. For an hour');
    const before = await lastEventId(server());
    server().clock.advance(1);
    await server().app.service.jobs.runDue();
    const events = (await eventsAfter(server(), before)).filter(({ featureName }) => featureName === flag.featureName);
    expect(events).toMatchObject([{ type: 'feature-override-ended', preData: { reason: 'For an hour' } }]);
    await alert('firing');
    expect(await held()).toBe(1);
  });

  it('ends with its time even before the job has run', async () => {
    const { alert, override, held, flag } = await given();
    await override({ reason: 'Short', endsAt: new Date(server().clock.now() + 1000).toISOString() });
    server().clock.advance(1000);
    expect((await server().admin.call(`DELETE ${route}`, { params: flag })).status).toBe(404);
    await alert('firing');
    expect(await held()).toBe(1);
  });

  it('stops a run that switches the flag, and not one on another flag or in another environment', async () => {
    const { place, flag, override, lastRun } = await given();
    await override({ reason: 'Hands off' });
    const other = await givenFlagIn(server(), 'development', place.projectId);
    const off = turning('OFF', place.projectId, flag.featureName);
    const on = turning('ON', place.projectId, other.featureName);
    const { executionParams } = turning('ON', place.projectId, flag.featureName);
    const elsewhere = { ...on, executionParams: { ...executionParams, environment: 'production' } };
    const stopped = await givenSet(server(), { actions: [off] }, place);
    const goes = await givenSet(server(), { actions: [on] }, place);
    const goesToo = await givenSet(server(), { actions: [elsewhere] }, place);
    await signal(server(), place, { status: 'other' });
    const states = await Promise.all([stopped, goes, goesToo].map(async (set) => (await lastRun(set)).state));
    expect(states).toEqual(['skipped', 'success', 'success']);
    const production = { ...flag, environment: 'production' };
    expect(await Promise.all([flag, other, production].map((place) => isOn(server(), place)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('leaves the hold of a person, whose decision it is', async () => {
    const { flag, override, held } = await given();
    await server().admin.call(
      'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases',
      { params: flag, body: { effect: 'off' } },
    );
    await override({ reason: 'Hands off' });
    expect(await held()).toBe(1);
  });

  it('is listed only for projects that the caller can see', async () => {
    const hidden = await givenFlagIn(server(), 'development', await givenProject(server(), { mode: 'private' }));
    await server().admin.call(`PUT ${route}`, { params: hidden, body: { reason: 'Hidden' } });
    const { client } = await givenMember(server(), await givenProject(server()), 5);
    const { overrides } = (await client.call('GET /api/admin/automation-overrides')).json;
    const { overrides: now } = (await client.call('GET /api/admin/now')).json;
    const names = [...overrides, ...now].map(({ featureName }: { featureName: string }) => featureName);
    expect(names).not.toContain(hidden.featureName);
  });
});
