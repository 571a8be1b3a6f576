/** The result of two alternating measurements. The caller knows whether higher or lower is better. */
export interface Comparison {
  /** Medians over the rounds. */
  readonly value: number;
  readonly floor: number;
  /** Median of the rounds' ratios, value to floor. */
  readonly ratio: number;
  /** The least and the greatest of the rounds' ratios. */
  readonly range: readonly [least: number, greatest: number];
  readonly rounds: readonly { readonly value: number; readonly floor: number; readonly ratio: number }[];
}

/**
 * Measures floor and subject alternately, A/B/A/B. The two measurements of a ratio follow one another, so other load on
 * a shared machine mostly changes both, and the median discards the rounds in which it changed only one.
 */
export async function interleave(
  rounds: number,
  measureFloor: () => Promise<number>,
  measureSubject: () => Promise<number>,
): Promise<Comparison> {
  if (!(rounds >= 1)) throw new RangeError(`rounds must be at least 1, not ${rounds}`);
  const measured: { value: number; floor: number; ratio: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const floor = await measureFloor();
    const value = await measureSubject();
    if (!(floor > 0)) throw new Error(`The floor measured ${floor}, which nothing can be compared with`);
    measured.push({ value, floor, ratio: value / floor });
  }
  const ratios = measured.map((round) => round.ratio);
  return {
    value: median(measured.map((round) => round.value)),
    floor: median(measured.map((round) => round.floor)),
    ratio: median(ratios),
    range: [Math.min(...ratios), Math.max(...ratios)],
    rounds: measured,
  };
}

/**
 * Returns the middle value; for an even number of values the mean of the two in the middle. Throws RangeError when
 * there are no values.
 */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('No values to take the median of');
  return (lower + upper) / 2;
}
