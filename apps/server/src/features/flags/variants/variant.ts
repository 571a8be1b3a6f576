import { badField } from '../../../kernel/errors.ts';

/** One of the answers a strategy gives, with its share of users in thousandths. */
export interface StrategyVariant {
  readonly name: string;
  readonly weight: number;
  readonly weightType: 'variable' | 'fix';
  readonly stickiness: string;
  readonly payload?: { readonly type: 'json' | 'csv' | 'string' | 'number'; readonly value: string } | undefined;
}

/** A variant of a flag itself, for those whom no variant of a strategy was given. */
export interface FlagVariant extends StrategyVariant {
  /** Who gets it whatever the hash says: whose field of the context is one of the values. */
  readonly overrides?: readonly { readonly contextName: string; readonly values: readonly string[] }[] | undefined;
}

const whole = 1000;

/**
 * Checks variants of a strategy or a flag and gives those of variable weight equal parts of what fixed ones leave, so
 * that the weights make 1000 (docs/spec#variant-weights). 400 when they cannot: a name twice, more than 1000 fixed, no
 * variable one, JSON that is none. `field` is what the list is called in the request; empty when it is the request.
 */
export function distributeWeights<V extends StrategyVariant>(variants: readonly V[], field = 'variants'): V[] {
  if (variants.length === 0) return [];
  const prefix = field === '' ? '' : `${field}.`;
  checkNames(variants, prefix);
  checkPayloads(variants, prefix);
  const fixed = variants.reduce((sum, one) => sum + (one.weightType === 'fix' ? one.weight : 0), 0);
  if (fixed > whole) throw badField('variants', `must have fixed weights of at most ${whole} together, not ${fixed}`);
  const shares = variants.filter(({ weightType }) => weightType === 'variable').length;
  if (shares === 0) throw badField('variants', 'must hold at least one of the weight type variable');
  const left = whole - fixed;
  let larger = left % shares;
  return variants.map((variant) =>
    variant.weightType === 'fix' ? variant : { ...variant, weight: Math.floor(left / shares) + (larger-- > 0 ? 1 : 0) },
  );
}

function checkNames(variants: readonly StrategyVariant[], prefix: string): void {
  const names = new Set<string>();
  for (const [index, { name }] of variants.entries()) {
    if (names.has(name)) throw badField(`${prefix}${index}.name`, 'must not be the name of another variant');
    names.add(name);
  }
}

function checkPayloads(variants: readonly StrategyVariant[], prefix: string): void {
  for (const [index, { payload }] of variants.entries()) {
    if (payload?.type === 'json' && !isJson(payload.value)) {
      throw badField(`${prefix}${index}.payload.value`, 'must be valid JSON');
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
