import {
  fitsField,
  type ListKind,
  type Operator,
  operators,
  parseNetwork,
  parseVersion,
  type SingleKind,
} from '@yardarm/evaluation';
import { badField } from '../../kernel/errors.ts';
import { tooManyItems } from '../../kernel/limits.ts';
import { isSameJson } from '../../kernel/same-json.ts';
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

/**
 * Checks the constraints of a strategy or a segment. Rejects with 400, naming the first invalid field. Constraints that
 * are among `kept`, the stored ones of the same object, may stay as they are: rules that came later do not make an
 * object impossible to save (ADR 98). Limits hold for all.
 */
export function checkConstraints(
  constraints: readonly Constraint[],
  limits: ConstraintLimits,
  kept: readonly Constraint[] = [],
): void {
  if (constraints.length > limits.constraints) {
    throw tooManyItems(
      `At most ${limits.constraints} constraints are allowed, not ${constraints.length}.`,
      'constraints',
      `must have at most ${limits.constraints} items`,
    );
  }
  checkPatternSizes('strategy or segment', constraints);
  for (const [index, constraint] of constraints.entries()) {
    const prefix = `constraints.${index}.`;
    checkCount(constraint.values, limits, prefix);
    const fault = faultOf(constraint);
    if (fault === undefined || kept.some((old) => isSameJson(old, constraint))) continue;
    throw badField(`${prefix}${fault.path}`, fault.message);
  }
}

/** Checks one constraint. */
export function checkConstraint(constraint: Constraint, limits: ConstraintLimits): void {
  checkCount(constraint.values, limits, '');
  const fault = faultOf(constraint);
  if (fault !== undefined) throw badField(fault.path, fault.message);
}

/** Checks the operator and the values of a filter, which has the path of a payload for its field. */
export function checkFilterValues(filter: Constraint, prefix: string): void {
  const fault = valueFault(filter);
  if (fault !== undefined) throw badField(`${prefix}${fault.path}`, fault.message);
}

/** The part of a constraint that is wrong. The message follows the path: "value must be a number". */
export interface ConstraintFault {
  readonly path: string;
  readonly message: string;
}

/** Returns why a constraint is refused: SDKs would not agree what it means, or none could read it. */
export function faultOf(constraint: Constraint): ConstraintFault | undefined {
  return fieldFault(constraint) ?? valueFault(constraint);
}

function fieldFault({ operator, contextName }: Constraint): ConstraintFault | undefined {
  if (fitsField(operator, contextName)) return undefined;
  if (operators[operator].tests === 'the time') {
    const message = `must be currentTime for ${operator}, which compares the time of the evaluation and never a value of ${contextName}. Use NUM_GT or NUM_LT with a time in seconds for another field`;
    return { path: 'contextName', message };
  }
  const message = `must be DATE_AFTER or DATE_BEFORE for ${contextName}: ${operator} finds no value there in most SDKs`;
  return { path: 'operator', message };
}

function valueFault(constraint: Constraint): ConstraintFault | undefined {
  const { operator, values, inverted } = constraint;
  const facts = operators[operator];
  const fault =
    facts.field === 'values'
      ? listFault(values, listChecks[facts.kind])
      : singleFault(constraint, singleChecks[facts.kind]);
  if (fault !== undefined) return fault;
  return inverted && !facts.invertible ? { path: 'inverted', message: `must be false for ${operator}` } : undefined;
}

function singleFault({ operator, value, values }: Constraint, check: Check): ConstraintFault | undefined {
  if (value === undefined || value.trim() === '')
    return { path: 'value', message: `must not be empty for ${operator}` };
  const message = check(value);
  return message === undefined ? listFault(values, undefined) : { path: 'value', message };
}

function listFault(values: readonly string[], check: Check | undefined): ConstraintFault | undefined {
  for (const [index, value] of values.entries()) {
    const message =
      value.length === 0 || value.length > maxValueLength
        ? `must have 1 to ${maxValueLength} characters`
        : check?.(value);
    if (message !== undefined) return { path: `values.${index}`, message };
  }
  return undefined;
}

/** Returns the distinct names of the context fields that constraints use. */
export function contextNamesOf(constraints: readonly Constraint[]): string[] {
  return [...new Set(constraints.map(({ contextName }) => contextName))];
}

function checkCount(values: readonly string[], limits: ConstraintLimits, prefix: string): void {
  if (values.length <= limits.constraintValues) return;
  throw tooManyItems(
    `A constraint can have at most ${limits.constraintValues} values.`,
    `${prefix}values`,
    `must have at most ${limits.constraintValues} items`,
  );
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
