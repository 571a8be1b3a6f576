import { describe, expect, it } from 'vitest';
import { type ComparedState, compareFlagChange, replacedState, withPlanNames } from './compare-change.ts';

const strategy = { id: 'a', name: 'flexibleRollout', title: null, sortOrder: 1, parameters: { rollout: '10' } };
const other = { id: 'b', name: 'default', title: 'Everyone', sortOrder: 2, parameters: {} };
const now = { enabled: false, strategies: [strategy, other], variants: [] } as unknown as ComparedState;

describe('ofFlag() for an open change request', () => {
  it('compares with the current flag', () => {
    expect(compareFlagChange({ action: 'updateEnabled', payload: { enabled: true } }, now)).toEqual({
      before: { enabled: false },
      after: { enabled: true },
    });
    const requested = { id: 'a', parameters: { rollout: '50' } };
    expect(compareFlagChange({ action: 'updateStrategy', payload: requested }, now)).toEqual({
      before: { parameters: { rollout: '10' } },
      after: { parameters: { rollout: '50' } },
    });
  });

  it('lists strategies in order by title or name', () => {
    const places = [
      { id: 'a', sortOrder: 2 },
      { id: 'b', sortOrder: 1 },
    ];
    expect(compareFlagChange({ action: 'reorderStrategy', payload: places }, now)).toEqual({
      before: { order: ['flexibleRollout', 'Everyone'] },
      after: { order: ['Everyone', 'flexibleRollout'] },
    });
  });

  it('has no old value when the current state is unknown', () => {
    const change = { action: 'addStrategy', payload: { name: 'default' } };
    expect(compareFlagChange(change, undefined)).toEqual({ before: null, after: { name: 'default' } });
    expect(compareFlagChange({ action: 'archiveFeature', payload: null }, now)).toEqual({
      before: null,
      after: null,
    });
  });
});

describe('ofFlag() for an applied change request', () => {
  const compare = (change: { readonly action: string; readonly payload: unknown; readonly before?: unknown }) =>
    compareFlagChange(change, replacedState(change, now));

  it('compares with the replaced state', () => {
    expect(compare({ action: 'updateEnabled', payload: { enabled: true }, before: { enabled: false } })).toEqual({
      before: { enabled: false },
      after: { enabled: true },
    });
    const payload = { id: 'a', parameters: { rollout: '50' } };
    expect(
      compare({ action: 'updateStrategy', payload, before: { ...strategy, parameters: { rollout: '5' } } }),
    ).toEqual({
      before: { parameters: { rollout: '5' } },
      after: { parameters: { rollout: '50' } },
    });
    const dependency = { feature: 'parent', enabled: true };
    expect(compare({ action: 'deleteDependency', payload: null, before: dependency })).toEqual({
      before: dependency,
      after: null,
    });
  });

  it('lists deleted strategies by id', () => {
    const payload = [
      { id: 'a', sortOrder: 2 },
      { id: 'gone', sortOrder: 1 },
    ];
    expect(compare({ action: 'reorderStrategy', payload, before: ['a', 'gone'] })).toEqual({
      before: { order: ['flexibleRollout', 'gone'] },
      after: { order: ['gone', 'flexibleRollout'] },
    });
  });

  it('has no old value when the replaced state is unknown', () => {
    expect(compare({ action: 'updateEnabled', payload: { enabled: true } })).toEqual({
      before: null,
      after: { enabled: true },
    });
  });
});

describe('withPlanNames()', () => {
  const milestones = [
    { id: 'm1', name: 'Pilot' },
    { id: 'm2', name: 'Everyone' },
  ];
  const plan = { id: 'p', name: 'Slowly', milestones } as unknown as NonNullable<Parameters<typeof withPlanNames>[1]>;

  it('names the plan and its milestones, and keeps all other fields', () => {
    expect(withPlanNames({ planId: 'p', milestoneId: 'm2' }, plan)).toEqual({ plan: 'Slowly', milestone: 'Everyone' });
    const progression = { sourceMilestone: 'm1', transitionCondition: { intervalMinutes: 5 } };
    expect(withPlanNames(progression, plan)).toEqual({
      afterMilestone: 'Pilot',
      transitionCondition: { intervalMinutes: 5 },
    });
    expect(withPlanNames({ enabled: true }, plan)).toEqual({ enabled: true });
  });

  it('keeps ids that the plan does not have, and all of them without a plan', () => {
    expect(withPlanNames({ planId: 'old', milestoneId: 'm9' }, plan)).toEqual({ plan: 'old', milestone: 'm9' });
    expect(withPlanNames({ planId: 'p' }, null)).toEqual({ planId: 'p' });
    expect(withPlanNames(null, plan)).toBeNull();
  });
});
