import type { CompiledConstraint, Test } from './constraint.ts';
import type { ReadyContext, SearchResult } from './context.ts';
import type { Constraint } from './document.ts';
import { type CompiledFlag, dependenciesHold, type Evaluation, evaluateFlag, type FindFlag } from './flag.ts';
import type { CompiledSegment, CompiledStrategy } from './strategy.ts';
import type { Variant } from './variant.ts';

/** `unknown`: it depends on where or by what it is evaluated. */
export type Verdict = boolean | 'unknown';

export interface ConstraintExplanation {
  readonly source: Constraint;
  readonly result: boolean;
  /** Present when it counts as not met because testing it would have gone over the budget of the evaluation. */
  readonly overBudget?: true;
}

export interface SegmentExplanation {
  readonly id: number;
  readonly name: string;
  readonly result: boolean;
  readonly constraints: readonly ConstraintExplanation[];
}

export interface StrategyExplanation {
  readonly result: Verdict;
  /** False where its own rule cannot be known here, though a constraint may have said no already. */
  readonly complete: boolean;
  /** What those get for whom this strategy is the first that says yes; null where it has no variants or says no. */
  readonly variant: Variant | null;
  readonly constraints: readonly ConstraintExplanation[];
  /** Segments that are gone are left out; the result says no for them. */
  readonly segments: readonly SegmentExplanation[];
}

/** Why a flag is what it is for somebody. */
export interface FlagExplanation {
  /** As {@link evaluateFlag} has it. */
  readonly evaluation: Evaluation;
  readonly dependenciesHold: boolean;
  /** Whether its strategies let somebody through, also where the flag is off or a dependency does not hold. */
  readonly result: Verdict;
  /** One for each of the flag's strategies, in their order. */
  readonly strategies: readonly StrategyExplanation[];
}

/**
 * Evaluates a flag and tells why, down to each constraint. Chance is drawn once, so that the explanation explains the
 * very evaluation beside it. What `applicationHostname` and strategies that are not built in would say is unknown here.
 */
export function explainFlag(flag: CompiledFlag, ready: ReadyContext, find: FindFlag): FlagExplanation {
  const context = settled(ready);
  // First: what it searches is explained as it was evaluated, and only the rest is searched for the explanation.
  const evaluation = evaluateFlag(flag, context, find);
  const strategies = explainSettled(flag.strategies, context);
  return {
    evaluation,
    dependenciesHold: dependenciesHold(flag, context, find),
    result: strategies.length === 0 || anyOf(strategies.map(({ result }) => result)),
    strategies,
  };
}

/** Tells what each strategy says of somebody, and why. They share the budget of one flag. */
export function explainStrategies(
  strategies: readonly CompiledStrategy[],
  context: ReadyContext,
): readonly StrategyExplanation[] {
  return explainSettled(strategies, settled(context));
}

function explainSettled(
  strategies: readonly CompiledStrategy[],
  context: ExplainedContext,
): readonly StrategyExplanation[] {
  const before = context.budget.beginFlag();
  const explained = strategies.map((strategy) => explainStrategy(strategy, context));
  context.budget.endFlag(before);
  return explained;
}

function explainStrategy(strategy: CompiledStrategy, context: ExplainedContext): StrategyExplanation {
  const constraints = strategy.constraints.map((constraint) => explainConstraint(constraint, context));
  const segments = strategy.segments.flatMap((segment) => (segment ? [explainSegment(segment, context)] : []));
  const result = verdict(
    strategy,
    [...constraints, ...segments].every((one) => one.result),
    context,
  );
  const variant = result === true ? (strategy.pick?.(context) ?? null) : null;
  return { result, complete: isKnown(strategy), variant, constraints, segments };
}

function verdict(strategy: CompiledStrategy, conditions: boolean, context: ReadyContext): Verdict {
  if (!conditions || strategy.segments.includes(undefined)) return false;
  return isKnown(strategy) ? strategy.rule(context) : 'unknown';
}

function isKnown(strategy: CompiledStrategy): strategy is CompiledStrategy & { readonly rule: Test } {
  return strategy.rule !== undefined && strategy.source.name !== 'applicationHostname';
}

function explainConstraint({ source, passes }: CompiledConstraint, context: ExplainedContext): ConstraintExplanation {
  const { searched } = context;
  const result = searched.get(source) ?? passes(context);
  if (searched.get(source) === 'over budget') return { source, result: false, overBudget: true };
  return { source, result: result === true };
}

function explainSegment({ id, name, constraints }: CompiledSegment, context: ExplainedContext): SegmentExplanation {
  const explained = constraints.map((constraint) => explainConstraint(constraint, context));
  return { id, name, result: explained.every(({ result }) => result), constraints: explained };
}

type ExplainedContext = ReadyContext & { readonly searched: Map<Constraint, SearchResult> };

function settled(context: ReadyContext): ExplainedContext {
  const drawn = context.random();
  return { ...context, random: () => drawn, hostname: '', searched: new Map() };
}

function anyOf(results: readonly Verdict[]): Verdict {
  if (results.includes(true)) return true;
  return results.includes('unknown') ? 'unknown' : false;
}
