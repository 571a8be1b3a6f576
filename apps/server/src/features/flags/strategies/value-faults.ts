import { ipv6Networks, percentageProblem } from '@yardarm/evaluation';
import type { StrategyType } from '#features/flags/strategy-types/index.ts';
import { payloadProblem, type StrategyVariant } from '#features/flags/variants/index.ts';
import { type Constraint, faultOf } from '#features/platform/constraints/index.ts';
import type { Strategy } from './strategy.ts';

/**
 * Returns what SDKs read differently, each with its path: values of earlier versions that a new strategy cannot have,
 * and IPv6 networks, which it can (ADR 98).
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
  const networks = definition?.name === 'remoteAddress' ? ipv6Networks(parameters['IPs']) : [];
  return [
    ...percentages,
    ...networks.map((network) => `parameters.IPs has ${network}, in which the SDK for Node finds no address`),
    ...constraintFaults(constraints),
    ...payloadFaults(variants),
  ];
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
