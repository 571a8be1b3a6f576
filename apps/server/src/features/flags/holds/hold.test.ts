import { describe, expect, it } from 'vitest';
import { type Hold, inForce } from './hold.ts';

const hold = (id: number, effect: Hold['effect'], rollout: number | null = null, forEveryone = false): Hold => ({
  id,
  effect,
  rollout,
  forEveryone,
});

describe('of several holds on a flag in an environment', () => {
  it.each<[string, Hold, Hold[]]>([
    ['off beats a percentage of 0', hold(3, 'off'), [hold(1, 'on'), hold(2, 'rollout', 0)]],
    ['a lower percentage beats a higher one', hold(2, 'rollout', 9), [hold(1, 'rollout', 10), hold(3, 'on')]],
    ['a percentage of 100 beats on', hold(2, 'rollout', 100), [hold(1, 'on', null, true)]],
    ['of two alike the one for everybody is in force', hold(2, 'on', null, true), [hold(1, 'on'), hold(3, 'on')]],
    ['what is for everybody beats nothing that lets fewer have the flag', hold(2, 'off'), [hold(1, 'on', null, true)]],
    ['of two that are the same the older one is in force', hold(1, 'rollout', 5), [hold(2, 'rollout', 5)]],
  ])('%s, in whatever order they come', (_, first, others) => {
    expect(inForce([first, ...others])).toBe(first);
    expect(inForce([...others, first])).toBe(first);
  });

  it('none is in force where there is none', () => expect(inForce([])).toBeUndefined());
});
