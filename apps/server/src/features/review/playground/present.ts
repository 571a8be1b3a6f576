import type {
  CompiledFlag,
  ConstraintExplanation,
  FlagExplanation,
  Strategy,
  StrategyExplanation,
} from '@yardarm/evaluation';
import { presentHold } from '#features/flags/held-state/index.ts';
import type { HoldInForce } from '#features/flags/holds/index.ts';
import type { ClientStrategy } from '#features/flags/reading/index.ts';
import { flagVariantsColumn } from '#features/flags/variants/index.ts';
import type { SnapshotFlag } from '#features/sdks/sdk/index.ts';

export interface ExplainedStrategy {
  readonly strategy: ClientStrategy;
  readonly source: Strategy;
  readonly explanation: StrategyExplanation;
}

interface Explained {
  readonly flag: SnapshotFlag;
  readonly environment: string;
  readonly compiled: CompiledFlag;
  readonly explanation: FlagExplanation;
  readonly strategies: readonly ExplainedStrategy[];
  readonly basePath: string;
  /** The active hold of the flag; undefined without a hold. */
  readonly held: HoldInForce | undefined;
  /** Variants of the flag in the environment; undefined when the flag is not in it. */
  readonly variantsJson: string | undefined;
}

/** The contract's `playgroundFeature`. */
export type ExplainedFeature = ReturnType<typeof presentFeature>;

export function presentFeature(explained: Explained) {
  const { flag, environment, compiled, explanation, strategies, basePath, held, variantsJson } = explained;
  const { name, project } = flag.feature;
  const { evaluation, dependenciesHold, result } = explanation;
  const editor = `${basePath}/projects/${project}/features/${name}/strategies/edit`;
  return {
    name,
    projectId: project,
    isEnabled: evaluation.enabled,
    isEnabledInCurrentEnvironment: compiled.enabled,
    isConfiguredOn: held?.configuredOn ?? compiled.enabled,
    lease: held === undefined ? null : presentHold(held.hold),
    hasUnsatisfiedDependency: !dependenciesHold,
    strategies: {
      result,
      data: strategies.map((strategy) => presentStrategy(strategy, editor, environment)),
    },
    variant: { ...evaluation.variant, feature_enabled: evaluation.enabled, featureEnabled: evaluation.enabled },
    variants: flagVariantsColumn.parse(variantsJson ?? '[]', `${name} in ${environment}`),
  };
}

function presentStrategy({ strategy, source, explanation }: ExplainedStrategy, editor: string, environment: string) {
  const { id, name, title, disabled } = strategy;
  return {
    id,
    name,
    ...(title === null ? {} : { title }),
    disabled,
    result: resultOf(disabled, source, explanation),
    parameters: source.parameters ?? {},
    constraints: explanation.constraints.map(presentConstraint),
    segments: explanation.segments.map((segment) => ({
      id: segment.id,
      name: segment.name,
      result: segment.result,
      constraints: segment.constraints.map(presentConstraint),
    })),
    links: { edit: `${editor}?${new URLSearchParams({ environmentId: environment, strategyId: id })}` },
  };
}

function resultOf(disabled: boolean, { variants }: Strategy, { result, complete, variant }: StrategyExplanation) {
  if (disabled) return { evaluationStatus: 'unevaluated', enabled: 'unknown' };
  if (!complete) return { evaluationStatus: 'incomplete', enabled: result };
  return { evaluationStatus: 'complete', enabled: result, variant, variants: variants ?? [] };
}

function presentConstraint({ source, ...explanation }: ConstraintExplanation) {
  return { ...source, ...explanation };
}
