import type { Input } from '../../lib/api.ts';

/** A constraint as the contract takes it. */
export type ConstraintBody = Input<'POST /api/admin/constraints/validate'>['body'];
export type Operator = ConstraintBody['operator'];

/** The kind of input for the values of an operator. */
export type ValueKind = 'list' | 'networks' | 'number' | 'date' | 'version' | 'pattern';

interface OperatorFacts {
  readonly kind: ValueKind;
  /** The operator in a description, and its negation: "country is one of NL, BE". */
  readonly words: string;
  readonly opposite: string;
  /** Whether the comparison can ignore case. */
  readonly takesCase?: true;
  /** Whether the operator cannot be inverted: its negation is another operator, or SDKs disagree about it. */
  readonly notInvertible?: true;
}

/** The operators (docs/spec#constraints), in the order of the menu. */
export const operators: Readonly<Record<Operator, OperatorFacts>> = {
  IN: { kind: 'list', words: 'is one of', opposite: 'is none of' },
  NOT_IN: { kind: 'list', words: 'is none of', opposite: 'is one of' },
  STR_STARTS_WITH: { kind: 'list', words: 'starts with', opposite: 'does not start with', takesCase: true },
  STR_ENDS_WITH: { kind: 'list', words: 'ends with', opposite: 'does not end with', takesCase: true },
  STR_CONTAINS: { kind: 'list', words: 'contains', opposite: 'does not contain', takesCase: true },
  REGEX: {
    kind: 'pattern',
    words: 'matches the pattern',
    opposite: 'does not match the pattern',
    takesCase: true,
    notInvertible: true,
  },
  NUM_EQ: { kind: 'number', words: 'equals', opposite: 'does not equal' },
  NUM_GT: { kind: 'number', words: 'is greater than', opposite: 'is not greater than' },
  NUM_GTE: { kind: 'number', words: 'is at least', opposite: 'is not at least' },
  NUM_LT: { kind: 'number', words: 'is less than', opposite: 'is not less than' },
  NUM_LTE: { kind: 'number', words: 'is at most', opposite: 'is not at most' },
  DATE_AFTER: { kind: 'date', words: 'is after', opposite: 'is not after' },
  DATE_BEFORE: { kind: 'date', words: 'is before', opposite: 'is not before' },
  SEMVER_EQ: { kind: 'version', words: 'is version', opposite: 'is not version' },
  SEMVER_GT: { kind: 'version', words: 'is a version above', opposite: 'is no version above' },
  SEMVER_GTE: { kind: 'version', words: 'is at least version', opposite: 'is not at least version' },
  SEMVER_LT: { kind: 'version', words: 'is a version below', opposite: 'is no version below' },
  SEMVER_LTE: { kind: 'version', words: 'is at most version', opposite: 'is not at most version' },
  IN_CIDR: { kind: 'networks', words: 'is in the network', opposite: 'is not in the network' },
};

const groups: readonly (readonly [label: string, kinds: readonly ValueKind[], names?: readonly Operator[]])[] = [
  ['List', ['list'], ['IN', 'NOT_IN']],
  ['Text', ['list', 'pattern']],
  ['Number', ['number']],
  ['Date', ['date']],
  ['Version', ['version']],
  ['Network', ['networks']],
];

/** The operators as options, by group. */
export const operatorChoices = groups.map(([label, kinds, names]) => ({
  group: label,
  items: (Object.keys(operators) as Operator[])
    .filter((name) =>
      names === undefined
        ? kinds.includes(operators[name].kind) && name !== 'IN' && name !== 'NOT_IN'
        : names.includes(name),
    )
    .map((name) => ({ value: name as string, label: operators[name].words })),
}));

/** Returns whether a name is a known operator. The server may be newer than this page. */
export function isOperator(name: string): name is Operator {
  return name in operators;
}

/** Returns whether an operator compares with a list of values instead of one value. */
export function takesList(operator: Operator): boolean {
  const { kind } = operators[operator];
  return kind === 'list' || kind === 'networks';
}
