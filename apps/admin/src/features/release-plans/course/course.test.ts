import { describe, expect, it } from 'vitest';
import type { Milestone, Plan } from '../../../entities/release-plans/plan-queries.ts';
import { type CourseEvent, courseFrom, courseOf, exposureOf, type Known, stretchAt } from './course.ts';

const start = Date.parse('2026-11-25T10:00:00.000Z');
const minute = (count: number) => start + count * 60_000;
const iso = (ms: number) => new Date(ms).toISOString();

function strategiesAt(...rollouts: number[]): Milestone['strategies'] {
  return rollouts.map((rollout) => strategy('flexibleRollout', { rollout: String(rollout) }));
}

function strategy(name: string, parameters: Record<string, string>, disabled = false): Milestone['strategies'][number] {
  const rest = { constraints: [], variants: [], segments: [], title: null, sortOrder: 0 };
  return { id: 's', milestoneId: 'm', name, strategyName: name, parameters, disabled, ...rest };
}

function milestone(rollout: number, startedAt: number | null = null): Milestone {
  return {
    id: `m${rollout}`,
    name: `${rollout} %`,
    sortOrder: 0,
    releasePlanDefinitionId: 'p',
    startedAt: startedAt === null ? null : iso(startedAt),
    transitionCondition: null,
    progressionExecutedAt: null,
    pausedAt: null,
    approvedAt: null,
    approvedByUserId: null,
    strategies: strategiesAt(rollout),
  };
}

const plan: Plan = {
  id: 'p',
  discriminator: 'plan',
  name: 'Release gradually',
  description: null,
  featureName: 'new-search',
  environment: 'production',
  createdByUserId: 1,
  createdAt: iso(start),
  activeMilestoneId: 'm50',
  milestones: [milestone(10, start), milestone(50, minute(60)), milestone(100)],
  releasePlanTemplateId: null,
  safeguards: [],
  maxHalts: null,
  stepDownMinutes: 5,
  restMinutes: 10,
  shadow: false,
  progress: { state: 'running', reason: null, haltedAt: null, halts: 0, nextAt: null, elapsedMinutes: 0, waitsFor: [] },
};

const known: Known = { plan, flag: { enabled: true, lease: null }, isWhole: true };

function event(at: number, type: CourseEvent['type'], data: object | null = null, more: object = {}): CourseEvent {
  const cause = { requestId: null, signalId: null, runId: null };
  return {
    type,
    createdAt: iso(at),
    createdBy: 'admin',
    data,
    preData: null,
    reason: null,
    cause,
    ...more,
  } as CourseEvent;
}

const started = (at: number, rollout: number) =>
  event(at, 'release-plan-milestone-started', {
    planId: 'p',
    milestoneId: `m${rollout}`,
    milestoneName: `${rollout} %`,
    strategies: strategiesAt(rollout),
  });
const paused = (at: number, reason: string | null, more?: object) =>
  event(at, 'release-plan-progressions-paused', { planId: 'p', reason }, more);
const resumed = (at: number, reason: string | null = null) =>
  event(at, 'release-plan-progressions-resumed', { planId: 'p', reason });

const lease = { effect: 'off', rollout: null, reason: 'Errors rise.', heldBy: { name: 'ops' } };
const held = (at: number, hold: object | null, before: object | null = null) =>
  event(
    at,
    'feature-effective-state-changed',
    { enabled: true, lease: hold },
    { preData: { enabled: true, lease: before }, cause: { requestId: null, signalId: 7, runId: null } },
  );

/** Returns each stretch of the course as text: its minutes, exposure, course and reasons. */
function shortly(events: readonly CourseEvent[], more: Partial<Known> = {}, end = 120) {
  return courseOf(events, { ...known, ...more }, minute(end)).map(({ from, to, exposure, course, reasons }) =>
    [(from - start) / 60_000, (to - start) / 60_000, exposure, course, ...reasons].join(' '),
  );
}

