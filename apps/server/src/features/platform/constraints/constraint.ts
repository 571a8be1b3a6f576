import {
  dateProblem,
  fitsField,
  type ListKind,
  numberProblem,
  type Operator,
  operators,
  parseNetwork,
  parseVersion,
  type SingleKind,
} from '@yardarm/evaluation';
import { badField } from '#kernel/errors.ts';
import { tooManyItems } from '#kernel/limits.ts';
import { isSameJson } from '#kernel/same-json.ts';
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
  /**
   * Marks a constraint that was stored before ADR 98 and still reads numbers of contexts as then: blank text is 0. No
   * request sets it.
   */
  readonly looseNumber?: true | undefined;
}

/** A constraint of a request. With `looseNumber: false` it loses the mark of an equal stored constraint. */
export type ConstraintInput = Omit<Constraint, 'looseNumber'> & { readonly looseNumber?: boolean | undefined };

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
const listChecks: Readonly<Record<ListKind, Check>> = {
  item: textProblem,
  text: textProblem,
  network: networkProblem,
};

/**
 * Checks the constraints of a strategy or a segment and returns them as they are stored. Rejects with 400, naming the
 * first invalid field. Constraints that are among `kept`, the stored ones of the same object, stay as they are, with
 * their mark: rules that came later do not make an object impossible to save (ADR 98). Limits hold for all.
 */
export function checkConstraints(
  constraints: readonly ConstraintInput[],
  limits: ConstraintLimits,
  kept: readonly Constraint[] = [],
): Constraint[] {
  if (constraints.length > limits.constraints) {
    throw tooManyItems(
      `At most ${limits.constraints} constraints are allowed, not ${constraints.length}.`,
      'constraints',
      `must have at most ${limits.constraints} items`,
    );
  }
  checkPatternSizes('strategy or segment', constraints);
  return constraints.map(({ looseNumber, ...constraint }, index) => {
    const prefix = `constraints.${index}.`;
    checkCount(constraint.values, limits, prefix);
    const old = kept.find((stored) => isSameJson({ ...stored, looseNumber: undefined }, constraint));
    const fault = old === undefined ? faultOf(constraint) : undefined;
    if (fault !== undefined) throw badField(`${prefix}${fault.path}`, fault.message);
    return old === undefined || looseNumber === false ? constraint : old;
  });
}

/** Checks one constraint. */
export function checkConstraint(constraint: Constraint, limits: ConstraintLimits): void {
  checkCount(constraint.values, limits, '');
  const fault = faultOf(constraint);
  if (fault !== undefined) throw badField(fault.path, fault.message);
}

/** Checks the operator and the values of a filter, which has the path of a payload for its field. */
export function checkFilterValues(filter: ConstraintInput, prefix: string): void {
  const fault = valueFault(filter);
  if (fault !== undefined) throw badField(`${prefix}${fault.path}`, fault.message);
}

/** The part of a constraint that is wrong. The message follows the path: "value must be a number". */
interface ConstraintFault {
  readonly path: string;
  readonly message: string;
}

/** Returns why a constraint is refused: SDKs would not agree what it means, or none could read it. */
export function faultOf(constraint: ConstraintInput): ConstraintFault | undefined {
  return fieldFault(constraint) ?? valueFault(constraint);
}

function fieldFault({ operator, contextName }: ConstraintInput): ConstraintFault | undefined {
  if (/["\\]/.test(contextName))
    return { path: 'contextName', message: 'must not contain quotes or backslashes, which some SDKs cannot read' };
  if (fitsField(operator, contextName)) return undefined;
  if (operators[operator].tests === 'the time') {
    const message = `must be currentTime for ${operator}, which compares the time of the evaluation and never a value of ${contextName}. Use NUM_GT or NUM_LT with a time in seconds for another field`;
    return { path: 'contextName', message };
  }
  const message = `must be DATE_AFTER or DATE_BEFORE for ${contextName}: ${operator} finds no value there in most SDKs`;
  return { path: 'operator', message };
}

function valueFault(constraint: ConstraintInput): ConstraintFault | undefined {
  const { operator, values, inverted } = constraint;
  const facts = operators[operator];
  const fault =
    facts.field === 'values'
      ? (emptyFault(constraint) ?? listFault(values, listChecks[facts.kind]))
      : singleFault(constraint, singleChecks[facts.kind]);
  if (fault !== undefined) return fault;
  return inverted && !facts.invertible ? { path: 'inverted', message: `must be false for ${operator}` } : undefined;
}

function singleFault({ operator, value, values }: ConstraintInput, check: Check): ConstraintFault | undefined {
  if (value === undefined || value.trim() === '')
    return { path: 'value', message: `must not be empty for ${operator}` };
  const message = check(value);
  return message === undefined ? listFault(values, undefined) : { path: 'value', message };
}

/** The engine of newer SDKs reads an empty list for `IN` and `NOT_IN` only, and otherwise not the flag. */
function emptyFault({ operator, values }: ConstraintInput): ConstraintFault | undefined {
  if (values.length > 0 || operators[operator].kind === 'item') return undefined;
  return { path: 'values', message: `must not be empty for ${operator}` };
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
export function contextNamesOf(constraints: readonly ConstraintInput[]): string[] {
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

/** Some SDKs remove spaces around values, and the engine of others cannot read a value that ends with a backslash. */
function textProblem(value: string): string | undefined {
  if (value !== value.trim()) return 'must not begin or end with a space: some SDKs compare it, others remove it';
  return value.endsWith('\\') ? 'must not end with a backslash: some SDKs cannot read the flag then' : undefined;
}

function networkProblem(value: string): string | undefined {
  return parseNetwork(value) === undefined
    ? 'must be an IP address or a network, such as 192.0.2.0/24 or 2001:db8::/32'
    : undefined;
}

function semverProblem(value: string): string | undefined {
  return parseVersion(value) === undefined ? 'must be a semantic version, such as 1.2.3 or 1.2.3-beta.1' : undefined;
}
