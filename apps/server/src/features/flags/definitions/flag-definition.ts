import type { Dependency } from '../dependencies/index.ts';
import type { Feature, FeatureTag, FeatureTypeId } from '../feature/index.ts';
import type { Link } from '../links/index.ts';
import type { Strategy, StrategyInput } from '../strategies/index.ts';
import type { FlagVariant } from '../variants/index.ts';

/** A flag with all that belongs to it. */
export interface FlagDefinition {
  readonly feature: Feature;
  readonly tags: readonly FeatureTag[];
  readonly links: readonly Link[];
  readonly dependency: Dependency | undefined;
  /** By name, each environment that the flag has a state in. */
  readonly environments: ReadonlyMap<string, FlagInEnvironment>;
}

export interface FlagInEnvironment {
  readonly enabled: boolean;
  /** In their order. */
  readonly strategies: readonly Strategy[];
  readonly variants: readonly FlagVariant[];
}

/** What a flag is to be. What is absent stays, or is what is usual for a new flag; lists are complete. */
export interface DesiredFlag {
  readonly name: string;
  readonly project: string;
  readonly type?: FeatureTypeId | undefined;
  readonly description?: string | null | undefined;
  readonly impressionData?: boolean | undefined;
  readonly stale?: boolean | undefined;
  readonly tags?: readonly FeatureTag[] | undefined;
  /** More tags, besides those it has. */
  readonly moreTags?: readonly FeatureTag[] | undefined;
  readonly links?: readonly DesiredLink[] | undefined;
  /** More links, besides those it has. */
  readonly moreLinks?: readonly DesiredLink[] | undefined;
  /** What it depends on; null for nothing. */
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
  /** Whether their order is a guess: then those that there are keep theirs, unless another order changes an answer. */
  readonly isOrderGuessed?: boolean | undefined;
  readonly variants?: readonly FlagVariant[] | undefined;
}

/** A strategy described whole: what is absent is what is usual. Segments go by their names. */
export type DesiredStrategy = Omit<StrategyInput, 'name' | 'segments'> & {
  readonly name: string;
  readonly segments?: readonly string[] | undefined;
};
