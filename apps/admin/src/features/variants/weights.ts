/** The part of a variant that determines its weight. */
export interface Weighed {
  readonly weightType: 'variable' | 'fix';
  /** The weight in thousandths. For variable variants it is computed. */
  readonly weight: number;
}

export const wholeWeight = 1000;

/**
 * Distributes the weight that fixed variants leave among the variable variants. The shares are equal, except that the
 * first variants get one thousandth more where the weight cannot be divided evenly. Variable variants get 0 when fixed
 * variants use 100 % or more.
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
