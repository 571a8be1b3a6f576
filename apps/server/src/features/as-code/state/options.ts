import type { SetLimits } from '#features/automation/actions/index.ts';
import type { ReviewPolicy } from '#features/flags/change-control/index.ts';
import type { Fault, FlagRules } from '#features/flags/definitions/index.ts';
import type { FlagLimits } from '#features/flags/flags/index.ts';
import type { SegmentLimits } from '#features/flags/segments/index.ts';
import type { StrategyPolicy } from '#features/flags/strategy-types/index.ts';
import type { TokenOptions } from '#features/people/api-tokens/index.ts';
import type { TemplateLimits } from '#features/releases/release-templates/index.ts';
import type { ChangeLimits } from '#features/review/change-requests/index.ts';
import type { Identity } from '#kernel/caller.ts';
import type { StateChange } from './changes.ts';

export interface StateLimits {
  readonly review: ReviewPolicy;
  readonly projects: number;
  readonly segments: SegmentLimits;
  readonly flags: FlagLimits;
  readonly actionSets: SetLimits;
  readonly strategyTypes: StrategyPolicy;
  readonly releaseTemplates: TemplateLimits;
  /** The maximum number of environments. */
  readonly environments: number;
  readonly apiTokens: TokenOptions;
}

/** Returns the limits of changes that are applied or requested as those of a change request. */
export function changeLimits({ flags, segments, review }: StateLimits): ChangeLimits {
  return { strategies: flags, segments, review };
}

export interface PlanOptions {
  readonly limits: StateLimits;
  readonly now: number;
  /** The caller, whose access rights decide what is visible and what may change. */
  readonly caller: Identity;
  /** The handling of a desired flag that is archived: refused with an error, or revived. */
  readonly archived: FlagRules['archived'];
  /** Keeps existing segments, context fields and tag types unchanged. */
  readonly keepExisting: boolean;
  /** Projects in which flags that the state does not name are archived. */
  readonly prune: readonly string[];
  /** Further flags to archive. */
  readonly archive: readonly string[];
  /** Projects in which action sets that the state does not name are disabled. */
  readonly pruneActions: readonly string[];
}

/** An error in a desired state. */
export interface StateFault extends Fault {
  readonly kind: StateChange['kind'];
  readonly name: string;
  readonly project?: string;
}
