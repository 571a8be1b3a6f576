// This file imports nothing, so that the contract and the user interface can use the operators without the evaluation
// code.

/** The kinds of values of operators that compare with the list `values`. */
export type ListKind = 'item' | 'text' | 'network';

/** The kinds of values of operators that compare with the single `value`. */
export type SingleKind = 'number' | 'date' | 'version' | 'pattern';

export type ValueKind = ListKind | SingleKind;

/** The context field that holds the time of an evaluation. */
const timeField = 'currentTime';

type OperatorFacts = {
  /**
   * The context fields that the operator tests. Date operators compare the time of the evaluation, whatever the name of
   * the field is, and no other operator finds a value in `currentTime`, which most SDKs do not keep as text.
   */
  readonly tests: 'the time' | 'other fields';
  /** Where `caseInsensitive` has an effect: in all SDKs, in some SDKs and on this server, or nowhere. */
  readonly caseInsensitive: 'all SDKs' | 'some SDKs' | 'no';
  /**
   * Whether a constraint with the operator may be inverted; false when SDKs disagree about the result. The evaluation
   * here inverts any operator.
   */
  readonly invertible: boolean;
  /** Whether filters of action sets have the operator too (docs/spec#action-filters). */
  readonly inFilters: boolean;
} & ({ readonly field: 'values'; readonly kind: ListKind } | { readonly field: 'value'; readonly kind: SingleKind });

const item = {
  tests: 'other fields',
  field: 'values',
  kind: 'item',
  caseInsensitive: 'some SDKs',
  invertible: true,
  inFilters: true,
} as const;
const text = {
  tests: 'other fields',
  field: 'values',
  kind: 'text',
  caseInsensitive: 'all SDKs',
  invertible: true,
  inFilters: true,
} as const;
const network = {
  tests: 'other fields',
  field: 'values',
  kind: 'network',
  caseInsensitive: 'no',
  invertible: true,
  inFilters: false,
} as const;
const number = {
  tests: 'other fields',
  field: 'value',
  kind: 'number',
  caseInsensitive: 'no',
  invertible: true,
  inFilters: true,
} as const;
const version = {
  tests: 'other fields',
  field: 'value',
  kind: 'version',
  caseInsensitive: 'no',
  invertible: true,
  inFilters: true,
} as const;
// A date operator compares with the time of the evaluation, so it cannot test a value in a payload.
const date = {
  tests: 'the time',
  field: 'value',
  kind: 'date',
  caseInsensitive: 'no',
  invertible: true,
  inFilters: false,
} as const;

/**
 * The operators of constraints (docs/spec#constraints), in the order in which lists show them. To add an operator, add
 * it here and to the tables that then no longer compile (its evaluation and its description).
 */
export const operators = {
  IN: item,
  NOT_IN: item,
  STR_STARTS_WITH: text,
  STR_ENDS_WITH: text,
  STR_CONTAINS: text,
  NUM_EQ: number,
  NUM_GT: number,
  NUM_GTE: number,
  NUM_LT: number,
  NUM_LTE: number,
  DATE_AFTER: date,
  DATE_BEFORE: date,
  SEMVER_EQ: version,
  SEMVER_GT: version,
  SEMVER_GTE: version,
  SEMVER_LT: version,
  SEMVER_LTE: version,
  REGEX: {
    tests: 'other fields',
    field: 'value',
    kind: 'pattern',
    caseInsensitive: 'all SDKs',
    invertible: false,
    inFilters: false,
  },
  IN_CIDR: network,
} as const satisfies Readonly<Record<string, OperatorFacts>>;

export type Operator = keyof typeof operators;

/** The operators that filters of action sets have. */
export type FilterOperator = {
  [Name in Operator]: (typeof operators)[Name]['inFilters'] extends true ? Name : never;
}[Operator];

export const operatorNames = Object.keys(operators) as Operator[];
export const filterOperatorNames = operatorNames.filter(isFilterOperator);

/** Returns whether an operator is known. Other installations and newer versions may have more. */
export function isOperator(name: string): name is Operator {
  return Object.hasOwn(operators, name);
}

/** Returns whether an operator can test a context field: date operators test `currentTime`, the others do not. */
export function fitsField(name: Operator, contextName: string): boolean {
  return (operators[name].tests === 'the time') === (contextName === timeField);
}

/** Returns whether filters of action sets have an operator. */
function isFilterOperator(name: Operator): name is FilterOperator {
  return operators[name].inFilters;
}

/** Returns whether an operator compares with the list `values`; the others compare with `value`. */
export function takesList(name: Operator): boolean {
  return operators[name].field === 'values';
}
