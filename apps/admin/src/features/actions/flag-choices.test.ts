import { describe, expect, it } from 'vitest';
import type { Flag } from '../../entities/flags/flag-queries.ts';
import { choicesOf } from './flag-choices.ts';

const strategy = {
  id: 'b6a1',
  name: 'flexibleRollout',
  title: 'Pilot',
  parameters: { rollout: '20', stickiness: 'default' },
  constraints: [],
  segments: [7],
  variants: [{ name: 'blue' }, { name: 'green' }],
};
const environments = [
  { name: 'development', strategies: [], variants: [{ name: 'blue' }] },
  { name: 'production', strategies: [strategy, { ...strategy, id: 'c7d2', title: null, segments: [] }], variants: [] },
] as unknown as Flag['environments'];

describe('choicesOf()', () => {
  it('describes the strategies of the environment and lists their variants', () => {
    expect(choicesOf({ environments }, 'production', [{ id: 7, name: 'Beta' }])).toEqual({
      strategyId: [
        { value: 'b6a1', words: 'Pilot: 20 % of users, in the segment Beta' },
        { value: 'c7d2', words: '20 % of users' },
      ],
      variant: [
        { value: 'blue', words: 'blue' },
        { value: 'green', words: 'green' },
      ],
    });
  });

  it('is empty in an environment that the flag is not in', () => {
    expect(choicesOf({ environments }, 'staging', [])).toEqual({ strategyId: [], variant: [] });
    expect(choicesOf({ environments }, 'development', []).variant).toEqual([{ value: 'blue', words: 'blue' }]);
  });
});
