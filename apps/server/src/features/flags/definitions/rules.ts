import type { DefaultStrategyFactory } from '#features/flags/default-strategies/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import type { StrategyType } from '#features/flags/strategy-types/index.ts';
import type { Constraint } from '#features/platform/constraints/index.ts';
import type { Project } from '#features/projects/projects/index.ts';

/** The state of the database that desired flags are checked against, loaded before planning. */
export interface FlagRules {
  readonly limits: StrategyLimits;
  /** The time and the author of new flags. */
  readonly now: number;
  readonly userId: number;
  /** Projects hidden from the caller. */
  readonly hidden: ReadonlySet<string>;
  readonly projects: ReadonlyMap<string, ProjectWithEnvironments>;
  readonly definitions: ReadonlyMap<string, StrategyType>;
  /** Segments by name. */
  readonly segments: ReadonlyMap<string, PlannableSegment>;
  readonly tagTypes: ReadonlySet<string>;
  /** Throws a 400 for the first constraint that its context field does not allow, unless it is in `before`. */
  checkLegal(project: string, constraints: readonly Constraint[], before: readonly Constraint[]): void;
  /** Creates the strategy of a flag that is switched on without an active strategy. */
  readonly makeDefault: DefaultStrategyFactory;
  /** The treatment of a desired flag that is archived: `refused` adds a fault, `revived` revives the flag. */
  readonly archived: 'refused' | 'revived';
}

export interface ProjectWithEnvironments {
  readonly project: Project;
  readonly environments: readonly string[];
}

export interface PlannableSegment {
  /** Negative for a segment that the plan creates. */
  readonly id: number;
  readonly project: string | null;
}
