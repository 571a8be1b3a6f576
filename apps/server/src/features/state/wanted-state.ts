import type { ParsedInstallation } from '@yardarm/contract';
import type { SetInput } from '../actions/index.ts';
import type { Constraint } from '../constraints/index.ts';
import type { WantedFlag } from '../flags/index.ts';
import type { StrategyTypeInput } from '../strategy-types/index.ts';

/**
 * How projects, flags and what they use are to be. What is absent, and what is not named, stays as it is; lists are
 * complete.
 */
export interface WantedState {
  readonly projects: readonly WantedProject[];
  readonly flags: readonly WantedFlag[];
  readonly segments: readonly WantedSegment[];
  readonly contextFields: readonly WantedContextField[];
  readonly tagTypes: readonly WantedTagType[];
  /** Custom strategies that are created where they are missing; one that is there stays as it is. */
  readonly strategies: readonly StrategyTypeInput[];
  readonly actionSets: readonly WantedActionSet[];
  /** What is created besides where it is missing; its strategies are above. */
  readonly installation?: Omit<ParsedInstallation, 'strategies'> | undefined;
}

/** A set of actions of a project; endpoint and service account go by their names. */
export interface WantedActionSet
  extends Partial<Pick<SetInput, 'description' | 'enabled' | 'shadow' | 'allow' | 'guards'>> {
  readonly project: string;
  readonly name: string;
  /** Needed for one that there is not yet, as the endpoint and the actions are. */
  readonly serviceAccount?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly forEach?: string | null | undefined;
  readonly filters?: SetInput['match']['payload'] | undefined;
  /** In their order. */
  readonly actions?: SetInput['actions'] | undefined;
}

export interface WantedProject {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly mode?: 'open' | 'protected' | 'private' | undefined;
  readonly defaultStickiness?: string | undefined;
  /** Most flags that it takes; null for as many as there may be. */
  readonly featureLimit?: number | null | undefined;
  readonly environments?: readonly string[] | undefined;
}

export interface WantedSegment {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** The project whose flags alone may use it; null for those of all. */
  readonly project?: string | null | undefined;
  /** Needed for one that there is not yet. */
  readonly constraints?: readonly Constraint[] | undefined;
}

export interface WantedContextField {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly stickiness?: boolean | undefined;
  readonly sortOrder?: number | undefined;
  readonly legalValues?: readonly { readonly value: string; readonly description?: string | undefined }[] | undefined;
  /** Decided when it is created; null for one of all projects. */
  readonly project?: string | null | undefined;
}

export interface WantedTagType {
  readonly name: string;
  readonly description?: string | undefined;
  readonly icon?: string | null | undefined;
  readonly color?: string | null | undefined;
}
