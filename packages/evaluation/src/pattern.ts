import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.ts';

/** Returns whether a text contains a match of a pattern. */
export type Finder = (text: string) => boolean;

/**
 * The maximum size of a pattern, see {@link patternSize}. Compiling such a pattern takes some milliseconds and one or
 * two megabytes.
 */
export const maxPatternSize = 3000;

/**
 * Compiles a pattern in RE2 syntax. Matching takes time proportional to the text, and compiling is limited by {@link
 * maxPatternSize}. Throws an error with the reason when the pattern is too large or invalid.
 */
export function compilePattern(pattern: string, caseInsensitive: boolean): Finder {
  if (patternSize(pattern) > maxPatternSize)
    throw new Error(`larger than ${maxPatternSize} with its repeats written out`);
  const compiled = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => compiled.matcher(text).find();
}
