import { maxPatternSize, patternSize } from '@yardarm/evaluation';
import { Problem } from '../../kernel/errors.ts';

/**
 * Most that the patterns of a flag in one environment, or of a segment, may add up to. An evaluation of a flag within this always
 * fits its budget when the texts that it asks about have at most some 80 characters.
 */
const maxPatternSizes = 5000;

/** What of a constraint may hold a pattern. */
interface Pattern {
  readonly operator: string;
  readonly value?: string | undefined;
}

/** The sizes of all patterns together. A pattern that is too large by itself counts as the largest: its own check tells. */
function patternSizes(constraints: readonly Pattern[]): number {
  const sizes = constraints.map(({ operator, value = '' }) => (operator === 'REGEX' ? patternSize(value) : 0));
  return sizes.reduce((sum, size) => sum + Math.min(size, maxPatternSize), 0);
}

/**
 * A 400 when patterns add up to more than a flag or a segment may have. What was there `before` may stay, so that a flag can
 * always be made smaller.
 */
export function checkPatternSizes(
  what: 'flag in an environment' | 'strategy or segment',
  after: readonly Pattern[],
  before: readonly Pattern[] = [],
): void {
  const size = patternSizes(after);
  if (size <= maxPatternSizes || size <= patternSizes(before)) return;
  throw new Problem(
    'ExceedsLimitError',
    `The patterns of a ${what} can have at most ${maxPatternSizes} characters together, with their counted repeats, such as {0,200}, written out. These have ${size}. Use fewer or shorter patterns.`,
    {
      details: [
        { message: `must have patterns of at most ${maxPatternSizes} characters together`, path: 'constraints' },
      ],
    },
  );
}
