import {
  type ListKind,
  type Operator,
  operators,
  parseNetwork,
  parseVersion,
  type SingleKind,
} from '@yardarm/evaluation';
import { badField } from '../../kernel/errors.ts';
import { tooManyItems } from '../../kernel/limits.ts';
import { checkPatternSizes } from './pattern-sizes.ts';
import { regexProblem } from './regex.ts';

/** A condition on a context field (docs/spec#constraints). */
export interface Constraint {
  readonly contextName: string;
  readonly operator: Operator;
  /** Used by operators that compare with a list; always present, because old SDKs require it. */
  readonly values: readonly string[];
  /** Used by operators that compare with one value. */
  readonly value?: string | undefined;
  readonly inverted: boolean;
  readonly caseInsensitive: boolean;
}

export interface ConstraintLimits {
  readonly constraints: number;
  readonly constraintValues: number;
}

/** Maximum length of a value in a list. */
const maxValueLength = 100;

/** Returns the problem of a value, if any. */
type Check = (value: string) => string | undefined;

const singleChecks: Readonly<Record<SingleKind, Check>> = {
  number: numberProblem,
  date: dateProblem,
  version: semverProblem,
  pattern: regexProblem,
};

/** The checks of values in lists, in addition to the check of their length. */
const listChecks: Readonly<Record<ListKind, Check | undefined>> = {
  item: undefined,
  text: undefined,
  network: networkProblem,
};

/** Checks the constraints of a strategy or a segment. Rejects with 400, naming the first invalid field. */
export function checkConstraints(constraints: readonly Constraint[], limits: ConstraintLimits): void {
  if (constraints.length > limits.constraints) {
    throw tooManyItems(
      `At most ${limits.constraints} constraints are allowed, not ${constraints.length}.`,
      'constraints',
      `must have at most ${limits.constraints} items`,
    );
  }
  checkPatternSizes('strategy or segment', constraints);
  for (const [index, constraint] of constraints.entries()) checkConstraint(constraint, limits, `constraints.${index}.`);
}

/** Checks one constraint. `prefix` is the prefix of the error path. */
export function checkConstraint(constraint: Constraint, limits: ConstraintLimits, prefix = ''): void {
  checkValues(constraint.values, limits, prefix);
  const { operator, inverted } = constraint;
  const facts = operators[operator];
  if (facts.field === 'values') checkEach(constraint.values, listChecks[facts.kind], prefix);
  else checkSingle(constraint, singleChecks[facts.kind], prefix);
  if (inverted && !facts.invertible) throw badField(`${prefix}inverted`, `must be false for ${operator}`);
}

function checkSingle({ operator, value }: Constraint, check: Check, prefix: string): void {
  if (value === undefined || value.trim() === '') throw badField(`${prefix}value`, `must not be empty for ${operator}`);
  const problem = check(value);
  if (problem !== undefined) throw badField(`${prefix}value`, problem);
}

function checkEach(values: readonly string[], check: Check | undefined, prefix: string): void {
  for (const [index, value] of values.entries()) {
    const problem = check?.(value);
    if (problem !== undefined) throw badField(`${prefix}values.${index}`, problem);
  }
}

/** Returns the distinct names of the context fields that constraints use. */
export function contextNamesOf(constraints: readonly Constraint[]): string[] {
  return [...new Set(constraints.map(({ contextName }) => contextName))];
}

function checkValues(values: readonly string[], limits: ConstraintLimits, prefix: string): void {
  if (values.length > limits.constraintValues) {
    throw tooManyItems(
      `A constraint can have at most ${limits.constraintValues} values.`,
      `${prefix}values`,
      `must have at most ${limits.constraintValues} items`,
    );
  }
  for (const [index, value] of values.entries()) {
    if (value.length === 0 || value.length > maxValueLength) {
      throw badField(`${prefix}values.${index}`, `must have 1 to ${maxValueLength} characters`);
    }
  }
}

function networkProblem(value: string): string | undefined {
  return parseNetwork(value.trim()) === undefined
    ? 'must be an IP address or a network, such as 192.0.2.0/24 or 2001:db8::/32'
    : undefined;
}

function numberProblem(value: string): string | undefined {
  // No two parts of the pattern match the same digits, which avoids quadratic backtracking.
  const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value.trim()) && Number.isFinite(Number(value));
  return isNumber ? undefined : 'must be a number';
}

/** An ISO 8601 date, optionally with time and zone. */
const isoDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

function dateProblem(value: string): string | undefined {
  if (isoDate.test(value) && isRealDate(value)) return undefined;
  return 'must be an ISO 8601 date, such as 2026-03-31T12:00:00.000Z';
}

/** Also checks the day of the month: `Date.parse` reads 31 February as 3 March. */
function isRealDate(value: string): boolean {
  const day = Date.parse(`${value.slice(0, 10)}T00:00:00.000Z`);
  if (!Number.isFinite(day) || new Date(day).toISOString().slice(0, 10) !== value.slice(0, 10)) return false;
  return Number.isFinite(Date.parse(value));
}

function semverProblem(value: string): string | undefined {
  return parseVersion(value) === undefined ? 'must be a semantic version, such as 1.2.3 or 1.2.3-beta.1' : undefined;
}
