import {
  type CompiledStrategy,
  compileStrategy,
  type EvaluationBudget,
  type EvaluationContext,
  explainStrategies,
  type FlagSet,
  type ReadyContext,
  readyContext,
  type Strategy,
  type StrategyExplanation,
} from '@yardarm/evaluation';
import { type HoldInForce, placeKey } from '#features/flags/holds/index.ts';
import type { ClientStrategy } from '#features/flags/reading/index.ts';
import { strategyColumns } from '#features/flags/strategies/index.ts';
import type { SnapshotFlag, SnapshotSegments } from '#features/sdks/sdk/index.ts';
import { type ExplainedFeature, type ExplainedStrategy, presentFeature } from './present.ts';

/** The state of an environment, current or previewed, in which flags are explained. */
export interface EnvironmentState {
  readonly environment: string;
  /** All flags, because a flag can depend on any other. */
  readonly all: FlagSet;
  readonly segments: SnapshotSegments;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Active holds in the environment, by flag and environment. */
  readonly held: ReadonlyMap<string, HoldInForce>;
  readonly random: () => number;
  /** For contexts without a session id; the same for all evaluations of the request. */
  readonly sessionId: string;
  /** Shared by all evaluations of the request. */
  readonly budget: EvaluationBudget;
  /** Cache of compiled disabled strategies. */
  readonly disabled: WeakMap<ClientStrategy, CompiledStrategy>;
  /** Path prefix of the admin UI. */
  readonly basePath: string;
}

/** Evaluates a flag for a context in an environment and explains the result (docs/spec#playground). */
export function explainFeature(
  flag: SnapshotFlag,
  context: EvaluationContext,
  state: EnvironmentState,
): ExplainedFeature {
  const { environment, all, now, random, sessionId, budget, basePath } = state;
  const compiled = flag.compiled(environment);
  const ready = readyContext({ environment, sessionId, ...context }, { now, random, budget });
  const explanation = all.explain(compiled, ready);
  const active = [...explanation.strategies];
  const flagEnvironment = flag.feature.environments.find((state) => state.environment === environment);
  const disabled = [...explainDisabled(flagEnvironment?.strategies ?? [], flag, ready, state)];
  const strategies = (flagEnvironment?.strategies ?? []).map((strategy): ExplainedStrategy => {
    const source = sourceOf(strategy);
    const explanation = (strategy.disabled ? disabled : active).shift();
    if (explanation === undefined) throw new Error(`${flag.feature.name} has more strategies than were evaluated`);
    return { strategy, source, explanation };
  });
  return presentFeature({
    flag,
    environment,
    compiled,
    explanation,
    strategies,
    basePath,
    held: state.held.get(placeKey({ featureName: flag.feature.name, environment })),
    variantsJson: flagEnvironment?.variantsJson,
  });
}

/** Compiles and explains disabled strategies, which are not compiled for SDKs. */
function explainDisabled(
  strategies: readonly ClientStrategy[],
  { feature }: SnapshotFlag,
  context: ReadyContext,
  { segments, disabled }: EnvironmentState,
): readonly StrategyExplanation[] {
  const compiled = strategies
    .filter((strategy) => strategy.disabled)
    .map((strategy) => {
      const known = disabled.get(strategy);
      if (known !== undefined) return known;
      const result = compileStrategy(sourceOf(strategy), feature.name, (id) => segments.get(id)?.compiled);
      disabled.set(strategy, result);
      return result;
    });
  return compiled.length === 0 ? [] : explainStrategies(compiled, context);
}

function sourceOf({ id, name, parametersJson, constraintsJson, variantsJson, segments }: ClientStrategy): Strategy {
  return {
    name,
    parameters: strategyColumns.parameters.parse(parametersJson, id),
    constraints: strategyColumns.constraints.parse(constraintsJson, id),
    variants: strategyColumns.variants.parse(variantsJson, id),
    segments,
  };
}
