import type { Identity } from '../../kernel/caller.ts';
import type { SetLimits } from '../actions/index.ts';
import type { TokenOptions } from '../api-tokens/index.ts';
import type { ReviewPolicy } from '../change-control/index.ts';
import type { Fault, FlagLimits, FlagRules } from '../flags/index.ts';
import type { SegmentLimits } from '../segments/index.ts';
import type { StrategyPolicy } from '../strategy-types/index.ts';
import type { StateChange } from './changes.ts';

export interface StateLimits {
  readonly review: ReviewPolicy;
  readonly projects: number;
  readonly segments: SegmentLimits;
  readonly flags: FlagLimits;
  readonly actionSets: SetLimits;
  readonly strategies: StrategyPolicy;
  /** Most environments. */
  readonly environments: number;
  readonly apiTokens: TokenOptions;
}

export interface PlanOptions {
  readonly limits: StateLimits;
  readonly now: number;
  /** Who wants it: this decides what is seen, and what may be changed. */
  readonly caller: Identity;
  /** Whether a wanted flag that is archived is refused, or comes back. */
  readonly archived: FlagRules['archived'];
  /** Whether segments, context fields and types of tags that there are already stay as they are. */
  readonly kept: boolean;
  /** Projects whose flags are archived when they are not wanted. */
  readonly prune: readonly string[];
  /** Projects whose sets of actions are disabled when they are not wanted. */
  readonly pruneActions: readonly string[];
}

/** Something that keeps wanted state from becoming real. */
export interface StateFault extends Fault {
  readonly kind: StateChange['kind'];
  readonly name: string;
  readonly project?: string;
}
