import { describe, expect, it } from 'vitest';
import { watchesOf } from './watches.ts';

const place = { projectId: 'default', featureName: 'checkout', environment: 'production' };

function set(executionParams: object, more: object = {}) {
  const params = { featureName: 'checkout', environment: 'production', ...executionParams };
  return {
    ...{ id: 1, name: 'Errors', enabled: true, shadow: false, ...more },
    actions: [{ action: 'HOLD_FEATURE', executionParams: params }],
  };
}

const effectsOf = (...executionParams: readonly object[]) =>
  watchesOf(
    executionParams.map((params) => set(params)),
    place,
  ).map(({ effect }) => effect);

describe('watchesOf', () => {
  it('says how each set holds the flag', () => {
    const held = [{ effect: 'off' }, { effect: 'rollout', rollout: '5' }, { effect: 'milestone' }];
    const named = ['first', 'Staff'].map((milestone) => ({ effect: 'milestone', milestone }));
    expect(effectsOf(...held, ...named)).toEqual([
      'off',
      'at 5 %',
      'at the milestone before',
      'at the first milestone',
      'at the milestone Staff',
    ]);
  });

  it('has sets that take the flag or the environment from the signal, and no set for other flags', () => {
    expect(effectsOf({ featureName: '{{flag}}', effect: 'off' }, { environment: '{{env}}', effect: 'on' })).toEqual([
      'off',
      'on',
    ]);
    expect(effectsOf({ featureName: 'search' }, { environment: 'development' })).toEqual([]);
  });

  it('says why a set does not act', () => {
    const sets = [set({}, { enabled: false, shadow: true }), set({}, { shadow: true }), set({})];
    expect(watchesOf(sets, place).map(({ inactive }) => inactive)).toEqual(['disabled', 'in shadow mode', null]);
  });
});
