import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import { distributeWeights, type StrategyVariant } from './variant.ts';

const variant = (name: string, weight: number | 'rest'): StrategyVariant => ({
  name,
  stickiness: 'default',
  weight: weight === 'rest' ? 0 : weight,
  weightType: weight === 'rest' ? 'variable' : 'fix',
});

function weights(...given: (number | 'rest')[]): number[] {
  return distributeWeights(
    given.map((weight, index) => variant(`v${index}`, weight)),
    { kept: [] },
  ).map(({ weight }) => weight);
}

describe('weights of variants', () => {
  it('are equal for variable variants, of the weight that fixed variants leave', () => {
    expect(weights('rest')).toEqual([1000]);
    expect(weights('rest', 'rest', 'rest')).toEqual([334, 333, 333]);
    expect(weights(200, 'rest', 300, 'rest')).toEqual([200, 250, 300, 250]);
    expect(weights(1000, 'rest')).toEqual([1000, 0]);
    expect(weights()).toEqual([]);
  });

  it('sum to 1000 and keep fixed weights', () => {
    const weight = fc.oneof(fc.constant('rest' as const), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 30 }), (given) => {
        const fixed = given.reduce<number>((sum, value) => sum + (value === 'rest' ? 0 : value), 0);
        if (fixed > 1000 || !given.includes('rest')) {
          expect(() => weights(...given)).toThrow(Problem);
          return;
        }
        const shared = weights(...given);
        expect(shared.reduce((sum, value) => sum + value, 0)).toBe(1000);
        const parts = shared.filter((_, index) => given[index] === 'rest');
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
        expect(shared.filter((_, index) => given[index] !== 'rest')).toEqual(given.filter((value) => value !== 'rest'));
      }),
    );
  });
});

describe('variants', () => {
  const refusal = (...variants: StrategyVariant[]) => {
    try {
      distributeWeights(variants, { kept: [] });
    } catch (error) {
      return (error as Problem).details?.[0]?.path;
    }
    return undefined;
  };

  it('must have distinct names', () => {
    expect(refusal(variant('a', 'rest'), variant('b', 1), variant('a', 'rest'))).toBe('variants.2.name');
  });

  it('must have valid JSON in JSON payloads', () => {
    const withPayload = (type: 'json' | 'string', value: string) => ({
      ...variant('a', 'rest'),
      payload: { type, value },
    });
    expect(refusal(withPayload('json', '{"a":'))).toBe('variants.0.payload.value');
    expect(refusal(withPayload('json', '{"a":1}'))).toBeUndefined();
    expect(refusal(withPayload('string', '{"a":'))).toBeUndefined();
  });
});
