/** As much of a variant as decides its share. */
export interface Weighed {
  readonly weightType: 'variable' | 'fix';
  /** In thousandths; of one that is variable it is what is left for it. */
  readonly weight: number;
}

export const wholeWeight = 1000;

/**
 * Shares out what fixed variants leave among variable ones, as evenly as thousandths allow: the first ones get one more.
 * Nothing is left when the fixed ones make more than the whole.
 */
export function shareOut<V extends Weighed>(variants: readonly V[]): V[] {
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

/** A weight as people say it: "33.3 %". */
export function percent(weight: number): string {
  return `${Number((weight / 10).toFixed(1))} %`;
}
