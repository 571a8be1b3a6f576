import { describe, expect, it } from 'vitest';
import { givenMember, givenRole } from '#testing/access.ts';
import { type ActionPlace, givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import type { FlagEnvironmentParams } from '#testing/flags.ts';
import { errorsBelow, reportErrors, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, givenTemplate, passMinutes, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { eventsAfter, lastEventId, testScenarios } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { planRehearsalScenarios } from './plan-rehearsals.scenarios.ts';

const server = useServer({ signalEndpointsLimit: 1000, actionSetsLimit: 1000 });
const plans = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/release-plans' as const;

/** Advances the clock minute by minute, and runs the jobs that are due in each. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    await passMinutes(server(), 1);
  }
}

async function givenFlagOn(): Promise<ActionPlace> {
  const place = await givenActionPlace(server());
  const path = '/api/admin/projects/:projectId/features/:featureName/environments/:environment/on';
  await server().admin.call(`POST ${path}`, { params: place.flag });
  return place;
}

const when = (status: string) => ({ status: { operator: 'IN', values: [status] } });

/** Creates a set that holds the flag off from `firing` until `resolved`. */
function givenHolding(place: ActionPlace, held: object = {}, more: object = {}) {
  const { projectId: project, flag, endpoint } = place;
  const { featureName, environment } = flag;
  const match = {
    source: 'signal-endpoint',
    sourceId: endpoint.id,
    payload: when('firing'),
    release: when('resolved'),
  };
  const executionParams = { project, environment, featureName, effect: 'off', reason: '{{name}} fires', ...held };
  return givenSet(
    server(),
    { name: 'Hold on errors', match, actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }], ...more },
    place,
  );
}

async function rehearse(params: FlagEnvironmentParams, body: object) {
  const { projectId, featureName, environment } = params;
  return server().admin.call(`POST ${plans}/rehearse`, { params: { projectId, featureName, environment }, body });
}

async function stepsOf(params: FlagEnvironmentParams, body: object) {
  const { json } = await rehearse(params, body);
  return json.steps.map(({ step, milestone }: { step: string; milestone: string }) => `${milestone} ${step}`);
}

const firing = { status: 'firing', name: 'HighErrorRate' };
const resolved = { status: 'resolved', name: 'HighErrorRate' };
const inThreeDays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7];
const inMinutes = [rolloutTo(10, 30), rolloutTo(50, 30), rolloutTo(100)];

describe('routes of rehearsals', () => testScenarios(server, planRehearsalScenarios));

/** The step of a rehearsal that corresponds to each event of a plan, by event type. */
const stepOf: ReadonlyMap<string, string> = new Map([
  ['release-plan-milestone-started', 'started'],
  ['release-plan-progressions-paused', 'held'],
  ['release-plan-progressions-resumed', 'released'],
]);

