import { describe, expect, it } from 'vitest';
import type { MilestoneEffect } from '../../entities/release-plans/plan-queries.ts';
import { formatDateMinute } from '../../ui/dates.ts';
import { describeEffect } from './effect-words.ts';

const counts = { lost: 0, changedVariant: 0, variants: [], missingFields: [] };
const effect: MilestoneEffect = {
  ...{ ...counts, sampled: true, contexts: 1000, before: 104, after: 497, gained: 393 },
  examples: { gained: [], lost: [], changedVariant: [] },
  seen: null,
};
const seen = { ...counts, contexts: 312, before: 1, after: 160, gained: 159, since: '2026-11-27T09:12:00.000Z' };

const running = { progress: { state: 'running' } } as const;
const held = { progress: { state: 'held' } } as const;

describe('the effect of a milestone in words', () => {
  it('says how many users get the flag now, and would', () => {
    expect(describeEffect(effect, running)).toEqual({
      counts: ['Of 1,000 sampled users, 104 get the flag now, and 497 would. Nobody loses it.'],
      notes: [],
    });
  });

  it('says how many lose it or get another variant', () => {
    const variants = [{ name: 'red', before: 104, after: 50 }];
    expect(describeEffect({ ...effect, lost: 12, changedVariant: 3, variants }, running).counts).toEqual([
      'Of 1,000 sampled users, 104 get the flag now, and 497 would. 12 of those who get it now lose it, and 3 get another variant. Variants: red 104 now, then 50.',
    ]);
  });

  it('says it of the contexts that clients sent, and since when', () => {
    const since = formatDateMinute(seen.since);
    expect(describeEffect({ ...effect, seen }, running).counts).toEqual([
      'Of 1,000 sampled users, 104 get the flag now, and 497 would. Nobody loses it.',
      `Of 312 contexts that clients sent since ${since}, 1 gets the flag now, and 160 would. Nobody loses it.`,
    ]);
    expect(describeEffect({ ...effect, seen: { ...seen, contexts: 1 } }, running).counts[1]).toMatch(
      /^Of 1 context that clients sent since /,
    );
  });

  it('says what the sample and the contexts cannot show', () => {
    const missing = { ...effect, missingFields: ['country', 'plan'], seen: { ...seen, missingFields: ['plan'] } };
    expect(describeEffect(missing, held).notes).toEqual([
      'Counted as if the flag were on and not held.',
      'The sample cannot show the effect of rules that compare country, plan.',
      'The contexts that clients sent cannot show the effect of rules that compare plan.',
    ]);
  });
});
