import type { Dependency } from '../dependencies/index.ts';

/**
 * A flag as SDKs need it, in every environment it has: as it is configured, or as a hold overrides it. The JSON stays the text
 * it is stored as.
 */
export interface ClientFeature {
  readonly name: string;
  readonly project: string;
  readonly type: string;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
  readonly environments: readonly ClientFeatureEnvironment[];
  /** What must hold of another flag; null when it depends on none. */
  readonly dependency: Omit<Dependency, 'child'> | null;
}

export interface ClientFeatureEnvironment {
  readonly environment: string;
  readonly enabled: boolean;
  /** In the order in which they are tried; those that are disabled are not. */
  readonly strategies: readonly ClientStrategy[];
  /** An array of the flag's own variants. */
  readonly variantsJson: string;
}

export interface ClientStrategy {
  readonly id: string;
  readonly title: string | null;
  /** SDKs do not get it. */
  readonly disabled: boolean;
  readonly name: string;
  /** An object whose values are strings. */
  readonly parametersJson: string;
  /** An array of constraints. */
  readonly constraintsJson: string;
  /** An array of strategy variants. */
  readonly variantsJson: string;
  /** Ids, ascending. */
  readonly segments: readonly number[];
}
