import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newVariant, variantBodies, variantProblems } from './draft.ts';
import { distributeWeights, percent } from './weights.ts';

const variable = { weightType: 'variable', weight: 0 } as const;

describe('weights of variants', () => {
  it('add up to 1000 when a variant is variable and fixed weights leave a rest', () => {
    const fixed = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 10 });
    fc.assert(
      fc.property(fixed, fc.integer({ min: 1, max: 40 }), (weights, others) => {
        const all = [
          ...weights.map((weight) => ({ weightType: 'fix' as const, weight })),
          ...Array.from({ length: others }, () => variable),
        ];
        const shared = distributeWeights(all);
        expect(shared.reduce((sum, { weight }) => sum + weight, 0)).toBe(1000);
        const free = shared.slice(weights.length).map(({ weight }) => weight);
        expect(Math.max(...free) - Math.min(...free)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('are shown in percent', () => {
    expect(distributeWeights([variable, variable, variable]).map(({ weight }) => percent(weight))).toEqual([
      '33.4 %',
      '33.3 %',
      '33.3 %',
    ]);
  });
});

describe('drafts of variants', () => {
  const named = (name: string, more: object = {}) => ({ ...newVariant(), name, ...more });

  it('need unique names and one variable weight', () => {
    expect(variantProblems([named('a'), named('a ')])).toEqual({ 'variants.1.name': 'Another variant has this name.' });
    expect(Object.keys(variantProblems([named('a', { weightType: 'fix', weight: 1000 })]))).toEqual(['variants']);
    expect(variantProblems([named('a', { weightType: 'fix', weight: 1001 }), named('b')]).variants).toContain(
      '100.1 %',
    );
  });

  it('need a payload of their type', () => {
    expect(variantProblems([named('a', { payloadType: 'json', payload: '{' })])).toHaveProperty([
      'variants.0.payload.value',
    ]);
    expect(variantProblems([named('a', { payloadType: 'json', payload: '{"b":1}' })])).toEqual({});
    expect(variantBodies([named('a', { payloadType: 'csv', payload: '1,2' })], 'userId')).toEqual([
      { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'userId', payload: { type: 'csv', value: '1,2' } },
    ]);
  });
});
