import type { Constraint } from '../../constraints/index.ts';
import type { Project } from '../../projects/index.ts';
import type { StrategyType } from '../../strategy-types/index.ts';
import type { DefaultStrategyFactory } from '../default-strategies/index.ts';
import type { StrategyLimits } from '../strategies/index.ts';

/** What wanted flags are checked against: all that the database can tell, read before. */
export interface FlagRules {
  readonly limits: StrategyLimits;
  /** When and by whom flags are created. */
  readonly now: number;
  readonly userId: number;
  /** Projects that the caller is not to know of. */
  readonly hidden: ReadonlySet<string>;
  readonly projects: ReadonlyMap<string, ProjectWithEnvironments>;
  readonly definitions: ReadonlyMap<string, StrategyType>;
  /** By name. */
  readonly segments: ReadonlyMap<string, PlannableSegment>;
  readonly tagTypes: ReadonlySet<string>;
  /** Throws a 400 at the first of the constraints that a context field does not allow; those that were there `before` may stay. */
  checkLegal(project: string, constraints: readonly Constraint[], before: readonly Constraint[]): void;
  /** What a flag gets that goes on without an active strategy. */
  readonly makeDefault: DefaultStrategyFactory;
  /** Whether a wanted flag that is archived is refused, or comes back. */
  readonly archived: 'refused' | 'revived';
}

export interface ProjectWithEnvironments {
  readonly project: Project;
  readonly environments: readonly string[];
}

export interface PlannableSegment {
  /** Negative for one that is yet to be created. */
  readonly id: number;
  readonly project: string | null;
}
