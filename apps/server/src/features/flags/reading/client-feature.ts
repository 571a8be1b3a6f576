import type { FlagFields } from '@yardarm/contract';
import type { Dependency } from '#features/flags/dependencies/index.ts';
import { type Strategy, strategyColumns } from '#features/flags/strategies/index.ts';

/**
 * A flag as SDKs receive it, in every environment: in its configured state, or as a hold overrides it. JSON columns
 * stay text, as they are stored.
 */
export interface ClientFeature extends Readonly<FlagFields> {
  readonly name: string;
  readonly project: string;
  readonly environments: readonly ClientFeatureEnvironment[];
  /** The required state of the parent flag; null without a dependency. */
  readonly dependency: Omit<Dependency, 'child'> | null;
}

export interface ClientFeatureEnvironment {
  readonly environment: string;
  readonly enabled: boolean;
  /** In evaluation order, disabled strategies included. */
  readonly strategies: readonly ClientStrategy[];
  /** A JSON array of the flag's own variants. */
  readonly variantsJson: string;
}

export interface ClientStrategy {
  readonly id: string;
  readonly title: string | null;
  /** SDKs do not receive disabled strategies. */
  readonly disabled: boolean;
  readonly name: string;
  /** A JSON object with string values. */
  readonly parametersJson: string;
  /** A JSON array of constraints. */
  readonly constraintsJson: string;
  /** A JSON array of strategy variants. */
  readonly variantsJson: string;
  /** Segment ids, ascending. */
  readonly segments: readonly number[];
}

/** Returns a strategy in the form in which flags for SDKs have it. */
export function toClientStrategy({
  parameters,
  constraints,
  variants,
  sortOrder: _,
  ...rest
}: Omit<Strategy, 'featureName' | 'environment' | 'createdAt'>): ClientStrategy {
  return {
    ...rest,
    parametersJson: strategyColumns.parameters.write(parameters),
    constraintsJson: strategyColumns.constraints.write(constraints),
    variantsJson: strategyColumns.variants.write(variants),
  };
}
