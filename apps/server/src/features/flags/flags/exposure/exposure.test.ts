import { describe, expect, it } from 'vitest';
import { type Exposure, exposure, type Need, type ServedState } from './exposure.ts';

/** Returns a strategy as SDKs receive it. */
function strategy(name: string, parameters: object = {}, more: object = {}) {
  return {
    ...{ id: name, title: null, disabled: false, name, segments: [] },
    ...{ parametersJson: JSON.stringify(parameters), constraintsJson: '[]', variantsJson: '[]' },
    ...more,
  };
}

const gradual = (rollout: number, more: object = {}) =>
  strategy('flexibleRollout', { rollout: String(rollout), stickiness: 'userId', groupId: 'g' }, more);
const users = (userIds: string) => strategy('userWithId', { userIds });
const onlyIn = (country: string) => [
  { contextName: 'country', operator: 'IN', values: [country], inverted: false, caseInsensitive: false },
];
const on = (...strategies: ServedState['strategies']): ServedState => ({
  enabled: true,
  strategies,
  variantsJson: '[]',
});
const off: ServedState = { ...on(gradual(50)), enabled: false };
const half = on(gradual(50));
const inFrance = gradual(50, { constraintsJson: JSON.stringify(onlyIn('fr')) });

describe('the exposure of a flag', () => {
  const changes: readonly (readonly [string, ServedState, ServedState, Exposure])[] = [
    ['off', half, off, 'lower'],
    ['on', off, half, 'higher'],
    ['off again', off, { ...off, strategies: [] }, 'equal'],
    ['nothing', half, on(gradual(50, { id: 'other', title: 'Other' })), 'equal'],
    ['a smaller percentage', half, on(gradual(10)), 'lower'],
    ['a larger percentage', half, on(gradual(51)), 'higher'],
    ['a percentage of 0', half, on(gradual(0)), 'lower'],
    ['from 0 %', on(gradual(0)), half, 'higher'],
    ['the last strategy removed', half, on(), 'higher'],
    ['the last strategy disabled', half, on(gradual(50, { disabled: true })), 'higher'],
    ['for everyone instead', half, on(strategy('default')), 'higher'],
    ['a strategy removed', on(gradual(50), users('1')), half, 'lower'],
    [
      'a strategy disabled',
      on(gradual(50), strategy('userWithId', { userIds: '1' }, { disabled: true })),
      half,
      'equal',
    ],
    ['a strategy added', half, on(gradual(50), users('1')), 'higher'],
    ['a constraint added', half, on(inFrance), 'lower'],
    ['a constraint removed', on(inFrance), half, 'higher'],
    ['a segment added', half, on(gradual(50, { segments: [7] })), 'lower'],
    ['a segment removed', on(gradual(50, { segments: [7] })), half, 'higher'],
    ['another segment', on(gradual(50, { segments: [7] })), on(gradual(50, { segments: [8] })), 'unknown'],
    ['another group', half, on(strategy('flexibleRollout', { rollout: '50', stickiness: 'userId' })), 'unknown'],
    ['a smaller percentage of another group', half, on(strategy('flexibleRollout', { rollout: '1' })), 'unknown'],
    ['other users', on(users('1')), on(users('2')), 'unknown'],
    ['users instead of a percentage', half, on(users('1')), 'unknown'],
    [
      'a smaller percentage, in other words',
      half,
      on(strategy('gradualRolloutUserId', { percentage: '10' })),
      'unknown',
    ],
    [
      'a smaller percentage with the parameters in another order',
      half,
      on(strategy('flexibleRollout', { groupId: 'g', rollout: '9', stickiness: 'userId' })),
      'lower',
    ],
    ['other variants', half, { ...half, variantsJson: '[{"name":"blue"}]' }, 'equal'],
  ];

  it.each(changes)('%s', (_, before, after, expected) => {
    expect(exposure(before, after)).toBe(expected);
  });
});

describe('the exposure of a flag with a child that needs', () => {
  const needs = (enabled: boolean, ...variants: string[]): Need => ({ enabled, variants });
  const withVariant = { ...half, variantsJson: '[{"name":"blue"}]' };
  const changes: readonly (readonly [string, readonly Need[], ServedState, ServedState, Exposure])[] = [
    ['it on, switched off', [needs(true)], half, off, 'lower'],
    ['it on, switched on', [needs(true)], off, half, 'higher'],
    // The flag itself is lowered, and its child raised.
    ['it off, switched off', [needs(false)], half, off, 'unknown'],
    ['it off, switched on', [needs(false)], off, half, 'unknown'],
    ['it off, unchanged', [needs(false)], half, half, 'equal'],
    ['it off, and one that needs it on', [needs(true), needs(false)], half, on(gradual(10)), 'unknown'],
    ['a variant, with other variants', [needs(true, 'blue')], half, withVariant, 'unknown'],
    [
      'a variant, switched off with other variants',
      [needs(true, 'blue')],
      half,
      { ...withVariant, enabled: false },
      'lower',
    ],
    ['any variant, with other variants', [needs(true)], half, withVariant, 'equal'],
  ];

  it.each(changes)('%s', (_, children, before, after, expected) => {
    expect(exposure(before, after, children)).toBe(expected);
  });
});
