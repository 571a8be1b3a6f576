import { firstValueMinutes } from '@yardarm/contract';
import { describe, expect, it } from 'vitest';
import type { Milestone, Plan } from '../../entities/release-plans/plan-queries.ts';
import {
  describeCondition,
  describeGates,
  describeHalts,
  describeNewGates,
  describePatience,
  formatMinutes,
} from './plan-words.ts';

describe('a number of minutes', () => {
  it.each([
    [1, '1 minute'],
    [90, '90 minutes'],
    [60, '1 hour'],
    [120, '2 hours'],
    [1440, '1 day'],
    [2880, '2 days'],
  ])('%s is %s', (minutes, text) => expect(formatMinutes(minutes)).toBe(text));
});

describe('the gates of a milestone', () => {
  const milestone = (transitionCondition: Milestone['transitionCondition']) => ({ transitionCondition }) as Milestone;

  it.each([
    [{ intervalMinutes: 60 }, 'for 1 hour'],
    [{ intervalMinutes: 60, evaluations: 500 }, 'for 1 hour, after 500 evaluations'],
    [{ intervalMinutes: 60, approval: { by: 'action' } }, 'for 1 hour, when an action approves it'],
    [{ intervalMinutes: 60, approval: { by: 'person', role: 4 } }, 'for 1 hour, when a person approves it'],
  ] as const)('%j are "%s"', (condition, text) => expect(describeCondition(milestone(condition), false)).toBe(text));

  it('that are closed are said one by one, without the time, which is said beside them', () => {
    const waitsFor = [
      { gate: 'time', text: '12 more minutes at this milestone' },
      { gate: 'evaluations', text: '312 of 1000 evaluations, counted from 2026-11-25 04:00 UTC on' },
    ] as const;
    const progress = {
      reason: null,
      haltedAt: null,
      halts: 0,
      nextAt: null,
      elapsedMinutes: 48,
      waitsFor: [...waitsFor],
    };
    expect(describeGates({ progress: { ...progress, state: 'running' } })).toEqual([
      '312 of 1000 evaluations, counted from 2026-11-25 04:00 UTC on.',
    ]);
    expect(describeGates({ progress: { ...progress, state: 'paused' } })).toEqual([]);
  });

  it('that have just opened are not said to be waited for: the plan looks once a minute', () => {
    const progress = { reason: null, haltedAt: null, halts: 0, nextAt: null, elapsedMinutes: 60, waitsFor: [] };
    expect(describeGates({ progress: { ...progress, state: 'gated' } })).toEqual([
      'All conditions hold: the next milestone starts within a minute.',
    ]);
    expect(describeGates({ progress: { ...progress, state: 'running' } })).toEqual([]);
  });
});

describe('the halts of a plan', () => {
  const plan = { maxHalts: 3, milestones: [{ name: '1 %' }], progress: { state: 'running', halts: 0 } } as Plan;

  it('say after how many the plan goes back, and how many there were', () => {
    const rule = 'After 3 halts at a milestone the plan goes back to 1 % and waits for a person.';
    expect(describeHalts(plan)).toBe(rule);
    expect(describeHalts({ ...plan, progress: { ...plan.progress, halts: 2 } })).toBe(`${rule} Halted here: 2.`);
  });

  it('are not said of a plan that never goes back, or that is at its last milestone', () => {
    expect(describeHalts({ ...plan, maxHalts: null })).toBeUndefined();
    expect(describeHalts({ ...plan, progress: { ...plan.progress, state: 'completed' } })).toBeUndefined();
  });

  it.each([
    [
      { stepDownMinutes: 5, restMinutes: 10 },
      'lasts at least 10 minutes, and goes one milestone further down after 5 minutes without effect',
    ],
    [{ stepDownMinutes: null, restMinutes: 60 }, 'lasts at least 1 hour'],
    [{ stepDownMinutes: 1, restMinutes: 0 }, 'goes one milestone further down after 1 minute without effect'],
  ])('have the patience %j', (patience, text) => {
    expect(describePatience({ ...plan, ...patience })).toBe(`A hold of automation at a milestone ${text}.`);
  });

  it('have no patience where the plan has none, or is at its last milestone', () => {
    expect(describePatience({ ...plan, stepDownMinutes: null, restMinutes: 0 })).toBeUndefined();
    const completed = { ...plan.progress, state: 'completed' } as const;
    expect(describePatience({ ...plan, stepDownMinutes: 5, restMinutes: 10, progress: completed })).toBeUndefined();
  });
});

