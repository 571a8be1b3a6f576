import { compilePattern } from './pattern.ts';
import { patternSize } from './pattern-size.ts';

/** Looks for something in a text, in time that grows with the text and with what is looked for. */
export interface Search {
  /** Units of an EvaluationBudget for each character of the text. */
  readonly unitsPerCharacter: number;
  readonly finds: (text: string) => boolean;
}

/** Comparing two characters takes about a hundredth of what a character of a pattern takes. */
const comparisonUnits = 1 / 100;

/**
 * Prepares the search for a pattern. Finds nothing when RE2 does not take it: a document may come from elsewhere, and
 * one flag must not stop the others.
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
