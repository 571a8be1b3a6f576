import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FlagEnvironmentParams, givenEnabled } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { errorsBelow, reportErrors } from '#testing/impact-metrics.ts';
import { approve, evaluate, givenPlan, planOf, rolloutTo, servedPercentages } from '#testing/release-plans.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';

// Random pauses, holds, switches, edits, evaluations, metrics, approvals and restarts are compared with a simple model
// of the promised behaviour (ADR 79, ADR 80).
// YARDARM_TEST_RUNS=200 runs more.

const runs = Number(process.env.YARDARM_TEST_RUNS ?? 12);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const shares = [1, 10, 50, 100];

const storage = await createStorage();
const settings = { initAdminTokens: [`*:*.${'p'.repeat(56)}`] };
let server: TestServer;

beforeAll(async () => {
  server = await startServer(storage, settings);
});
afterAll(async () => {
  await server.stop();
  await storage.remove();
});

/** Minutes at each milestone; null where a person starts the next one. */
type Minutes = (number | null)[];

/** The gates of a milestone besides its time. */
interface Gates {
  readonly evaluations?: number;
  readonly approval?: { readonly by: 'person' };
  readonly metric?: ReturnType<typeof errorsBelow>;
}

const mostErrors = 5;

/** A model of a plan that follows the rules of docs/guides/release-plans.md, minute by minute. */
class Model {
  active = 0;
  counted = 0;
  isOn = true;
  isHeld = false;
  isPaused = false;
  isApproved = false;
  halts = 0;
  /** When the milestone started, or started anew after a hold. */
  since: number;
  readonly minutes: Minutes;
  readonly gates: readonly Gates[];
  readonly maxHalts: number | null;
  readonly now: () => number;
  readonly #reports: { readonly hour: number; readonly count: number }[] = [];
  readonly #errors: { readonly minute: number; readonly count: number }[] = [];

  constructor(minutes: Minutes, gates: readonly Gates[], maxHalts: number | null, now: () => number) {
    this.minutes = [...minutes];
    this.maxHalts = maxHalts;
    this.gates = gates;
    this.now = now;
    this.since = now();
  }

  get counts(): boolean {
    return this.isOn && !this.isHeld && !this.isPaused;
  }

  get isLast(): boolean {
    return this.active === shares.length - 1;
  }

  get isTimeOver(): boolean {
    const needed = this.minutes[this.active] ?? null;
    return needed !== null && this.counted >= needed;
  }

  /** Whether the gates other than time are open. */
  get isOpen(): boolean {
    const { evaluations = 0, approval, metric } = this.gates[this.active] ?? {};
    const seen = this.#reports.filter(({ hour }) => hour >= this.since).reduce((sum, { count }) => sum + count, 0);
    const isApproved = approval === undefined || this.isApproved;
    return seen >= evaluations && isApproved && (metric === undefined || this.isCalm);
  }

  /** Whether there were few errors in the last five full minutes since the milestone started; false without data. */
  get isCalm(): boolean {
    // The server counts the reports of a minute five seconds after its end.
    const to = Math.floor((this.now() - 5000) / minuteMs) * minuteMs;
    const from = Math.max(to - 5 * minuteMs, Math.ceil(this.since / minuteMs) * minuteMs);
    const recent = this.#errors.filter(({ minute }) => minute >= from && minute < to);
    return recent.length > 0 && recent.reduce((sum, { count }) => sum + count, 0) < mostErrors;
  }

  start(index: number): void {
    this.active = index;
    this.halts = 0;
    this.startAnew();
  }

  startAnew(): void {
    this.counted = 0;
    this.isApproved = false;
    this.since = this.now();
  }

  hold(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    this.halts++;
    if (this.maxHalts === null || this.halts < this.maxHalts || this.isPaused || this.isLast) return;
    this.start(0);
    this.isPaused = true;
  }

  evaluate(count: number): void {
    this.#reports.push({ hour: this.now() - (this.now() % hourMs), count });
  }

  reportErrors(count: number): void {
    this.#errors.push({ minute: this.now() - (this.now() % minuteMs), count });
  }

  approve(): void {
    const waits = this.gates[this.active]?.approval !== undefined && (this.minutes[this.active] ?? null) !== null;
    if (waits && !this.isLast && !this.isHeld) this.isApproved = true;
  }

  /** Counts the minute that ends now, and starts the next milestone when that is due. */
  passMinute(): void {
    if (this.counts) this.counted++;
    this.climbIfDue();
  }

  climbIfDue(): void {
    if (this.counts && !this.isLast && this.isTimeOver && this.isOpen) this.start(this.active + 1);
  }