describe('the rehearsal of a release plan', () => {
  it('does not name action sets to callers who may not read actions', async () => {
    const place = await givenFlagOn();
    const { id } = await givenHolding(place);
    await signal(server(), place, firing);
    const { id: planId } = await planOf(server(), (await givenPlan(server(), inMinutes, place.flag)).params);
    await passMinutes(server(), 1);
    const stepsSeenWith = async (...permissions: string[]) => {
      const role = await givenRole(server(), { permissions: permissions.map((name) => ({ name })) });
      const { client } = await givenMember(server(), place.projectId, role.id);
      const reply = await client.call(`POST ${plans}/rehearse`, { params: place.flag, body: { planId, hours: 1 } });
      return reply.json.steps.filter(({ step }: { step: string }) => step === 'held');
    };
    expect(await stepsSeenWith('UPDATE_FEATURE_STRATEGY')).toMatchObject([
      { text: 'An action holds the flag: HighErrorRate fires.', actionSet: null },
    ]);
    expect(await stepsSeenWith('UPDATE_FEATURE_STRATEGY', 'READ_ACTIONS')).toMatchObject([
      { text: expect.stringContaining('“Hold on errors”'), actionSet: { id, name: 'Hold on errors' } },
    ]);
  });

  it('lets a milestone rest at which an action holds the flag', async () => {
    const place = await givenFlagOn();
    const effect = { effect: 'milestone', milestone: 'first' };
    await givenHolding(place, effect);
    for (const alert of [firing, resolved, firing, resolved]) {
      await passMinutes(server(), 2);
      await signal(server(), place, alert);
    }
    await passMinutes(server(), 20);
    const timesWith = async (restMinutes?: number) => {
      const { json } = await rehearse(place.flag, { milestones: inMinutes, hours: 1, restMinutes });
      const steps: { step: string; at: string }[] = json.steps.filter(
        ({ step }: { step: string }) => step !== 'started',
      );
      const first = Date.parse(steps[0]?.at ?? '');
      return steps.map(({ step, at }) => `${step} ${(Date.parse(at) - first) / 60_000}`);
    };
    expect(await timesWith(0)).toEqual(['held 0', 'released 2', 'held 4', 'released 6']);
    // The alert fires again while the milestone rests, which then rests for ten minutes from there.
    expect(await timesWith()).toEqual(['held 0', 'released 14']);
  });

  it('says what the plan did on the same signals and metrics', async () => {
    const place = await givenFlagOn();
    startMinute(server());
    await givenHolding(place);
    await reportErrors(server(), 0);
    const gated = { ...rolloutTo(50), transitionCondition: { intervalMinutes: 30, metric: errorsBelow(5) } };
    const milestones = [rolloutTo(10, 30), gated, rolloutTo(100)];
    const before = await lastEventId(server());
    const { params } = await givenPlan(server(), milestones, place.flag);
    await pass(20);
    const signalId = await signal(server(), place, firing);
    await pass(10);
    await signal(server(), place, resolved);
    await pass(58);
    await reportErrors(server(), 9);
    await pass(10);
    await reportErrors(server(), 2);
    await pass(22);
    const { status, json } = await rehearse(params, { milestones, hours: 2 });
    expect(status).toBe(200);
    expect(json).toMatchObject({ milestone: '100 %', state: 'completed', waitsFor: [], truncated: false });
    const { json: log } = await server().admin.call('GET /api/admin/events', { query: { after: before, limit: 1000 } });
    type Logged = { readonly type: string; readonly createdAt: string; readonly featureName: string | null };
    const ofFlag = (log.events as Logged[]).filter(({ featureName }) => featureName === place.flag.featureName);
    const did = ofFlag.flatMap(({ type, createdAt: at }) => {
      const step = stepOf.get(type);
      return step === undefined ? [] : [{ step, at }];
    });
    const steps: { step: string; at: string; text: string; signalId: number | null }[] = json.steps;
    const done = steps.filter(({ step }) => step !== 'gated');
    expect(done.map(({ step }) => step)).toEqual(did.map(({ step }) => step));
    // The jobs of this test run once a minute, so the plan may act up to a minute later than the rehearsal.
    const late = did.map(({ at }, index) => Date.parse(at) - Date.parse(done[index]?.at ?? ''));
    expect(late.every((ms) => Math.abs(ms) <= 60_000)).toBe(true);
    expect(steps.find(({ step }) => step === 'held')).toMatchObject({
      text: 'The action “Hold on errors” holds the flag: HighErrorRate fires.',
      signalId,
      actionSet: { name: 'Hold on errors' },
    });
    expect(steps.find(({ step }) => step === 'gated')?.text).toBe(
      'unleash_counter_gate_errors (count) is 9, not below 5.',
    );
  });

  it('changes nothing, and leaves the plan of the flag where it is', async () => {
    const place = await givenFlagOn();
    const { params } = await givenPlan(server(), inMinutes, place.flag);
    const [before, plan] = [await lastEventId(server()), await planOf(server(), params)];
    expect(await stepsOf(params, { planId: params.planId })).toEqual(['10 % started', '50 % started', '100 % started']);
    expect(await eventsAfter(server(), before)).toEqual([]);
    expect(await planOf(server(), params)).toEqual(plan);
  });

  it('starts anew after a hold whose minutes are over', async () => {
    const place = await givenFlagOn();
    const { projectId: project, flag, endpoint } = place;
    const executionParams = { project, ...flagOf(flag), effect: 'off', minutes: 15 };
    await givenSet(
      server(),
      {
        match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: {} },
        actions: [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }],
      },
      place,
    );
    await pass(20);
    await signal(server(), place, {});
    await pass(40);
    const { json } = await rehearse(flag, { milestones: inMinutes, hours: 1 });
    expect(json.steps.map(({ step }: { step: string }) => step)).toEqual(['started', 'held', 'released']);
    const [started, held, released] = json.steps.map(({ at }: { at: string }) => Date.parse(at));
    expect([held - started, released - held]).toEqual([20 * 60_000, 15 * 60_000]);
    expect(json).toMatchObject({ milestone: '10 %', state: 'running' });
  });

  it.each([
    ['are disabled', { enabled: false }],
    ['are in shadow mode', { shadow: true }],
    ['act on another day', { guards: { hours: { days: [inThreeDays], from: '00:00', to: '23:59', timeZone: 'UTC' } } }],
  ])('leaves out action sets that %s', async (_, more) => {
    const place = await givenFlagOn();
    await givenHolding(place, {}, more);
    await pass(5);
    await signal(server(), place, firing);
    await pass(55);
    expect(await stepsOf(place.flag, { milestones: inMinutes, hours: 1 })).toEqual(['10 % started', '50 % started']);
  });

  it('leaves out action sets of other projects, which cannot act on the flag', async () => {
    const place = await givenFlagOn();
    const other = await givenActionPlace(server());
    const executionParams = {
      project: other.projectId,
      environment: 'development',
      featureName: '{{flag}}',
      effect: 'off',
    };
    const allow = { flags: ['*'] };
    const actions = [{ action: 'HOLD_FEATURE', sortOrder: 1, executionParams }];
    await givenSet(server(), { name: 'Hold any', actions, allow }, other);
    await pass(5);
    await signal(server(), other, { flag: place.flag.featureName });
    await pass(55);
    expect(await stepsOf(place.flag, { milestones: inMinutes, hours: 1 })).toEqual(['10 % started', '50 % started']);
  });

  it('ends a hold by an action that releases it', async () => {
    const place = await givenFlagOn();
    const { projectId: project, flag, endpoint } = place;
    const set = (status: string, action: string, params: object) =>
      givenSet(
        server(),
        {
          match: { source: 'signal-endpoint', sourceId: endpoint.id, payload: when(status) },
          actions: [{ action, sortOrder: 1, executionParams: { project, ...flagOf(flag), ...params } }],
        },
        place,
      );
    await set('firing', 'HOLD_FEATURE', { effect: 'off' });
    await set('resolved', 'RELEASE_FEATURE', {});
    await pass(5);
    await signal(server(), place, firing);
    await pass(5);
    await signal(server(), place, resolved);
    await pass(50);
    expect(await stepsOf(flag, { milestones: inMinutes, hours: 1 })).toEqual([
      '10 % started',
      '10 % held',
      '10 % released',
      '50 % started',
    ]);
  });

  it('takes the approval of a person as given, and that of an action when a signal gives it', async () => {
    const place = await givenFlagOn();
    const { projectId: project, flag } = place;
    const approval = (by: string, share: number) => ({
      ...rolloutTo(share),
      transitionCondition: { intervalMinutes: 10, approval: { by } },
    });
    const executionParams = { project, ...flagOf(flag) };
    await givenSet(server(), { actions: [{ action: 'APPROVE_MILESTONE', sortOrder: 1, executionParams }] }, place);
    await pass(30);
    await signal(server(), place, {});
    await pass(30);
    const milestones = [approval('person', 10), approval('action', 50), rolloutTo(100)];
    const { json } = await rehearse(flag, { milestones, hours: 1 });
    const steps: { step: string; milestone: string; at: string }[] = json.steps;
    expect(steps.map(({ step, milestone }) => `${milestone} ${step}`)).toEqual([
      '10 % started',
      '50 % started',
      '50 % gated',
      '50 % approved',
      '100 % started',
    ]);
  });

  it('ends when a safeguard of the plan pauses it', async () => {
    const place = await givenFlagOn();
    startMinute(server());
    await reportErrors(server(), 1);
    const { params } = await givenPlan(server(), inMinutes, place.flag);
    const name = 'unleash_counter_gate_errors';
    await pass(40);
    await reportErrors(server(), 50);
    await pass(20);
    // The safeguard is set afterwards: the rehearsal shows whether it would have paused the plan.
    await setSafeguard(server(), params, moreThan(10, name));
    const { json } = await rehearse(params, { planId: params.planId, hours: 1 });
    // No value since the milestone started has let the plan go on before.
    expect(json).toMatchObject({ state: 'paused', milestone: '10 %' });
    expect(json.steps.at(-1)).toMatchObject({
      step: 'paused',
      text: expect.stringMatching(/^Safeguard: unleash_counter_gate_errors \(count\) is 5[01], above 10\.$/),
    });
  });

  it('halts while a safeguard of the plan holds the flag, and goes on when its metric is back', async () => {
    const place = await givenFlagOn();
    startMinute(server());
    await reportErrors(server(), 1);
    const { params } = await givenPlan(server(), inMinutes, place.flag);
    await pass(15);
    await reportErrors(server(), 50);
    await pass(15);
    await reportErrors(server(), 0);
    await pass(10);
    await setSafeguard(server(), params, { ...moreThan(10, 'unleash_counter_gate_errors'), holdAt: 'previous' });
    const { json } = await rehearse(params, { planId: params.planId, hours: 1 });
    const steps = json.steps.map(({ step, text }: { step: string; text: string }) => [step, text]);
    const held = steps.findIndex(([step]: readonly string[]) => step === 'held');
    expect(steps[held]).toEqual(['held', expect.stringMatching(/^Safeguard: .* is 5[01], above 10\.$/)]);
    expect(steps[held + 1]).toEqual(['released', 'The flag is no longer held. The milestone starts anew.']);
    expect(json.state).not.toBe('paused');
  });

  it('rehearses a template', async () => {
    const place = await givenFlagOn();
    const { id } = await givenTemplate(server());
    expect(await stepsOf(place.flag, { templateId: id, hours: 3 })).toEqual([
      '10 % started',
      '50 % started',
      '100 % started',
    ]);
  });

  it.each([
    ['without a plan', {}],
    ['with two plans', { milestones: inMinutes, templateId: 'one' }],
    ['with more than a week', { milestones: inMinutes, hours: 169 }],
    ['with a field that does not exist', { milestones: inMinutes, days: 1 }],
  ])('is refused %s', async (_, body) => {
    const place = await givenFlagOn();
    expect((await rehearse(place.flag, body)).status).toBe(400);
  });
});

function flagOf({ featureName, environment }: FlagEnvironmentParams) {
  return { featureName, environment };
}
