import { percentageProblem } from '@yardarm/evaluation';
import { type Constraint, faultOf } from '../../constraints/index.ts';
import type { StrategyType } from '../../strategy-types/index.ts';
import { payloadProblem, type StrategyVariant } from '../variants/index.ts';
import type { Strategy } from './strategy.ts';

/**
 * Returns what a new strategy could not have, each with its path: values of earlier versions that SDKs read differently
 * (ADR 98).
 */
export function strategyFaults(
  { parameters, constraints, variants }: Pick<Strategy, 'parameters' | 'constraints' | 'variants'>,
  definition: StrategyType | undefined,
): string[] {
  const percentages = (definition?.parameters ?? []).flatMap(({ name, type }) => {
    const value = parameters[name];
    const problem = value === undefined || type !== 'percentage' ? undefined : percentageProblem(value);
    return problem === undefined ? [] : [`parameters.${name} ${problem}`];
  });
  return [...percentages, ...constraintFaults(constraints), ...payloadFaults(variants)];
}

/** Returns what new constraints could not have, and those that read blank text as the number 0. */
export function constraintFaults(constraints: readonly Constraint[]): string[] {
  return constraints.flatMap((constraint, index) => {
    const fault = faultOf(constraint);
    const loose = constraint.looseNumber === true ? [`constraints.${index} reads blank text as the number 0`] : [];
    return [...(fault === undefined ? [] : [`constraints.${index}.${fault.path} ${fault.message}`]), ...loose];
  });
}

/** Returns the payloads of variants that are not of their type. */
export function payloadFaults(variants: readonly StrategyVariant[]): string[] {
  return variants.flatMap(({ name, payload }) => {
    const problem = payload && payloadProblem(payload);
    return problem === undefined ? [] : [`the payload of the variant ${name} ${problem}`];
  });
}
