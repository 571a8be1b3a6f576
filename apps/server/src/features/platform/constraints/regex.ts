import { compilePattern, maxPatternSize, patternSize } from '@yardarm/evaluation';

/** Maximum length of a pattern; the time to check it is proportional to its length. */
const maxPatternLength = 1000;

/**
 * Returns why SDKs cannot use a pattern, or undefined when they can. The RE2 implementation of the evaluation package
 * decides (docs/spec#constraint-values), within `maxPatternSize`. Takes milliseconds for any pattern.
 */
export function regexProblem(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `must have at most ${maxPatternLength} characters`;
  if (patternSize(pattern) > maxPatternSize)
    return `is too large: with counted repeats such as {0,200} expanded, it may have at most ${maxPatternSize} characters`;
  try {
    compilePattern(pattern, false);
  } catch (error) {
    return `is not a valid RE2 regular expression (${(error as Error).message})`;
  }
  return foreignProperty(pattern) ? 'may use \\p only with a general category or script, such as \\p{Lu}' : undefined;
}

/**
 * Returns whether the pattern uses a Unicode property outside RE2, such as `Emoji`, which SDKs of other languages lack.
 */
function foreignProperty(pattern: string): boolean {
  for (const [, name] of pattern.matchAll(/\\(?:[pP]\{\^?([^}]*)\}|.)/gs)) {
    if (name !== undefined && name !== 'Any' && !isCategory.test(name) && !isScript(name)) return true;
  }
  return false;
}

const isCategory = /^(C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

function isScript(name: string): boolean {
  try {
    new RegExp(`\\p{Script=${name}}`, 'u');
    return true;
  } catch {
    return false;
  }
}
