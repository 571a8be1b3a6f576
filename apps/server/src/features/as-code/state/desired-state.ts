import type { ParsedInstallation, ParsedState, SafeguardBody } from '@yardarm/contract';
import type { SetInput } from '#features/automation/actions/index.ts';
import type { DesiredFlag, DesiredStrategy } from '#features/flags/flags/index.ts';
import type { StrategyTypeInput } from '#features/flags/strategy-types/index.ts';
import type { ConstraintInput } from '#features/platform/constraints/index.ts';
import type { TransitionCondition } from '#features/releases/release-templates/index.ts';

/**
 * The desired state of projects, flags and the entities that they use. An absent field and an unnamed entity stay
 * unchanged; lists are complete.
 */
export interface DesiredState {
  readonly projects: readonly DesiredProject[];
  readonly flags: readonly DesiredFlag[];
  readonly segments: readonly DesiredSegment[];
  readonly contextFields: readonly DesiredContextField[];
  readonly tagTypes: readonly DesiredTagType[];
  /** Custom strategies to create where they are missing; existing ones stay unchanged. */
  readonly strategies: readonly StrategyTypeInput[];
  readonly actionSets: readonly DesiredActionSet[];
  /** When absent, the flags include the strategies that their release plans serve, as in an export. */
  readonly releasePlans?: readonly DesiredReleasePlan[] | undefined;
  readonly safeguards?: readonly DesiredSafeguards[] | undefined;
  readonly releaseTemplates?: readonly DesiredTemplate[] | undefined;
  /** Further parts of an installation to create where they are missing. */
  readonly installation?: Omit<ParsedInstallation, 'strategies'> | undefined;
}

/** An action set of a project, with the endpoint and the service account by name. */
export interface DesiredActionSet
  extends Partial<Pick<SetInput, 'description' | 'enabled' | 'shadow' | 'allow' | 'guards'>> {
  readonly project: string;
  readonly name: string;
  /** Required for a new set, as are the endpoint and the actions. */
  readonly serviceAccount?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly trigger?: SetInput['match']['trigger'];
  readonly forEach?: string | null | undefined;
  readonly filters?: SetInput['match']['payload'] | undefined;
  readonly release?: SetInput['match']['release'] | undefined;
  /** In execution order. */
  readonly actions?: SetInput['actions'] | undefined;
}

/** The release plan of a flag in an environment. */
export interface DesiredReleasePlan {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  /** Null when the flag is to have no plan. */
  readonly plan: {
    readonly name?: string | undefined;
    readonly description?: string | null | undefined;
    readonly maxHalts?: number | null | undefined;
    readonly stepDownMinutes?: number | null | undefined;
    readonly restMinutes?: number | undefined;
    readonly shadow?: boolean | undefined;
    /** In order; required for a new plan. */
    readonly milestones?: readonly DesiredMilestone[] | undefined;
  } | null;
}

/** The safeguards of a flag in an environment. Undefined lists stay as they are. */
export interface DesiredSafeguards {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
  readonly own: readonly SafeguardBody[] | undefined;
  /** Null when the flag is to have no release plan. */
  readonly ofPlan: readonly SafeguardBody[] | null | undefined;
}

/** A complete milestone, with roles and segments by name. */
export interface DesiredMilestone {
  readonly name: string;
  readonly transitionCondition: NamedCondition | null;
  readonly strategies: readonly DesiredStrategy[];
}

/** The gates of a milestone, with the role of the approver by name. */
export interface NamedCondition extends Omit<TransitionCondition, 'approval'> {
  readonly approval?: { readonly by: 'person' | 'action'; readonly role?: string | undefined } | undefined;
}

/** A template of release plans. */
export interface DesiredTemplate {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** The project that the template belongs to; null for all projects. */
  readonly project?: string | null | undefined;
  /** When absent, an archived template is revived. */
  readonly archived?: boolean | undefined;
  /** In the order in which they start. */
  readonly milestones?: readonly DesiredMilestone[] | undefined;
}

export interface DesiredProject {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly mode?: 'open' | 'protected' | 'private' | undefined;
  readonly defaultStickiness?: string | undefined;
  /** The maximum number of flags; null for no limit. */
  readonly featureLimit?: number | null | undefined;
  /** The rule for names of new flags. */
  readonly featureNaming?: NonNullable<ParsedState['projects']>[string]['featureNaming'];
  readonly linkTemplates?: NonNullable<ParsedState['projects']>[string]['linkTemplates'];
  readonly changeReason?: NonNullable<ParsedState['projects']>[string]['changeReason'];
  readonly environments?: readonly string[] | undefined;
}

export interface DesiredSegment {
  readonly name: string;
  readonly description?: string | null | undefined;
  /** The project that the segment belongs to; null for a shared segment. */
  readonly project?: string | null | undefined;
  /** Required for a new segment. */
  readonly constraints?: readonly ConstraintInput[] | undefined;
}

export interface DesiredContextField {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly stickiness?: boolean | undefined;
  readonly sortOrder?: number | undefined;
  readonly legalValues?: readonly { readonly value: string; readonly description?: string | undefined }[] | undefined;
  /** Cannot change after creation; null for all projects. */
  readonly project?: string | null | undefined;
}

export interface DesiredTagType {
  readonly name: string;
  readonly description?: string | undefined;
  readonly icon?: string | null | undefined;
  readonly color?: string | null | undefined;
}
