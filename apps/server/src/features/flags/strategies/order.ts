import { isDeepStrictEqual } from 'node:util';
import type { Strategy } from './strategy.ts';

/** The fields of a strategy that decide which variant its callers get. */
type Varying = { readonly [K in 'disabled' | 'parameters' | 'variants']?: Strategy[K] | undefined };

/**
 * Returns whether the order of strategies can change an answer. A flag is on when any of them holds, so it cannot, unless
 * they differ in variants: the first one that holds decides about these (docs/spec#flag-evaluation).
 */
export function orderDecides(strategies: readonly Varying[]): boolean {
  const active = strategies.filter(({ disabled }) => disabled !== true);
  if (!active.some(({ variants = [] }) => variants.length > 0)) return false;
  const [first, ...others] = active.map(({ variants = [], parameters }) => [variants, parameters?.['groupId']]);
  return others.some((one) => !isDeepStrictEqual(one, first));
}