describe('other gates of a milestone', () => {
  const milestones = ['10 %', '50 %', '100 %'].map((name) => ({ id: name, name, approvedAt: null }) as Milestone);
  const said = (
    id: string,
    condition: Milestone['transitionCondition'],
    progress: Parameters<typeof describeNewGates>[0]['progress'] = { state: 'running', elapsedMinutes: 0 },
    activeMilestoneId = '10 %',
    safeguards: readonly object[] = [],
  ) => describeNewGates({ milestones, activeMilestoneId, progress, safeguards }, id, condition);
  const anHour = { intervalMinutes: 60 };
  const open = '50 % starts when all of these gates are open.';

  it('are waited for, with the time that counts already', () => {
    expect(said('10 %', anHour)).toBe(open);
    const counted = `${open} Time counted at 10 %: 12 minutes.`;
    expect(said('10 %', anHour, { state: 'running', elapsedMinutes: 12 })).toBe(counted);
    expect(said('10 %', { intervalMinutes: 0 }, { state: 'running', elapsedMinutes: 12 })).toBe(counted);
  });

  it('let the next milestone start at once when their time is over, unless another gate or a pause stops it', () => {
    const over = { state: 'waiting', elapsedMinutes: 120 } as const;
    expect(said('10 %', anHour, over)).toBe('50 % starts at once. Time counted at 10 %: 2 hours.');
    const stopped = `${open} Time counted at 10 %: 2 hours, so the gate of its time is open.`;
    expect(said('10 %', anHour, { ...over, state: 'paused' })).toBe(stopped);
    expect(said('10 %', { ...anHour, evaluations: 5 }, over)).toBe(stopped);
  });

  it('that are shorter than a safeguard needs for a first value say so', () => {
    const guarded = (intervalMinutes: number) => said('10 %', { intervalMinutes }, undefined, undefined, [{}]);
    expect(guarded(1)).toBe(
      `${open} It also waits for a first value of each safeguard, which takes about ${firstValueMinutes} minutes.`,
    );
    expect(guarded(firstValueMinutes)).toBe(open);
    expect(said('50 %', { intervalMinutes: 1 }, undefined, undefined, [{}])).toMatch(/ takes about 2 minutes\.$/);
  });

  it('apply later to a milestone ahead, and to one that has ended meanwhile', () => {
    expect(said('50 %', anHour)).toBe('Once 50 % has started, 100 % starts when all of these gates are open.');
    const ended = '10 % has ended. The gates apply when it is started again.';
    expect(said('10 %', anHour, { state: 'running', elapsedMinutes: 0 }, '50 %')).toBe(ended);
  });

  it('that are removed leave the next milestone to a person', () => {
    expect(said('50 %', null)).toBe('Without gates, 50 % is served until a person starts 100 %.');
  });

  it('forget an approval that other people give', () => {
    const approved = { ...milestones[0], approvedAt: '2026-01-01', transitionCondition: { ...anHour, approval: {} } };
    const plan: Parameters<typeof describeNewGates>[0] = {
      milestones: [approved as unknown as Milestone, ...milestones.slice(1)],
      activeMilestoneId: '10 %',
      safeguards: [],
      progress: { state: 'gated', elapsedMinutes: 0 },
    };
    const byAction = { ...anHour, approval: { by: 'action' } } as const;
    expect(describeNewGates(plan, '10 %', byAction)).toBe(`${open} The approval of 10 % is forgotten.`);
  });
});