describe('the course of a plan', () => {
  it('has the exposure of each milestone from its start on', () => {
    expect(shortly([started(start, 10), started(minute(60), 50)])).toEqual(['0 60 10 running', '60 120 50 running']);
  });

  it('serves nothing while the flag is held off, and says by whom and why', () => {
    const events = [
      started(start, 10),
      held(minute(20), lease),
      paused(minute(20), 'The flag is held.'),
      held(minute(50), null, lease),
      resumed(minute(50), 'The flag is no longer held.'),
    ];
    expect(shortly(events)).toEqual([
      '0 20 10 running',
      '20 50 0 held Held off by ops: Errors rise',
      '50 120 10 running',
    ]);
    expect(stretchAt(courseOf(events, known, minute(120)), minute(30))?.signalIds).toEqual([7]);
  });

  it('serves the percentage of a hold that has one, and all of the milestone when it is held on', () => {
    const at5 = { ...lease, effect: 'rollout', rollout: 5, reason: null };
    const on = { ...lease, effect: 'on', reason: null };
    expect(shortly([started(start, 10), held(minute(20), at5), held(minute(30), on, at5)])).toEqual([
      '0 20 10 running',
      '20 30 5 held Held at 5 % by ops',
      '30 120 10 held Held on by ops',
    ]);
  });

  it('keeps the exposure while it is paused, with the reason of the safeguard or the person', () => {
    const events = [
      started(start, 10),
      paused(minute(20), 'Safeguard: errors (count) is 12, above 10.'),
      resumed(minute(30)),
      paused(minute(40), null, { reason: 'Lunch' }),
      resumed(minute(50)),
      paused(minute(60), null),
    ];
    expect(shortly(events)).toEqual([
      '0 20 10 running',
      '20 30 10 paused Halted: Safeguard: errors (count) is 12, above 10',
      '30 40 10 running',
      '40 50 10 paused Paused by admin: Lunch',
      '50 60 10 running',
      '60 120 10 paused Paused by admin',
    ]);
  });

  it('stays paused when a hold ends meanwhile', () => {
    const events = [started(start, 10), paused(minute(10), null), held(minute(20), lease)];
    const end = [held(minute(30), null, lease), resumed(minute(30), 'The flag is no longer held.')];
    expect(shortly([...events, ...end])).toEqual([
      '0 10 10 running',
      '10 20 10 paused Paused by admin',
      '20 30 0 paused Paused by admin Held off by ops: Errors rise',
      '30 120 10 paused Paused by admin',
    ]);
  });

  it('is at the first milestone and paused after a hold that was one too many', () => {
    const reason = 'Halted twice at 50 %: the plan went back to 10 %. A person resumes it.';
    const events = [
      started(start, 50),
      held(minute(20), lease),
      paused(minute(20), 'The flag is held.'),
      started(minute(20), 10),
      paused(minute(20), reason),
      held(minute(30), null, lease),
      resumed(minute(30), 'The flag is no longer held.'),
    ];
    expect(shortly(events).slice(1)).toEqual([
      `20 30 0 paused Halted: ${reason.slice(0, -1)} Held off by ops: Errors rise`,
      `30 120 10 paused Halted: ${reason.slice(0, -1)}`,
    ]);
  });

  it('serves nothing while the flag is off, also before it is switched on first', () => {
    const events = [
      started(start, 10),
      event(minute(10), 'feature-environment-enabled'),
      event(minute(20), 'feature-environment-disabled'),
    ];
    expect(shortly(events)).toEqual(['0 10 0 off Flag is off', '10 20 10 running', '20 120 0 off Flag is off']);
    expect(shortly([started(start, 10)], { flag: { enabled: false, lease: null } })).toEqual([
      '0 120 0 off Flag is off',
    ]);
  });

  it('is off from an archive until the flag is switched on again', () => {
    const events = [started(start, 10), event(minute(10), 'feature-archived'), event(minute(20), 'feature-revived')];
    expect(shortly([...events, event(minute(30), 'feature-environment-enabled')])).toEqual([
      '0 10 10 running',
      '10 30 0 off Flag is off',
      '30 120 10 running',
    ]);
  });

  it('is held when the flag was off as the hold came, of which no event says more', () => {
    const events = [
      started(start, 10),
      paused(minute(10), 'The flag is held.'),
      resumed(minute(20), 'The flag is no longer held.'),
    ];
    expect(shortly(events, { flag: { enabled: false, lease: null } })).toEqual([
      '0 10 0 off Flag is off',
      '10 20 0 held Flag is held',
      '20 120 0 off Flag is off',
    ]);
  });

  it('follows changes of the strategies of the active milestone only', () => {
    const milestones = [{ ...milestone(10), strategies: strategiesAt(20) }, milestone(50)];
    const other = [milestone(10), { ...milestone(50), strategies: strategiesAt(60) }];
    const events = [
      started(start, 10),
      event(minute(10), 'release-plan-updated', { planId: 'p', milestones }),
      event(minute(20), 'release-plan-updated', { planId: 'p', milestones: other }),
    ];
    expect(shortly(events)).toEqual(['0 10 10 running', '10 20 20 running', '20 120 10 running']);
  });

  it('skips events of an earlier plan of the flag', () => {
    const earlier = event(minute(10), 'release-plan-progressions-paused', { planId: 'other', reason: null });
    expect(shortly([started(start, 10), earlier])).toEqual(['0 120 10 running']);
    expect(shortly([paused(start - 1, null), started(start, 10)])).toEqual(['0 120 10 running']);
  });

  it('starts at the oldest event when there are older ones, with the state from before it', () => {
    const isWhole = false;
    expect(shortly([resumed(minute(80))], { isWhole })).toEqual(['80 120 50 running']);
    expect(shortly([resumed(minute(40)), started(minute(60), 50), held(minute(70), null, lease)], { isWhole })).toEqual(
      ['40 60 0 held Held off by ops: Errors rise', '60 70 0 held Held off by ops: Errors rise', '70 120 50 running'],
    );
  });

  it('has the present state when no event has changed it', () => {
    const flag = { enabled: true, lease: { ...lease, reason: null } } as unknown as Known['flag'];
    const milestones = plan.milestones.map((one) => ({ ...one, pausedAt: iso(start) }));
    const progress = { ...plan.progress, reason: 'Safeguard: errors.' };
    expect(shortly([], { flag, plan: { ...plan, milestones, progress } })).toEqual([
      '0 120 0 paused Halted: Safeguard: errors Held off by ops',
    ]);
  });
});

describe('a part of a course', () => {
  it('starts at the time that is given', () => {
    const course = courseOf([started(start, 10), started(minute(60), 50)], known, minute(120));
    expect(courseFrom(course, minute(60)).map(({ from }) => from)).toEqual([minute(60)]);
    expect(courseFrom(course, minute(30)).map(({ from }) => from)).toEqual([minute(30), minute(60)]);
  });
});

describe('the exposure of strategies', () => {
  it.each([
    [strategiesAt(10, 30), 30],
    [[strategy('default', {})], 100],
    [[strategy('gradualRolloutRandom', { percentage: '25' })], 25],
    [[strategy('userWithId', { userIds: 'a,b' })], 0],
    [[strategy('flexibleRollout', { rollout: '90' }, true), ...strategiesAt(5)], 5],
    [[], 0],
  ])('is the highest percentage of those that are active: %#', (strategies, exposure) => {
    expect(exposureOf(strategies)).toBe(exposure);
  });
});
