import { compilePattern, maxPatternSize, patternSize } from '@yardarm/evaluation';

/** Longest pattern: looking takes time in proportion to it. */
const maxPatternLength = 1000;

/**
 * Why a pattern is not one that SDKs read, or undefined when it is: RE2 decides (docs/spec#constraint-values), the very
 * one that evaluates it here, within what it takes of a pattern (`maxPatternSize`). The answer comes in milliseconds,
 * whatever the pattern.
 */
export function regexProblem(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `must have at most ${maxPatternLength} characters`;
  if (patternSize(pattern) > maxPatternSize)
    return `is too large: it may have at most ${maxPatternSize} characters with its counted repeats, such as {0,200}, written out`;
  try {
    compilePattern(pattern, false);
  } catch (error) {
    return `is not a regular expression that RE2 takes (${(error as Error).message})`;
  }
  return foreignProperty(pattern)
    ? 'may name characters by general category or script only, such as \\p{Lu}'
    : undefined;
}

/** Whether it names a property that the engine knows beyond RE2, such as `Emoji`: SDKs in other languages do not. */
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
