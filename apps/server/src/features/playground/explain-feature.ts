import {
  type CompiledStrategy,
  type Constraint,
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
import type { ClientStrategy } from '../flags/index.ts';
import { type HoldInForce, placeKey } from '../holds/index.ts';
import type { SnapshotFlag, SnapshotSegments } from '../sdk/index.ts';
import { type ExplainedFeature, type ExplainedStrategy, presentFeature } from './present.ts';

/** Where flags are explained: an environment as it was at one moment, or as it would be. */
export interface Scene {
  readonly environment: string;
  /** All flags there are, for one may depend on any other. */
  readonly all: FlagSet;
  readonly segments: SnapshotSegments;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What holds flags there. */
  readonly held: ReadonlyMap<string, HoldInForce>;
  readonly random: () => number;
  /** What all evaluations of the request may take. */
  readonly budget: EvaluationBudget;
  /** Strategies that SDKs never see, as they are compiled to be explained. */
  readonly disabled: WeakMap<ClientStrategy, CompiledStrategy>;
  /** Below which the UI stands. */
  readonly basePath: string;
}

/** What a flag is for somebody in an environment, and why (docs/spec#playground). */
export function explainFeature(flag: SnapshotFlag, context: EvaluationContext, scene: Scene): ExplainedFeature {
  const { environment, all, now, random, budget, basePath } = scene;
  const compiled = flag.compiled(environment);
  const ready = readyContext({ environment, ...context }, { now, random, budget });
  const explanation = all.explain(compiled, ready);
  const active = [...explanation.strategies];
  const there = flag.feature.environments.find((one) => one.environment === environment);
  const disabled = [...explainDisabled(there?.strategies ?? [], flag, ready, scene)];
  const strategies = (there?.strategies ?? []).map((strategy): ExplainedStrategy => {
    const source = sourceOf(strategy);
    const told = (strategy.disabled ? disabled : active).shift();
    if (told === undefined) throw new Error(`${flag.feature.name} has more strategies than were evaluated`);
    return { strategy, source, told };
  });
  return presentFeature({
    flag,
    environment,
    compiled,
    explanation,
    strategies,
    basePath,
    held: scene.held.get(placeKey({ featureName: flag.feature.name, environment })),
    variantsJson: there?.variantsJson,
  });
}

/** SDKs never see them, so they are not among what was compiled for SDKs. */
function explainDisabled(
  strategies: readonly ClientStrategy[],
  { feature }: SnapshotFlag,
  context: ReadyContext,
  { segments, disabled }: Scene,
): readonly StrategyExplanation[] {
  const compiled = strategies
    .filter((strategy) => strategy.disabled)
    .map((strategy) => {
      const known = disabled.get(strategy);
      if (known !== undefined) return known;
      const made = compileStrategy(sourceOf(strategy), feature.name, (id) => segments.get(id)?.compiled);
      disabled.set(strategy, made);
      return made;
    });
  return compiled.length === 0 ? [] : explainStrategies(compiled, context);
}

function sourceOf({ name, parametersJson, constraintsJson, variantsJson, segments }: ClientStrategy): Strategy {
  return {
    name,
    parameters: JSON.parse(parametersJson) as Record<string, string>,
    constraints: JSON.parse(constraintsJson) as Constraint[],
    variants: JSON.parse(variantsJson) as NonNullable<Strategy['variants']>,
    segments,
  };
}
