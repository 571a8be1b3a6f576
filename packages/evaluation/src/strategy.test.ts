import { describe, expect, it } from 'vitest';
import { type EvaluationContext, readyContext } from './context.ts';
import type { Feature } from './document.ts';
import { compileDocument } from './flag-set.ts';

function evaluate(feature: Partial<Feature>, context: EvaluationContext = {}, random = () => 0) {
  const set = compileDocument({ features: [{ name: 'f', enabled: true, ...feature }] });
  const flag = set.get('f');
  if (flag === undefined) throw new Error('the flag is gone');
  return set.evaluate(flag, readyContext(context, { now: 0, random, hostname: 'Here' }));
}

const isOn = (name: string, parameters: Record<string, string>, context: EvaluationContext = {}, random = () => 0) =>
  evaluate({ strategies: [{ name, parameters }] }, context, random).enabled;

describe('a flag', () => {
  it('without a list of strategies is on when it is enabled', () => {
    expect(evaluate({})).toEqual({ enabled: true, variant: { name: 'disabled', enabled: false } });
    expect(evaluate({ enabled: false }).enabled).toBe(false);
  });

  it('gives a variant without payload where the definition has none', () => {
    const variants = [{ name: 'blue', weight: 1 }];
    expect(evaluate({ variants }).variant).toEqual({ name: 'blue', enabled: true });
  });
});

describe('a strategy', () => {
  it('of hosts is on for the hosts of its list, whatever their case, and for none without a list', () => {
    expect(isOn('applicationHostname', { hostNames: 'there,HERE' })).toBe(true);
    expect(isOn('applicationHostname', { hostNames: 'there' })).toBe(false);
    expect(isOn('applicationHostname', { hostNames: '' })).toBe(false);
    expect(isOn('applicationHostname', {})).toBe(false);
  });

  it('of a rollout without stickiness goes by the user, then the session, then chance', () => {
    const rollout = { rollout: '50', groupId: 'g' };
    const sticky = { ...rollout, stickiness: 'userId' };
    const ids = Array.from({ length: 50 }, (_, index) => `user${index}`);
    const byUser = ids.map((userId) => isOn('flexibleRollout', rollout, { userId, sessionId: 's' }));
    expect(byUser).toEqual(ids.map((userId) => isOn('flexibleRollout', sticky, { userId })));
    expect(byUser).toEqual(ids.map((sessionId) => isOn('flexibleRollout', rollout, { sessionId })));
    expect(new Set(byUser)).toEqual(new Set([true, false]));
    const byChance = ids.map((_, index) => isOn('flexibleRollout', rollout, {}, () => index / 50));
    expect(new Set(byChance)).toEqual(new Set([true, false]));
  });

  it('of a rollout without a group goes by the name of the flag', () => {
    const ids = Array.from({ length: 50 }, (_, index) => `user${index}`);
    const named = ids.map((userId) => isOn('flexibleRollout', { rollout: '50', groupId: 'f' }, { userId }));
    expect(ids.map((userId) => isOn('flexibleRollout', { rollout: '50' }, { userId }))).toEqual(named);
  });

  it.each(['gradualRolloutUserId', 'gradualRolloutSessionId'])('%s without a group has the empty group', (name) => {
    const contexts = Array.from({ length: 50 }, (_, index) => ({ userId: `id${index}`, sessionId: `id${index}` }));
    const inGroup = (more: object) => contexts.map((one) => isOn(name, { percentage: '50', ...more }, one));
    expect(inGroup({})).toEqual(inGroup({ groupId: '' }));
    expect(inGroup({})).not.toEqual(inGroup({ groupId: 'g' }));
  });
});
