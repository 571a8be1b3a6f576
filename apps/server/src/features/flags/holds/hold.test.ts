import { describe, expect, it } from 'vitest';
import { type HoldEffect, inForce } from './hold.ts';

const hold = (
  id: number,
  effect: HoldEffect['effect'],
  rollout: number | null = null,
  forEveryone = false,
): HoldEffect => ({
  id,
  effect,
  rollout,
  milestone: null,
  forEveryone,
});

describe('inForce', () => {
  it.each<[string, HoldEffect, HoldEffect[]]>([
    ['ranks off before a percentage of 0', hold(3, 'off'), [hold(1, 'on'), hold(2, 'rollout', 0)]],
    ['ranks a lower percentage before a higher one', hold(2, 'rollout', 9), [hold(1, 'rollout', 10), hold(3, 'on')]],
    ['ranks a percentage of 100 before on', hold(2, 'rollout', 100), [hold(1, 'on', null, true)]],
    [
      'ranks a hold for everyone before an equal hold that needs strategies',
      hold(2, 'on', null, true),
      [hold(1, 'on'), hold(3, 'on')],
    ],
    ['ranks off before a hold on for everyone', hold(2, 'off'), [hold(1, 'on', null, true)]],
    ['ranks a percentage before a milestone of the same', hold(2, 'rollout', 0), [hold(1, 'milestone', 0)]],
    ['ranks a milestone before a higher percentage', hold(2, 'milestone', 9), [hold(1, 'rollout', 10)]],
    ['ranks the older of two equal holds first', hold(1, 'rollout', 5), [hold(2, 'rollout', 5)]],
  ])('%s, in any input order', (_, first, others) => {
    expect(inForce([first, ...others])).toBe(first);
    expect(inForce([...others, first])).toBe(first);
  });

  it('returns undefined for no holds', () => expect(inForce([])).toBeUndefined());
});
