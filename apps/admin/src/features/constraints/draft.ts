import type { ConstraintRead } from './in-words.ts';
import { type ConstraintBody, isOperator, type Operator, operators, takesList } from './operators.ts';

/** A constraint while it is edited. What was typed for the one kind of operator is kept while another is looked at. */
export interface ConstraintDraft {
  /** Tells rows apart that may be alike. */
  readonly key: string;
  readonly contextName: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  readonly value: string;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
}

let made = 0;
const nextKey = () => `constraint-${++made}`;

/** What a person begins with who adds a constraint. */
export function newConstraint(): ConstraintDraft {
  return {
    key: nextKey(),
    contextName: '',
    operator: 'IN',
    values: [],
    value: '',
    inverted: false,
    caseInsensitive: false,
  };
}

/** A constraint of the server, to be edited. Throws for an operator that this page does not know, for it would be lost. */
export function draftOf({ operator, value, ...constraint }: ConstraintRead): ConstraintDraft {
  if (!isOperator(operator)) throw new Error(`This page does not know the operator ${operator}: load it again.`);
  return { ...constraint, key: nextKey(), operator, value: value ?? '' };
}

/** What is sent of a draft: only what its operator reads. */
export function bodyOf({ key: _key, ...draft }: ConstraintDraft): ConstraintBody {
  const { contextName, operator, inverted, caseInsensitive } = draft;
  const facts = operators[operator];
  return {
    contextName,
    operator,
    values: takesList(operator) ? [...draft.values] : [],
    ...(takesList(operator) ? {} : { value: draft.value.trim() }),
    inverted: facts.notInvertible === true ? false : inverted,
    caseInsensitive: facts.takesCase === true && caseInsensitive,
  };
}

/** What is missing, by the path that the server would name too: `constraints.0.value`. */
export function constraintProblems(drafts: readonly ConstraintDraft[]): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const [index, { contextName, operator, values, value }] of drafts.entries()) {
    if (contextName === '') problems[`constraints.${index}.contextName`] = 'Choose a context field.';
    if (takesList(operator) && values.length === 0)
      problems[`constraints.${index}.values`] = 'Give at least one value.';
    if (!takesList(operator) && value.trim() === '') problems[`constraints.${index}.value`] = 'Give a value.';
  }
  return problems;
}
