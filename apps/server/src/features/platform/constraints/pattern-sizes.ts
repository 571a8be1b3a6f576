import { maxPatternSize, type Operator, operators, patternSize } from '@yardarm/evaluation';
import { Problem } from '#kernel/errors.ts';

/**
 * Maximum total size of the patterns of a flag in one environment, or of a segment. Up to this size, an evaluation
 * stays within its budget when the matched texts have at most about 80 characters.
 */
const maxPatternSizes = 5000;

/** The fields of a constraint that determine its pattern. */
interface Pattern {
  readonly operator: Operator;
  readonly value?: string | undefined;
}

/**
 * Returns the total size of all patterns. A pattern over the limit counts as the maximum, because it has its own check.
 */
function patternSizes(constraints: readonly Pattern[]): number {
  const sizes = constraints.map(({ operator, value = '' }) =>
    operators[operator].kind === 'pattern' ? patternSize(value) : 0,
  );
  return sizes.reduce((sum, size) => sum + Math.min(size, maxPatternSize), 0);
}

/**
 * Rejects with 400 when the total size of patterns exceeds the maximum of a flag or segment and has grown since
 * `before`, so that the size can always be reduced.
 */
export function checkPatternSizes(
  owner: 'flag in an environment' | 'strategy or segment',
  after: readonly Pattern[],
  before: readonly Pattern[] = [],
): void {
  const size = patternSizes(after);
  if (size <= maxPatternSizes || size <= patternSizes(before)) return;
  throw new Problem(
    'ExceedsLimitError',
    `The patterns of a ${owner} can have at most ${maxPatternSizes} characters in total, with counted repeats such as {0,200} expanded. These have ${size}. Use fewer or shorter patterns.`,
    {
      details: [
        { message: `must have patterns of at most ${maxPatternSizes} characters in total`, path: 'constraints' },
      ],
    },
  );
}
