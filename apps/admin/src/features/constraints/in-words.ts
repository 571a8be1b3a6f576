import { formatUtcDateTime } from '../../ui/dates.ts';
import { isOperator, operators, takesList } from './operators.ts';

/** As much of a constraint as words need; any answer of the server has it. */
export interface ConstraintRead {
  readonly contextName: string;
  readonly operator: string;
  readonly values: readonly string[];
  readonly value?: string | undefined;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
}

const shown = 5;

/** The first values of a list, and how many more there are. */
export function someOf(values: readonly string[]): string {
  const first = values.slice(0, shown).join(', ');
  return values.length > shown ? `${first} and ${values.length - shown} more` : first;
}

/** A constraint as a part of a sentence: "country is one of NL, BE". */
export function constraintInWords(constraint: ConstraintRead): string {
  const { contextName, operator, values, value = '', inverted, caseInsensitive } = constraint;
  if (!isOperator(operator)) return `${contextName} ${inverted ? 'not ' : ''}${operator} ${value || someOf(values)}`;
  const facts = operators[operator];
  const compared = takesList(operator) ? someOf(values) || 'nothing' : told(value, facts.kind === 'date');
  const words = inverted ? facts.opposite : facts.words;
  const loosely = facts.takesCase && caseInsensitive ? ' (capital or small letters)' : '';
  return `${contextName} ${oneOf(words, values)} ${compared}${loosely}`;
}

/** "is one of NL" reads badly. */
function oneOf(words: string, values: readonly string[]): string {
  if (values.length !== 1) return words;
  return words === 'is one of' ? 'is' : words === 'is none of' ? 'is not' : words;
}

function told(value: string, isDate: boolean): string {
  const at = isDate ? new Date(value) : undefined;
  return at === undefined || Number.isNaN(at.getTime()) ? value : formatUtcDateTime(at);
}