  get state(): string {
    if (this.isLast) return 'completed';
    if (this.isPaused) return 'paused';
    if (this.isHeld) return 'held';
    if (!this.isOn) return 'off';
    if ((this.minutes[this.active] ?? null) === null) return 'waiting';
    return this.isTimeOver && !this.isOpen ? 'gated' : 'running';
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('on' as const, 'off' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('hold' as const, 'release' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('start' as const), index: fc.integer({ min: 0, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('time' as const),
      index: fc.integer({ min: 0, max: 2 }),
      minutes: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('evaluate' as const), count: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('errors' as const), count: fc.integer({ min: 0, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('approve' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const gatesOf: fc.Arbitrary<Gates> = fc.record(
  {
    evaluations: fc.integer({ min: 1, max: 100 }),
    approval: fc.constant({ by: 'person' as const }),
    metric: fc.constant(errorsBelow(mostErrors)),
  },
  { requiredKeys: [] },
);

/** Lets minutes pass on the server, which runs its jobs every second, and in the model. */
async function pass(minutes: number, model: Model): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    server.clock.advance(minuteMs);
    await server.app.service.jobs.runDue();
    model.passMinute();
  }
}

/** Does a step on the server and in the model. */
async function apply(
  act: Step,
  model: Model,
  params: FlagEnvironmentParams & { readonly planId: string },
  milestoneIds: readonly string[],
  held: { id: number | undefined },
): Promise<void> {
  switch (act.do) {
    case 'pass':
      return pass(act.minutes, model);
    case 'evaluate':
      await evaluate(server, params, { yes: act.count, no: 0 });
      model.evaluate(act.count);
      // A minute passes, because a plan looks at its closed gates once a minute.
      return pass(1, model);
    case 'errors':
      await reportErrors(server, act.count);
      model.reportErrors(act.count);
      return pass(1, model);
    case 'approve':
      await approve(server, { params, milestoneIds }, model.active);
      model.approve();
      break;
    case 'pause':
    case 'resume':
      await server.admin.call(`POST ${environment}/progressions/:planId/${act.do}`, { params });
      if (act.do === 'resume' && model.isPaused) model.halts = 0;
      model.isPaused = act.do === 'pause';
      break;
    case 'on':
    case 'off':
      await server.admin.call(`POST ${environment}/${act.do}`, { params });
      model.isOn = act.do === 'on';
      break;
    case 'hold':
      held.id ??= (await givenHold(server, params)).id;
      model.hold();
      break;
    case 'release':
      if (held.id === undefined) return;
      await releaseHold(server, params, held.id);
      held.id = undefined;
      model.isHeld = false;
      model.startAnew();
      break;
    case 'start':
      await server.admin.call(`POST ${environment}/release-plans/:planId/milestones/:milestoneId/start`, {
        params: { ...params, milestoneId: milestoneIds[act.index] ?? '' },
      });
      model.start(act.index);
      break;
    case 'time':
      await server.admin.call(`PUT ${environment}/progressions/:id`, {
        params: { ...params, id: milestoneIds[act.index] ?? '' },
        body: { transitionCondition: { intervalMinutes: act.minutes, ...model.gates[act.index] } },
      });
      model.minutes[act.index] = act.minutes;
      break;
    case 'restart': {
      const { clock } = server;
      await server.stop();
      server = await startServer(storage, settings, clock);
      break;
    }
  }
  await server.app.service.jobs.runDue();
  model.climbIfDue();
}

function withGates(milestone: ReturnType<typeof rolloutTo>, gates: Gates = {}) {
  const { transitionCondition: condition } = milestone;
  return { ...milestone, transitionCondition: condition && { ...condition, ...gates } };
}

it('a plan is where its rules say, whatever people, holds and restarts do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(fc.integer({ min: 1, max: 30 }), { freq: 4 }), { minLength: 3, maxLength: 3 }),
      fc.array(gatesOf, { minLength: 3, maxLength: 3 }),
      fc.option(fc.integer({ min: 1, max: 3 })),
      fc.array(step, { minLength: 5, maxLength: 30 }),
      async (minutes, gates, maxHalts, steps) => {
        const milestones = shares.map((share, index) =>
          withGates(rolloutTo(share, minutes[index] ?? null), gates[index]),
        );
        // The server refuses a gate with a metric that was never reported.
        await reportErrors(server, 0);
        const flag = await givenEnabled(server);
        const { params, milestoneIds } = await givenPlan(server, milestones, flag, { maxHalts });
        const model = new Model(minutes, gates, maxHalts, () => server.clock.now());
        model.reportErrors(0);
        const held = { id: undefined };
        for (const act of steps) {
          await apply(act, model, params, milestoneIds, held);
          const { progress, activeMilestoneId } = await planOf(server, params);
          expect(progress.halts).toBe(model.halts);
          const isServed = model.isOn && !model.isHeld;
          expect([milestoneIds.indexOf(activeMilestoneId), progress.state, progress.elapsedMinutes]).toEqual([
            model.active,
            model.state,
            model.counted,
          ]);
          expect(await servedPercentages(server, params)).toEqual(
            isServed ? [String(shares[model.active])] : undefined,
          );
        }
      },
    ),
    { numRuns: runs },
  );
}, 180_000);
