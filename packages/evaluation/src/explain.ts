import type { CompiledConstraint, Test } from './constraint.ts';
import type { ReadyContext, SearchResult } from './context.ts';
import type { Constraint } from './document.ts';
import { type CompiledFlag, dependenciesHold, type Evaluation, evaluateFlag, type FindFlag } from './flag.ts';
import type { CompiledSegment, CompiledStrategy } from './strategy.ts';
import type { Variant } from './variant.ts';

/** `unknown`: the result depends on the host or the SDK that evaluates the strategy. */
export type Verdict = boolean | 'unknown';

export interface ConstraintExplanation {
  readonly source: Constraint;
  readonly result: boolean;
  /** Present when the constraint counts as not met because testing it would have exceeded the evaluation budget. */
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
  /**
   * False when the rule of the strategy cannot be evaluated here. The result is still known when a constraint
   * fails.
   */
  readonly complete: boolean;
  /**
   * The variant that the context gets if this strategy is the first that passes. Null when the strategy has no
   * variants or does not pass.
   */
  readonly variant: Variant | null;
  readonly constraints: readonly ConstraintExplanation[];
  /** Missing segments are left out; they make the result false. */
  readonly segments: readonly SegmentExplanation[];
}

/** The explanation of a flag's evaluation for a context. */
export interface FlagExplanation {
  /** The result of {@link evaluateFlag}. */
  readonly evaluation: Evaluation;
  readonly dependenciesHold: boolean;
  /** The result of the strategies alone, without the enabled state and dependencies of the flag. */
  readonly result: Verdict;
  /** The explanations of the flag's strategies, in order. */
  readonly strategies: readonly StrategyExplanation[];
}

/**
 * Evaluates a flag and explains the result down to each constraint. The random number is drawn once, so that the
 * explanation fits the evaluation. The results of `applicationHostname` and of custom strategies are unknown.
 */
export function explainFlag(flag: CompiledFlag, ready: ReadyContext, find: FindFlag): FlagExplanation {
  const context = settled(ready);
  // Evaluate first: the explanation reuses its search results and spends budget only on the remaining searches.
  const evaluation = evaluateFlag(flag, context, find);
  const strategies = explainSettled(flag.strategies, context);
  return {
    evaluation,
    dependenciesHold: dependenciesHold(flag, context, find),
    result: strategies.length === 0 || anyOf(strategies.map(({ result }) => result)),
    strategies,
  };
}

/** Explains the result of each strategy for a context. The strategies share the budget of one flag. */
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
    [...constraints, ...segments].every((explanation) => explanation.result),
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
