import { describe, expect, it } from 'vitest';
import type { Flag } from '../flags/flag-queries.ts';
import { ofFlag } from './before.ts';

const strategy = { id: 'a', name: 'flexibleRollout', title: null, sortOrder: 1, parameters: { rollout: '10' } };
const other = { id: 'b', name: 'default', title: 'Everyone', sortOrder: 2, parameters: {} };
const flag = {
  environments: [{ name: 'production', enabled: false, strategies: [strategy, other], variants: [] }],
} as unknown as Flag;

describe('what a change request would change', () => {
  it('is told against the flag as it is now', () => {
    expect(ofFlag({ action: 'updateEnabled', payload: { enabled: true } }, flag, 'production')).toEqual({
      before: { enabled: false },
      after: { enabled: true },
    });
    const asked = { id: 'a', parameters: { rollout: '50' } };
    expect(ofFlag({ action: 'updateStrategy', payload: asked }, flag, 'production')).toEqual({
      before: { parameters: { rollout: '10' } },
      after: { parameters: { rollout: '50' } },
    });
  });

  it('names strategies in their order as people know them', () => {
    const places = [
      { id: 'a', sortOrder: 2 },
      { id: 'b', sortOrder: 1 },
    ];
    expect(ofFlag({ action: 'reorderStrategy', payload: places }, flag, 'production')).toEqual({
      before: { order: ['flexibleRollout', 'Everyone'] },
      after: { order: ['Everyone', 'flexibleRollout'] },
    });
  });

  it('is what was asked for alone where there is nothing to compare it with', () => {
    const change = { action: 'addStrategy', payload: { name: 'default' } };
    expect(ofFlag(change, undefined, 'production')).toEqual({ before: null, after: { name: 'default' } });
    expect(ofFlag({ action: 'archiveFeature', payload: null }, flag, 'production')).toEqual({
      before: null,
      after: null,
    });
  });
});
