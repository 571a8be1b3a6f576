import { RE2JS } from 're2js';
import { patternSize } from './pattern-size.ts';

/** Finds a pattern in a text, anywhere in it. */
export type Finder = (text: string) => boolean;

/**
 * Most that is compiled of a pattern, as {@link patternSize} counts: it takes some milliseconds and a megabyte or two.
 */
export const maxPatternSize = 3000;

/**
 * Compiles a pattern of RE2 syntax. Looking takes time in proportion to the text, whatever the pattern, and what
 * compiling takes is bounded too: by {@link maxPatternSize}. Throws an error that says what is wrong with a pattern
 * that is larger, or that RE2 does not take.
 */
export function compilePattern(pattern: string, caseInsensitive: boolean): Finder {
  if (patternSize(pattern) > maxPatternSize)
    throw new Error(`larger than ${maxPatternSize} with its repeats written out`);
  const compiled = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => compiled.matcher(text).find();
}
