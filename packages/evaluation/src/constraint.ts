import type { ReadyContext } from './context.ts';
import type { Constraint } from './document.ts';
import { isInside, type Network, parseAddress, parseNetwork } from './ip-address.ts';
import type { Operator } from './operators.ts';
import { type Search, searchPattern, searchValues } from './search.ts';
import { compareVersions, parseVersion } from './semver.ts';
import { readNumber } from './values.ts';

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

/** Compiles the constraints of one operator to a test. */
type Compile = (constraint: Constraint) => Test;

/** How an operator is compiled. `search` is for operators whose cost depends on the length of the text and values. */
type Compiler = { readonly test: Compile } | { readonly search: (constraint: Constraint) => Search };

/**
 * Compiles a constraint (docs/spec#constraints). Never throws. A constraint with an unknown operator is never met,
 * inverted or not. A comparison with a value of the wrong type is false, so that only the inverted constraint is met. A
 * search over the evaluation budget is skipped; its constraint is then not met, inverted or not.
 */
export function compileConstraint(source: Constraint): CompiledConstraint {
  const compiler = compilers.get(source.operator);
  if (compiler === undefined) return { source, isSearch: false, passes: never };
  if ('search' in compiler) return { source, isSearch: true, passes: withinBudget(source, compiler.search(source)) };
  if (source.operator === 'IN' && source.inverted !== true && source.caseInsensitive !== true) {
    const list = { field: source.contextName, values: new Set(listOf(source)) };
    return { source, isSearch: false, passes: isListed(list), list };
  }
  const test = compiler.test(source);
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

function comparesText(matches: (text: string, value: string) => boolean): Compile {
  return (constraint) => {
    const fold = foldOf(constraint);
    const wanted = listOf(constraint).map(fold);
    return ofField(constraint, (text) => {
      const folded = fold(text);
      return wanted.some((value) => matches(folded, value));
    });
  };
}

function comparesNumber(holds: (number: number, value: number) => boolean): Compile {
  return (constraint) => {
    // Every comparison with NaN is false.
    const numberOf = constraint.looseNumber === true ? Number : (text: string) => readNumber(text) ?? Number.NaN;
    const value = numberOf(constraint.value ?? '');
    return ofField(constraint, (text) => holds(numberOf(text), value));
  };
}

function comparesTime(holds: (time: number, value: number) => boolean): Compile {
  return ({ value }) => {
    const time = Date.parse(value ?? '');
    return (context) => holds(context.time, time);
  };
}

function comparesVersion(holds: (order: number) => boolean): Compile {
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

const compilers: ReadonlyMap<string, Compiler> = new Map(
  Object.entries<Compiler>({
    IN: { test: isIn },
    NOT_IN: {
      test: (constraint) => {
        const test = isIn(constraint);
        return (context) => !test(context);
      },
    },
    STR_STARTS_WITH: { test: comparesText((text, value) => text.startsWith(value)) },
    STR_ENDS_WITH: { test: comparesText((text, value) => text.endsWith(value)) },
    STR_CONTAINS: { search: (constraint) => searchValues(listOf(constraint), constraint.caseInsensitive === true) },
    NUM_EQ: { test: comparesNumber((number, value) => number === value) },
    NUM_GT: { test: comparesNumber((number, value) => number > value) },
    NUM_GTE: { test: comparesNumber((number, value) => number >= value) },
    NUM_LT: { test: comparesNumber((number, value) => number < value) },
    NUM_LTE: { test: comparesNumber((number, value) => number <= value) },
    DATE_AFTER: { test: comparesTime((time, value) => time > value) },
    DATE_BEFORE: { test: comparesTime((time, value) => time < value) },
    SEMVER_EQ: { test: comparesVersion((order) => order === 0) },
    SEMVER_GT: { test: comparesVersion((order) => order > 0) },
    SEMVER_GTE: { test: comparesVersion((order) => order >= 0) },
    SEMVER_LT: { test: comparesVersion((order) => order < 0) },
    SEMVER_LTE: { test: comparesVersion((order) => order <= 0) },
    REGEX: { search: ({ value, caseInsensitive }) => searchPattern(value ?? '', caseInsensitive === true) },
    IN_CIDR: { test: isInNetwork },
  } satisfies Record<Operator, Compiler>),
);
