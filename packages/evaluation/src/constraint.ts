import type { ReadyContext } from './context.ts';
import type { Constraint } from './document.ts';
import { isInside, type Network, parseAddress, parseNetwork } from './ip-address.ts';
import { type Search, searchPattern, searchValues } from './search.ts';
import { compareVersions, parseVersion } from './semver.ts';

/** Returns whether a context meets a condition. */
export type Test = (context: ReadyContext) => boolean;

/** A compiled constraint; `source` is its definition. */
export interface CompiledConstraint {
  readonly source: Constraint;
  readonly passes: Test;
  /** Whether testing it spends units of the evaluation budget. */
  readonly isSearch: boolean;
  /** Present for a plain `IN` constraint, which is met exactly when the field has one of these values. */
  readonly list?: ValueList;
}

/** A context field and a set of its values. */
export interface ValueList {
  readonly field: string;
  readonly values: ReadonlySet<string>;
}

/** Compiles the constraints of one operator. */
type Operator = (constraint: Constraint) => Test;

/**
 * Compiles a constraint (docs/spec#constraints). Never throws: an invalid constraint (an unknown operator, or a value
 * of the wrong type) is never met, and with an unknown operator not even when inverted. A search over the evaluation
 * budget is skipped; its constraint is then not met, inverted or not.
 */
export function compileConstraint(source: Constraint): CompiledConstraint {
  const prepareSearch = searches.get(source.operator);
  if (prepareSearch !== undefined) {
    return { source, isSearch: true, passes: withinBudget(source, prepareSearch(source)) };
  }
  if (source.operator === 'IN' && source.inverted !== true && source.caseInsensitive !== true) {
    const list = { field: source.contextName, values: new Set(listOf(source)) };
    return { source, isSearch: false, passes: isListed(list), list };
  }
  const operator = operators.get(source.operator);
  if (operator === undefined) return { source, isSearch: false, passes: never };
  const test = operator(source);
  return { source, isSearch: false, passes: source.inverted === true ? (context) => !test(context) : test };
}

const never: Test = () => false;

/** The fixed cost of a search. */
const unitsPerSearch = 100;

function withinBudget(source: Constraint, { unitsPerCharacter, finds }: Search): Test {
  const { contextName } = source;
  const inverted = source.inverted === true;
  return ({ values, budget, searched }) => {
    const text = values.get(contextName);
    if (text === undefined) return inverted;
    const affordable = budget.spend(unitsPerSearch + text.length * unitsPerCharacter);
    const passes = affordable && finds(text) !== inverted;
    searched?.set(source, affordable ? passes : 'over budget');
    return passes;
  };
}

/** Tests the value of a context field; false when the context has no value. */
function ofField({ contextName }: Constraint, test: (text: string) => boolean): Test {
  return ({ values }) => {
    const text = values.get(contextName);
    return text !== undefined && test(text);
  };
}

/** Returns the values of a constraint, trimmed, without blank values. */
function listOf({ values }: Constraint): string[] {
  return (values ?? []).map((value) => String(value).trim()).filter((value) => value !== '');
}

function isListed({ field, values: wanted }: ValueList): Test {
  return ({ values }) => {
    const text = values.get(field);
    return text !== undefined && wanted.has(text);
  };
}

function isIn(constraint: Constraint): Test {
  const fold = foldOf(constraint);
  const wanted = new Set(listOf(constraint).map(fold));
  return ofField(
    constraint,
    constraint.caseInsensitive ? (text) => wanted.has(fold(text)) : (text) => wanted.has(text),
  );
}

function foldOf({ caseInsensitive }: Constraint): (text: string) => string {
  return caseInsensitive ? (text) => text.toLowerCase() : (text) => text;
}

function comparesText(matches: (text: string, value: string) => boolean): Operator {
  return (constraint) => {
    const fold = foldOf(constraint);
    const wanted = listOf(constraint).map(fold);
    return ofField(constraint, (text) => {
      const folded = fold(text);
      return wanted.some((value) => matches(folded, value));
    });
  };
}

function comparesNumber(holds: (number: number, value: number) => boolean): Operator {
  return (constraint) => {
    const value = Number(constraint.value);
    // Blank text is 0, as in the SDK for Node. A comparison with what is no number is false whatever it compares.
    return ofField(constraint, (text) => holds(Number(text), value));
  };
}

function comparesTime(holds: (time: number, value: number) => boolean): Operator {
  return ({ value }) => {
    const time = Date.parse(value ?? '');
    return (context) => holds(context.time, time);
  };
}

function comparesVersion(holds: (order: number) => boolean): Operator {
  return (constraint) => {
    const value = parseVersion(constraint.value ?? '');
    if (value === undefined) return never;
    return ofField(constraint, (text) => {
      const version = parseVersion(text);
      return version !== undefined && holds(compareVersions(version, value));
    });
  };
}

function isInNetwork(constraint: Constraint): Test {
  const networks = listOf(constraint).flatMap((value): Network[] => {
    const network = parseNetwork(value);
    return network === undefined ? [] : [network];
  });
  return ofField(constraint, (text) => {
    const address = parseAddress(text);
    return address !== undefined && networks.some((network) => isInside(address, network));
  });
}

/** Operators whose cost depends on the length of the text and of the values. */
const searches: ReadonlyMap<string, (constraint: Constraint) => Search> = new Map([
  ['REGEX', ({ value, caseInsensitive }: Constraint) => searchPattern(value ?? '', caseInsensitive === true)],
  ['STR_CONTAINS', (constraint: Constraint) => searchValues(listOf(constraint), constraint.caseInsensitive === true)],
]);

const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['IN', isIn],
  [
    'NOT_IN',
    (constraint) => {
      const test = isIn(constraint);
      return (context) => !test(context);
    },
  ],
  ['STR_STARTS_WITH', comparesText((text, value) => text.startsWith(value))],
  ['STR_ENDS_WITH', comparesText((text, value) => text.endsWith(value))],
  ['NUM_EQ', comparesNumber((number, value) => number === value)],
  ['NUM_GT', comparesNumber((number, value) => number > value)],
  ['NUM_GTE', comparesNumber((number, value) => number >= value)],
  ['NUM_LT', comparesNumber((number, value) => number < value)],
  ['NUM_LTE', comparesNumber((number, value) => number <= value)],
  ['DATE_AFTER', comparesTime((time, value) => time > value)],
  ['DATE_BEFORE', comparesTime((time, value) => time < value)],
  ['SEMVER_EQ', comparesVersion((order) => order === 0)],
  ['SEMVER_GT', comparesVersion((order) => order > 0)],
  ['SEMVER_GTE', comparesVersion((order) => order >= 0)],
  ['SEMVER_LT', comparesVersion((order) => order < 0)],
  ['SEMVER_LTE', comparesVersion((order) => order <= 0)],
  ['IN_CIDR', isInNetwork],
]);
