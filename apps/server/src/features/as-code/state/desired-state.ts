import type { ParsedInstallation, ParsedState, SafeguardBody } from '@yardarm/contract';
import type { SetInput } from '#features/automation/actions/index.ts';
import type { DesiredFlag, DesiredStrategy } from '#features/flags/definitions/index.ts';
import type { StrategyTypeInput } from '#features/flags/strategy-types/index.ts';
import type { ConstraintInput } from '#features/platform/constraints/index.ts';
import type { TransitionCondition } from '#features/releases/release-templates/index.ts';

type PartOf<Key extends keyof ParsedState> =
  NonNullable<ParsedState[Key]> extends Record<string, infer Part> ? Part : never;
type StateProject = PartOf<'projects'>;
type StateFlag = NonNullable<StateProject['flags']>[string];
type StatePlan = NonNullable<NonNullable<StateFlag['environments']>[string]['releasePlan']>;

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
  readonly plan: DesiredPlan | null;
}

export interface DesiredPlan extends Omit<StatePlan, 'milestones' | 'safeguards'> {
  /** In order; required for a new plan. */
  readonly milestones?: readonly DesiredMilestone[] | undefined;
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

/** A template of release plans. When `archived` is absent, an archived template is revived. */
export interface DesiredTemplate extends Omit<PartOf<'releaseTemplates'>, 'milestones'> {
  readonly name: string;
  /** In the order in which they start. */
  readonly milestones?: readonly DesiredMilestone[] | undefined;
}

export interface DesiredProject extends Omit<StateProject, 'flags' | 'actions' | 'switchedBy'> {
  readonly id: string;
}

export interface DesiredSegment extends Omit<PartOf<'segments'>, 'constraints'> {
  readonly name: string;
  /** Required for a new segment. */
  readonly constraints?: readonly ConstraintInput[] | undefined;
}

export interface DesiredContextField extends Omit<PartOf<'contextFields'>, 'legalValues'> {
  readonly name: string;
  readonly legalValues?: readonly { readonly value: string; readonly description?: string | undefined }[] | undefined;
}

export interface DesiredTagType extends PartOf<'tagTypes'> {
  readonly name: string;
}
