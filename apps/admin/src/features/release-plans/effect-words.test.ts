import { describe, expect, it } from 'vitest';
import { describeEffect } from './effect-words.ts';
import type { MilestoneEffect } from './plan-queries.ts';

const effect: MilestoneEffect = {
  sampled: true,
  contexts: 1000,
  before: 104,
  after: 497,
  gained: 393,
  lost: 0,
  changedVariant: 0,
  variants: [],
  examples: { gained: [], lost: [], changedVariant: [] },
  missingFields: [],
};

const running = { progress: { state: 'running' } } as const;

describe('the effect of a milestone in words', () => {
  it('says how many users get the flag now, and would', () => {
    expect(describeEffect(effect, running)).toEqual([
      'Of 1,000 sampled users, 104 get the flag now, and 497 would. Nobody loses it.',
    ]);
  });

  it('says how many lose it or get another variant', () => {
    const variants = [{ name: 'red', before: 104, after: 50 }];
    expect(describeEffect({ ...effect, lost: 12, changedVariant: 3, variants }, running)).toEqual([
      'Of 1,000 sampled users, 104 get the flag now, and 497 would. 12 of those who get it now lose it, and 3 get another variant.',
      'Variants: red 104 now, then 50.',
    ]);
  });

  it('says what the sample cannot show', () => {
    const [, ...rest] = describeEffect(
      { ...effect, missingFields: ['country', 'plan'] },
      { progress: { state: 'held' } },
    );
    expect(rest).toEqual([
      'Counted as if the flag were on and not held.',
      'The sample cannot show the effect of rules that compare country, plan.',
    ]);
  });
});
