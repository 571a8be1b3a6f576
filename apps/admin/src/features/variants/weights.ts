/** The part of a variant that determines its weight. */
export interface Weighed {
  readonly weightType: 'variable' | 'fix';
  /** In thousandths. Computed for variable variants. */
  readonly weight: number;
}

export const wholeWeight = 1000;

/**
 * Distributes the weight that fixed variants leave among variable ones, as evenly as thousandths allow: the first ones
 * get one more. Variable variants get 0 when fixed ones use more than the whole.
 */
export function distributeWeights<V extends Weighed>(variants: readonly V[]): V[] {
  const variable = variants.filter(({ weightType }) => weightType === 'variable').length;
  const fixed = variants.reduce((sum, { weightType, weight }) => sum + (weightType === 'fix' ? weight : 0), 0);
  const left = Math.max(0, wholeWeight - fixed);
  let seen = 0;
  return variants.map((variant) => {
    if (variant.weightType === 'fix') return variant;
    const more = seen++ < left % variable ? 1 : 0;
    return { ...variant, weight: Math.floor(left / variable) + more };
  });
}

/** Formats a weight: "33.3 %". */
export function percent(weight: number): string {
  return `${Number((weight / 10).toFixed(1))} %`;
}
