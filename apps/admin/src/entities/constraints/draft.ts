import { isOperator, type Operator, operators, takesList } from '@yardarm/evaluation/operators';
import type { Input } from '../../lib/api.ts';
import type { ConstraintRead } from './describe-constraint.ts';
import { showsIgnoringCase } from './operators.ts';

/** A constraint in a request, in the format of the contract. */
export type ConstraintBody = Input<'POST /api/admin/constraints/validate'>['body'];

/** The draft of a constraint. Values typed for one kind of operator are kept when another operator is selected. */
export interface ConstraintDraft {
  /** The React key of the row. The fields cannot be the key, because two constraints may be equal. */
  readonly key: string;
  readonly contextName: string;
  readonly operator: Operator;
  readonly values: readonly string[];
  readonly value: string;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
  /** True for a constraint of an earlier version that reads blank text as 0; false when the user ends that. */
  readonly looseNumber?: boolean | undefined;
}

let made = 0;
const nextKey = () => `constraint-${++made}`;

/** Returns the draft of a new constraint. */
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

/**
 * Returns the draft of a constraint. Throws an error for an unknown operator, because saving the draft would lose it.
 */
export function draftOf({ operator, value, ...constraint }: ConstraintRead): ConstraintDraft {
  if (!isOperator(operator)) throw new Error(`This page does not support the operator ${operator}. Reload the page.`);
  return { ...constraint, key: nextKey(), operator, value: value ?? '' };
}

/** Returns the request body of a draft, with only the values that its operator uses. */
export function bodyOf({ key: _key, ...draft }: ConstraintDraft): ConstraintBody {
  const { contextName, operator, inverted, caseInsensitive } = draft;
  return {
    contextName,
    operator,
    values: takesList(operator) ? [...draft.values] : [],
    ...(takesList(operator) ? {} : { value: draft.value.trim() }),
    inverted: operators[operator].invertible && inverted,
    caseInsensitive: showsIgnoringCase(operator, caseInsensitive) && caseInsensitive,
    ...(draft.looseNumber === false ? { looseNumber: false } : {}),
  };
}

/** Returns an error for each missing value, by the path that the server uses: `constraints.0.value`. */
export function constraintProblems(drafts: readonly ConstraintDraft[]): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const [index, { contextName, operator, values, value }] of drafts.entries()) {
    if (contextName === '') problems[`constraints.${index}.contextName`] = 'Select a context field.';
    if (takesList(operator) && values.length === 0)
      problems[`constraints.${index}.values`] = 'Enter at least one value.';
    if (!takesList(operator) && value.trim() === '') problems[`constraints.${index}.value`] = 'Enter a value.';
  }
  return problems;
}
