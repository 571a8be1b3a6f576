import { RE2JS } from 're2js';

/** Finds a pattern in a text, anywhere in it. */
export type Finder = (text: string) => boolean;

/**
 * Compiles a pattern of RE2 syntax. Looking takes time in proportion to the text, whatever the pattern. Throws an error
 * that says what is wrong with a pattern that RE2 does not take.
 */
export function compilePattern(pattern: string, caseInsensitive: boolean): Finder {
  const compiled = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
  return (text) => compiled.matcher(text).find();
}
