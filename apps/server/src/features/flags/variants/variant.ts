import type { StrategyVariantBody } from '@yardarm/contract';
import { numberProblem } from '@yardarm/evaluation';
import { badField } from '#kernel/errors.ts';
import { isSameJson } from '#kernel/same-json.ts';

/** One of several values that an enabled flag returns. Its weight is in thousandths. */
export type StrategyVariant = Readonly<StrategyVariantBody>;

/** A flag's own variant, used where no strategy determines the variant. */
export interface FlagVariant extends StrategyVariant {
  /** Context values that get this variant regardless of the hash. */
  readonly overrides?: readonly { readonly contextName: string; readonly values: readonly string[] }[] | undefined;
}

const totalWeight = 1000;

/**
 * Checks variants and distributes the weight that fixed variants leave equally to the variable ones, so that the sum is
 * 1000 (docs/spec#variant-weights). Rejects with 400 for a duplicate name, fixed weights above 1000, no variable
 * variant, or a payload that is not of its type. `field` is the path of the list in the request; empty when the list is
 * the whole body. Payloads of `kept`, the stored variants, may stay (ADR 98).
 */
export function distributeWeights<V extends StrategyVariant>(
  variants: readonly V[],
  { field = 'variants', kept }: { readonly field?: string; readonly kept: readonly StrategyVariant[] },
): V[] {
  if (variants.length === 0) return [];
  const prefix = field === '' ? '' : `${field}.`;
  checkNames(variants, prefix);
  checkPayloads(variants, kept, prefix);
  const fixed = variants.reduce((sum, variant) => sum + (variant.weightType === 'fix' ? variant.weight : 0), 0);
  if (fixed > totalWeight)
    throw badField('variants', `must have fixed weights with a sum of at most ${totalWeight}, not ${fixed}`);
  const variableCount = variants.filter(({ weightType }) => weightType === 'variable').length;
  if (variableCount === 0) throw badField('variants', 'must have at least one variant of the weight type variable');
  const remaining = totalWeight - fixed;
  let oneMore = remaining % variableCount;
  return variants.map((variant) =>
    variant.weightType === 'fix'
      ? variant
      : { ...variant, weight: Math.floor(remaining / variableCount) + (oneMore-- > 0 ? 1 : 0) },
  );
}

function checkNames(variants: readonly StrategyVariant[], prefix: string): void {
  const names = new Set<string>();
  for (const [index, { name }] of variants.entries()) {
    if (names.has(name)) throw badField(`${prefix}${index}.name`, 'must not be the name of another variant');
    names.add(name);
  }
}

function checkPayloads(variants: readonly StrategyVariant[], kept: readonly StrategyVariant[], prefix: string): void {
  for (const [index, { payload }] of variants.entries()) {
    const problem = payload && payloadProblem(payload);
    if (problem === undefined || kept.some((stored) => isSameJson(stored.payload, payload))) continue;
    throw badField(`${prefix}${index}.payload.value`, problem);
  }
}

/** Returns why a payload is not of its type: SDKs with typed values would answer an error or 0. */
export function payloadProblem({ type, value }: NonNullable<StrategyVariant['payload']>): string | undefined {
  if (type === 'json') return isJson(value) ? undefined : 'must be valid JSON';
  return type === 'number' ? numberProblem(value) : undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
