import type { FlagInput } from '@yardarm/contract';
import type { Dependency } from '#features/flags/dependencies/index.ts';
import type { Feature, FeatureTag } from '#features/flags/feature/index.ts';
import type { Link } from '#features/flags/links/index.ts';
import type { Strategy, StrategyInput } from '#features/flags/strategies/index.ts';
import type { FlagVariant } from '#features/flags/variants/index.ts';

/** A flag with its tags, links, dependency and states in environments. */
export interface FlagDefinition {
  readonly feature: Feature;
  readonly tags: readonly FeatureTag[];
  readonly links: readonly Link[];
  readonly dependency: Dependency | undefined;
  /** The flag's environments by name. */
  readonly environments: ReadonlyMap<string, FlagInEnvironment>;
}

export interface FlagInEnvironment {
  readonly enabled: boolean;
  /** In evaluation order. */
  readonly strategies: readonly Strategy[];
  readonly variants: readonly FlagVariant[];
}

/** A flag in an environment in which it has nothing. */
export const off: FlagInEnvironment = { enabled: false, strategies: [], variants: [] };

/** Returns a flag that is off in environments, without tags, links and dependency. */
export function flagOff(feature: Feature, environments: readonly string[]): FlagDefinition {
  return {
    feature,
    tags: [],
    links: [],
    dependency: undefined,
    environments: new Map(environments.map((environment) => [environment, off])),
  };
}

/**
 * The desired state of a flag. An absent field keeps its value, or takes the default in a new flag. Lists are complete.
 */
export interface DesiredFlag extends Readonly<FlagInput> {
  readonly name: string;
  readonly project: string;
  readonly tags?: readonly FeatureTag[] | undefined;
  /** Tags to add to the present tags. */
  readonly moreTags?: readonly FeatureTag[] | undefined;
  readonly links?: readonly DesiredLink[] | undefined;
  /** Links to add to the present links. */
  readonly moreLinks?: readonly DesiredLink[] | undefined;
  /** The desired parent flag; null for no dependency. */
  readonly dependency?: DesiredDependency | null | undefined;
  readonly environments?: ReadonlyMap<string, DesiredEnvironment> | undefined;
}

export interface DesiredLink {
  readonly url: string;
  readonly title?: string | null | undefined;
}

export interface DesiredDependency {
  readonly feature: string;
  readonly enabled?: boolean | undefined;
  readonly variants?: readonly string[] | undefined;
}

export interface DesiredEnvironment {
  readonly enabled?: boolean | undefined;
  readonly strategies?: readonly DesiredStrategy[] | undefined;
  /**
   * True when the order of the strategies is a guess: present strategies keep their order, unless the order
   * affects variants.
   */
  readonly isOrderGuessed?: boolean | undefined;
  /** The number of strategies that a release plan serves. They are not in `strategies`, and at least one is active. */
  readonly strategiesOfPlan?: number | undefined;
  readonly variants?: readonly FlagVariant[] | undefined;
}

/** A complete strategy. Absent fields take their defaults. Segments are given by name. */
export type DesiredStrategy = Omit<StrategyInput, 'name' | 'segments'> & {
  readonly name: string;
  readonly segments?: readonly string[] | undefined;
};
