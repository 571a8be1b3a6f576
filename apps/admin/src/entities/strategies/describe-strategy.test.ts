import { describe, expect, it } from 'vitest';
import { describeStrategy } from './describe-strategy.ts';

const country = {
  contextName: 'country',
  operator: 'IN',
  values: ['NL', 'BE'],
  inverted: false,
  caseInsensitive: false,
};

describe('strategyInWords()', () => {
  it.each([
    [{ name: 'default' }, 'Everyone'],
    [{ name: 'flexibleRollout', parameters: { rollout: '100' } }, 'Everyone'],
    [{ name: 'flexibleRollout', parameters: { rollout: '0' } }, 'No users'],
    [{ name: 'flexibleRollout', parameters: { rollout: '20', stickiness: 'tenant' } }, '20 % of users by tenant'],
    [{ name: 'userWithId', parameters: { userIds: 'anna, bert,' } }, 'Users anna, bert'],
    [{ name: 'remoteAddress', parameters: {} }, 'Users at the addresses (none yet)'],
    [{ name: 'tenure', parameters: { years: '3', plans: 'gold' } }, 'As the SDK decides by years 3, plans gold'],
  ])('%j: %s', (strategy, words) => {
    expect(describeStrategy(strategy)).toBe(words);
  });

  it('describes segments and constraints', () => {
    const parameters = { rollout: '50', stickiness: 'userId' };
    expect(describeStrategy({ name: 'flexibleRollout', parameters, segments: ['Beta'], constraints: [country] })).toBe(
      '50 % of users by userId, in the segment Beta, where country is one of NL, BE',
    );
  });
});
