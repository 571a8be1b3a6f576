import { type CompiledConstraint, compileConstraint, type Test, type ValueList } from './constraint.ts';
import type { ReadyContext } from './context.ts';
import type { Constraint, Segment, Strategy } from './document.ts';
import { compileRule } from './rule.ts';
import { compileVariants, type Pick } from './variant.ts';

/** Finds a segment by its id; undefined when it does not exist. */
export type FindSegment = (id: number) => CompiledSegment | undefined;

export interface CompiledSegment {
  readonly id: number;
  readonly name: string;
  readonly constraints: readonly CompiledConstraint[];
}

export interface CompiledStrategy {
  readonly source: Strategy;
  readonly constraints: readonly CompiledConstraint[];
  /** The segments in the order of the strategy's list; undefined for missing segments. */
  readonly segments: readonly (CompiledSegment | undefined)[];
  /** The rule of the strategy type; undefined for custom strategies. */
  readonly rule: Test | undefined;
  readonly pick: Pick | undefined;
  /** Whether any constraint spends units of the evaluation budget. */
  readonly searches: boolean;
  /** Tests constraints, segments and rule. */
  readonly passes: Test;
  /** The plain `IN` constraints (neither inverted nor case-insensitive) of the strategy and its segments. */
  readonly lists: readonly ValueList[];
  /** Tests everything except `lists`. */
  readonly passesBesideLists: Test;
}

/** Compiles a segment, once for all flags that use it. */
export function compileSegment({ id, name = '', constraints }: Segment): CompiledSegment {
  return { id, name, constraints: compileAll(constraints) };
}

/** Prepares a strategy of a flag (docs/spec#flag-evaluation). */
export function compileStrategy(source: Strategy, flagName: string, find: FindSegment): CompiledStrategy {
  const constraints = compileAll(source.constraints);
  const segments = (source.segments ?? []).map(find);
  const rule = compileRule(source, flagName);
  const { groupId, stickiness } = source.parameters ?? {};
  const all = [constraints, ...segments.map((segment) => segment?.constraints ?? [])].flat();
  const isKnown = rule !== undefined && !segments.includes(undefined);
  return {
    source,
    constraints,
    segments,
    rule,
    pick: compileVariants(source.variants, groupId || flagName, stickiness),
    searches: all.some(({ isSearch }) => isSearch),
    passes: isKnown ? allOf(all, rule) : never,
    lists: all.flatMap(({ list }) => list ?? []),
    passesBesideLists: isKnown
      ? allOf(
          all.filter(({ list }) => list === undefined),
          rule,
        )
      : never,
  };
}

function compileAll(constraints: readonly Constraint[] | null | undefined): CompiledConstraint[] {
  return (constraints ?? []).map(compileConstraint);
}

const never: Test = () => false;

function allOf(constraints: readonly CompiledConstraint[], rule: Test): Test {
  const tests = constraints.map(({ passes }) => passes);
  if (tests.length === 0) return rule;
  return (context: ReadyContext) => {
    for (const test of tests) if (!test(context)) return false;
    return rule(context);
  };
}
