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

  it.each([true, false, undefined])('has impression data only when it says so: %o', (impressionData) => {
    const set = compileDocument({ features: [{ name: 'f', enabled: true, impressionData }] });
    expect(set.get('f')?.impressionData).toBe(impressionData === true);
  });

  it('has payloads when any variant, its own or of a strategy, has one', () => {
    const bare = { name: 'bare', weight: 1 };
    const full = { name: 'full', weight: 1, payload: { type: 'string', value: '' } };
    const hasPayloads = (feature: Partial<Feature>) =>
      compileDocument({ features: [{ name: 'f', enabled: true, ...feature }] }).get('f')?.hasPayloads;
    expect(hasPayloads({ variants: [bare, full] })).toBe(true);
    expect(hasPayloads({ variants: [bare], strategies: [{ name: 'default', variants: [bare, full] }] })).toBe(true);
    expect(hasPayloads({ variants: [bare], strategies: [{ name: 'default', variants: [bare] }] })).toBe(false);
    expect(hasPayloads({})).toBe(false);
  });

  it('selects variants at random for contexts without a user', () => {
    const variants = [
      { name: 'blue', weight: 500 },
      { name: 'red', weight: 500 },
    ];
    const names = Array.from({ length: 50 }, (_, at) => evaluate({ variants }, {}, () => at / 50).variant.name);
    expect(new Set(names)).toEqual(new Set(['blue', 'red']));
  });

  it('never gives a variant of weight 0', () => {
    const variants = [
      { name: 'none', weight: 0 },
      { name: 'all', weight: 1 },
      { name: 'negative', weight: -5 },
    ];
    const names = Array.from({ length: 50 }, (_, at) => evaluate({ variants }, { userId: `${at}` }).variant.name);
    expect(new Set(names)).toEqual(new Set(['all']));
  });

  it('gives a variant without payload where the definition has none', () => {
    const variants = [{ name: 'blue', weight: 1 }];
    expect(evaluate({ variants }).variant).toStrictEqual({ name: 'blue', enabled: true });
    const withNull = JSON.parse('[{ "name": "blue", "weight": 1, "payload": null }]');
    expect(evaluate({ variants: withNull }).variant).toStrictEqual({ name: 'blue', enabled: true });
  });
});

describe('a strategy', () => {
  it('of hosts is on for the hosts of its list in any case, and for none without a list', () => {
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
    const inGroup = (more: object) => contexts.map((context) => isOn(name, { percentage: '50', ...more }, context));
    expect(inGroup({})).toEqual(inGroup({ groupId: '' }));
    expect(inGroup({})).not.toEqual(inGroup({ groupId: 'g' }));
  });

  it('of a full rollout is on for every id, and of an empty rollout for none', () => {
    for (const name of ['flexibleRollout', 'gradualRolloutUserId'])
      for (let at = 0; at < 500; at++) {
        const context = { userId: `user${at}` };
        expect(isOn(name, { rollout: '100', percentage: '100' }, context)).toBe(true);
        expect(isOn(name, { rollout: '0', percentage: '0' }, context)).toBe(false);
      }
  });

  it('of a rollout is off for an id that is missing or empty', () => {
    const byPlan = { rollout: '100', stickiness: 'plan' };
    expect(isOn('flexibleRollout', byPlan, { properties: { plan: 'pro' } })).toBe(true);
    expect(isOn('flexibleRollout', byPlan, { properties: { plan: '' } })).toBe(false);
    expect(isOn('flexibleRollout', byPlan)).toBe(false);
    expect(isOn('gradualRolloutUserId', { percentage: '100' }, { userId: '' })).toBe(false);
    expect(isOn('gradualRolloutUserId', { percentage: '100' })).toBe(false);
  });

  it('of a rollout by chance is on for that share of draws', () => {
    const draws = Array.from({ length: 100 }, (_, at) => at / 100);
    const share = (percentage: string) =>
      draws.filter((draw) => isOn('gradualRolloutRandom', { percentage }, {}, () => draw)).length;
    expect(['0', '1', '30', '100'].map(share)).toEqual([0, 1, 30, 100]);
  });

  it('of users is on for those of its list, never for an empty id or a property of that name', () => {
    const list = { userIds: 'ann, bob,,' };
    expect(isOn('userWithId', list, { userId: 'bob' })).toBe(true);
    expect(isOn('userWithId', list, { userId: 'eve' })).toBe(false);
    expect(isOn('userWithId', list, { userId: '' })).toBe(false);
    expect(isOn('userWithId', list, { properties: { userId: 'bob' } })).toBe(false);
    expect(isOn('userWithId', {}, { userId: 'bob' })).toBe(false);
  });

  it('of addresses is on inside any network of its list, and for any other text that is in it', () => {
    const at = (remoteAddress: string | undefined, IPs = '10.0.0.0/8, 192.0.2.0/24, proxy-1, 2001:db8::/32') =>
      isOn('remoteAddress', { IPs }, { remoteAddress });
    const inside = ['10.9.8.7', '192.0.2.7', '::ffff:10.9.8.7', 'proxy-1', '2001:db8::/32', '2001:DB8:0::1'];
    expect(inside.map((text) => at(text))).toEqual(inside.map(() => true));
    const outside = ['11.9.8.7', 'proxy-2', '2001:db9::1', '', undefined];
    expect(outside.map((text) => at(text))).toEqual(outside.map(() => false));
    expect([at('::1', '::/0'), at('10.0.0.1', '::/0'), at('::1', 'l127, ::1'), at('::1', '0:0::1')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect([at('proxy-1', 'proxy-1'), at('10.0.0.1', 'proxy-1'), at('10.0.0.1', '')]).toEqual([true, false, false]);
  });
});
