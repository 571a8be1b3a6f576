import { fieldsIn, strategyFields } from '@yardarm/contract';
import type { StrategyVariant } from '#features/flags/variants/index.ts';
import type { Constraint } from '#features/platform/constraints/index.ts';
import type { Strategy } from './strategy.ts';

export function presentStrategy(strategy: Strategy) {
  return {
    id: strategy.id,
    featureName: strategy.featureName,
    ...fieldsIn(strategyFields, strategy),
    segments: [...strategy.segments],
    constraints: strategy.constraints.map(presentConstraint),
    variants: strategy.variants.map(presentVariant),
    parameters: { ...strategy.parameters },
  };
}

function presentConstraint(constraint: Constraint) {
  return { ...constraint, values: [...constraint.values] };
}

function presentVariant(variant: StrategyVariant) {
  return { ...variant };
}
