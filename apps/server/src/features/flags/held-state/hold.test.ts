import { describe, expect, it } from 'vitest';
import { type HeldMilestone, type HoldEffect, inForce, shareOf, stateOf } from './hold.ts';

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

describe('shareOf', () => {
  const strategy = (more: object): HeldMilestone['strategies'][number] =>
    ({ disabled: false, name: 'default', parameters: {}, constraints: [], segments: [], ...more }) as never;
  const gradual = (rollout: string, more: object = {}) =>
    strategy({ name: 'flexibleRollout', parameters: { rollout }, ...more });

  it.each([
    ['is 100 for a default strategy', [strategy({})], 100],
    ['is the highest of several percentages', [gradual('20'), gradual('70')], 70],
    ['leaves out disabled strategies', [gradual('20'), gradual('70', { disabled: true })], 20],
    ['leaves out strategies with segments', [gradual('20'), gradual('70', { segments: [1] })], 20],
    ['counts a list of users as 0', [strategy({ name: 'userWithId', parameters: { userIds: 'a' } })], 0],
    ['is 0 without strategies', [], 0],
  ])('%s', (_, strategies, share) => expect(shareOf(strategies)).toBe(share));
});

describe('stateOf', () => {
  it.each<[Parameters<typeof stateOf>[0], string]>([
    [{ effect: 'off', rollout: null }, 'off'],
    [{ effect: 'on', rollout: null }, 'on'],
    [{ effect: 'rollout', rollout: 20 }, 'at 20 %'],
    [{ effect: 'milestone', rollout: 0, milestone: { name: 'Staff' } }, 'at the milestone Staff'],
    [{ effect: 'milestone', rollout: null, milestone: null }, 'at an earlier milestone'],
  ])('of %o is %s', (hold, text) => expect(stateOf(hold)).toBe(text));
});
