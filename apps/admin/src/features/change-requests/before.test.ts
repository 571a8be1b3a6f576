import { describe, expect, it } from 'vitest';
import { type ComparedState, ofFlag, replacedState } from './before.ts';

const strategy = { id: 'a', name: 'flexibleRollout', title: null, sortOrder: 1, parameters: { rollout: '10' } };
const other = { id: 'b', name: 'default', title: 'Everyone', sortOrder: 2, parameters: {} };
const now = { enabled: false, strategies: [strategy, other], variants: [] } as unknown as ComparedState;

describe('what a change request would change', () => {
  it('is told against the flag as it is now', () => {
    expect(ofFlag({ action: 'updateEnabled', payload: { enabled: true } }, now)).toEqual({
      before: { enabled: false },
      after: { enabled: true },
    });
    const asked = { id: 'a', parameters: { rollout: '50' } };
    expect(ofFlag({ action: 'updateStrategy', payload: asked }, now)).toEqual({
      before: { parameters: { rollout: '10' } },
      after: { parameters: { rollout: '50' } },
    });
  });

  it('names strategies in their order as people know them', () => {
    const places = [
      { id: 'a', sortOrder: 2 },
      { id: 'b', sortOrder: 1 },
    ];
    expect(ofFlag({ action: 'reorderStrategy', payload: places }, now)).toEqual({
      before: { order: ['flexibleRollout', 'Everyone'] },
      after: { order: ['Everyone', 'flexibleRollout'] },
    });
  });

  it('is what was asked for alone where there is nothing to compare it with', () => {
    const change = { action: 'addStrategy', payload: { name: 'default' } };
    expect(ofFlag(change, undefined)).toEqual({ before: null, after: { name: 'default' } });
    expect(ofFlag({ action: 'archiveFeature', payload: null }, now)).toEqual({
      before: null,
      after: null,
    });
  });
});

describe('what an applied change request has changed', () => {
  const told = (change: { readonly action: string; readonly payload: unknown; readonly before?: unknown }) =>
    ofFlag(change, replacedState(change, now));

  it('is told against what it replaced, whatever the flag is now', () => {
    expect(told({ action: 'updateEnabled', payload: { enabled: true }, before: { enabled: false } })).toEqual({
      before: { enabled: false },
      after: { enabled: true },
    });
    const payload = { id: 'a', parameters: { rollout: '50' } };
    expect(told({ action: 'updateStrategy', payload, before: { ...strategy, parameters: { rollout: '5' } } })).toEqual({
      before: { parameters: { rollout: '5' } },
      after: { parameters: { rollout: '50' } },
    });
    const dependency = { feature: 'parent', enabled: true };
    expect(told({ action: 'deleteDependency', payload: null, before: dependency })).toEqual({
      before: dependency,
      after: null,
    });
  });

  it('names strategies that are gone by their ids', () => {
    const payload = [
      { id: 'a', sortOrder: 2 },
      { id: 'gone', sortOrder: 1 },
    ];
    expect(told({ action: 'reorderStrategy', payload, before: ['a', 'gone'] })).toEqual({
      before: { order: ['flexibleRollout', 'gone'] },
      after: { order: ['gone', 'flexibleRollout'] },
    });
  });

  it('is what was asked for alone where the old value is not known', () => {
    expect(told({ action: 'updateEnabled', payload: { enabled: true } })).toEqual({
      before: null,
      after: { enabled: true },
    });
  });
});
