import { isOperator, operators, takesList } from '@yardarm/evaluation/operators';
import { dateProblem } from '@yardarm/evaluation/values';
import { formatUtcDateTime } from '../../ui/dates.ts';
import { operatorWords, showsIgnoringCase } from './operators.ts';

/** The part of a constraint that its description needs. */
export interface ConstraintRead {
  readonly contextName: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly value?: string | undefined;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
  readonly looseNumber?: boolean | undefined;
}

const shown = 5;

/** Returns the first 5 values of a list and the number of further ones: "a, b, c, d, e and 3 more". */
export function someOf(values: readonly string[]): string {
  const first = values.slice(0, shown).join(', ');
  return values.length > shown ? `${first} and ${values.length - shown} more` : first;
}

/** Describes a constraint as a part of a sentence: "country is one of NL, BE". */
export function describeConstraint(constraint: ConstraintRead): string {
  const { contextName, operator, values, value = '', inverted, caseInsensitive } = constraint;
  if (!isOperator(operator)) return `${contextName} ${inverted ? 'not ' : ''}${operator} ${value || someOf(values)}`;
  const compared = takesList(operator)
    ? someOf(values) || 'nothing'
    : valueText(value, operators[operator].kind === 'date');
  const { words, opposite } = operatorWords[operator];
  const caseNote = showsIgnoringCase(operator, caseInsensitive) && caseInsensitive ? ' (ignoring case)' : '';
  return `${contextName} ${wordsFor(inverted ? opposite : words, values)} ${compared}${caseNote}`;
}

/**
 * Returns the words of an operator. Operators for lists get the singular when there is one value: "is", not "is one
 * of".
 */
function wordsFor(words: string, values: readonly string[]): string {
  if (values.length !== 1) return words;
  return words === 'is one of' ? 'is' : words === 'is none of' ? 'is not' : words;
}

function valueText(value: string, isDate: boolean): string {
  // A date without a zone is shown as it is stored: SDKs read it in their own zones.
  const at = isDate && dateProblem(value) === undefined ? new Date(value) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? value : formatUtcDateTime(at);
}
