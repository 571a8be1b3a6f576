import { compilePattern } from './pattern.ts';
import { patternSize } from './pattern-size.ts';

/** A text search, whose time is proportional to the length of the text and of the pattern or values. */
export interface Search {
  /** The budget units (see EvaluationBudget) that the search spends for each character of the text. */
  readonly unitsPerCharacter: number;
  readonly finds: (text: string) => boolean;
}

/** The cost of comparing two characters, in budget units: a hundredth of the cost of matching a pattern's character. */
const comparisonUnits = 1 / 100;

/**
 * Prepares the search for a pattern. An invalid pattern matches nothing, because one flag must not break the evaluation
 * of the others.
 */
export function searchPattern(pattern: string, caseInsensitive: boolean): Search {
  try {
    return { unitsPerCharacter: patternSize(pattern), finds: compilePattern(pattern, caseInsensitive) };
  } catch {
    return { unitsPerCharacter: 0, finds: () => false };
  }
}

/** Prepares the search for any of several values. */
export function searchValues(values: readonly string[], caseInsensitive: boolean): Search {
  const wanted = caseInsensitive ? values.map((value) => value.toLowerCase()) : values;
  const length = wanted.reduce((sum, value) => sum + value.length, 0);
  const findsIn = (text: string) => wanted.some((value) => text.includes(value));
  return {
    unitsPerCharacter: length * comparisonUnits,
    finds: caseInsensitive ? (text) => findsIn(text.toLowerCase()) : findsIn,
  };
}
