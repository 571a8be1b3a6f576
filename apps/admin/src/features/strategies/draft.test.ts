import { describe, expect, it } from 'vitest';
import { strategyBodyOf, strategyDraftOf } from './draft.ts';

const variant = { name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'sessionId' } as const;
const strategy = {
  ...{ name: 'flexibleRollout', title: null, disabled: false, segments: [], constraints: [] },
  ...{ parameters: { rollout: '50', stickiness: 'userId', groupId: 'shop' }, variants: [variant] },
};

describe('the draft of a strategy', () => {
  it('keeps the stickiness of the variants, which decides who gets which variant', () => {
    const draft = strategyDraftOf(strategy);
    expect(strategyBodyOf({ ...draft, title: 'Half of the users' }, undefined).variants).toEqual([variant]);
  });

  it('gives variants the stickiness of the strategy where they had it before', () => {
    const draft = strategyDraftOf({ ...strategy, variants: [{ ...variant, stickiness: 'userId' }] });
    const parameters = { ...draft.parameters, stickiness: 'random' };
    expect(strategyBodyOf({ ...draft, parameters }, undefined).variants).toMatchObject([{ stickiness: 'random' }]);
  });
});
