import { isDeepStrictEqual } from 'node:util';
import type { Strategy } from './strategy.ts';

/** The fields of a strategy that determine the variant of a user. */
type VariantFields = { readonly [K in 'disabled' | 'parameters' | 'variants']?: Strategy[K] | undefined };

/**
 * Returns whether the order of strategies can affect an evaluation. A flag is on when any strategy matches, in any
 * order; only variants depend on the order, because the first matching strategy determines the variant
 * (docs/spec#flag-evaluation).
 */
export function orderAffectsVariants(strategies: readonly VariantFields[]): boolean {
  const active = strategies.filter(({ disabled }) => disabled !== true);
  if (!active.some(({ variants = [] }) => variants.length > 0)) return false;
  const [first, ...others] = active.map(({ variants = [], parameters }) => [variants, parameters?.['groupId']]);
  return others.some((variants) => !isDeepStrictEqual(variants, first));
}
