import { badField } from '../../kernel/errors.ts';

/** One of the answers a strategy gives, with its share of users in thousandths. */
export interface StrategyVariant {
  readonly name: string;
  readonly weight: number;
  readonly weightType: 'variable' | 'fix';
  readonly stickiness: string;
  readonly payload?: { readonly type: 'json' | 'csv' | 'string' | 'number'; readonly value: string } | undefined;
}

const whole = 1000;

/**
 * Checks the variants of a strategy and gives those of variable weight equal parts of what fixed ones leave, so
 * that the weights make 1000 (unleash-facts 6.4). 400 when they cannot: a name twice, more than 1000 fixed, no
 * variable one, JSON that is none.
 */
export function distributeWeights(variants: readonly StrategyVariant[]): StrategyVariant[] {
  if (variants.length === 0) return [];
  checkNames(variants);
  checkPayloads(variants);
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

function checkNames(variants: readonly StrategyVariant[]): void {
  const names = new Set<string>();
  for (const [index, { name }] of variants.entries()) {
    if (names.has(name)) throw badField(`variants.${index}.name`, 'must not be the name of another variant');
    names.add(name);
  }
}

function checkPayloads(variants: readonly StrategyVariant[]): void {
  for (const [index, { payload }] of variants.entries()) {
    if (payload?.type === 'json' && !isJson(payload.value)) {
      throw badField(`variants.${index}.payload.value`, 'must be valid JSON');
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
