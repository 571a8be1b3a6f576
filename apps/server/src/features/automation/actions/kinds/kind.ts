import type { Permission } from '@yardarm/contract';
import { z } from 'zod';
import type { HeldAlert } from '#features/flags/held-state/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import type { PlanAction } from '#features/releases/release-plans/index.ts';
import type { Tx } from '#storage/tx.ts';

export interface ParameterDefinition {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  /** `hidden`: the form does not show it and sends the project of the set. */
  readonly type: 'select' | 'hidden' | 'text' | 'number';
  readonly optional: boolean;
  readonly options?: string[];
  /** The meaning of options, where their values alone do not say it. */
  readonly optionLabels?: Record<string, string>;
  /** Answers show `*****` instead of the value. */
  readonly secret?: boolean;
}

/** The parameters of an action, with rendered templates. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface KindLimits {
  readonly strategies: StrategyLimits;
  /** The maximum number of holds on a flag in an environment. */
  readonly holds: number;
}

/** An HTTP request to another system, sent after the change that queues it has committed. */
export interface PlannedCall {
  readonly method: string;
  readonly url: string;
  /** May contain secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The set that an action belongs to, with the limits of its changes. */
export interface KindContext extends KindLimits {
  readonly actionSetId: number;
  /** True when a release ends only what the set itself holds. */
  readonly ownHolds: boolean;
  /** True when an action may only renew holds that the set has already, and change nothing else. */
  readonly renewOnly: boolean;
  /** The alert that the run is about; undefined when nothing names it. */
  readonly alert: HeldAlert | undefined;
  /** The key of holds of earlier versions that a release ends too. */
  readonly formerKey: string | undefined;
}

/** The set of an action whose effect on a release plan is computed without running the action. */
export interface RehearsedSet extends Pick<KindContext, 'actionSetId' | 'ownHolds'> {
  readonly userId: number;
  /** The time at which the action would run, in milliseconds UTC. */
  readonly at: number;
}

/** The result of an action, besides the events it recorded. */
export interface ActionResult {
  readonly details?: string;
  /**
   * True when there was nothing to do. A run in which this holds for all actions is skipped, with the details as the
   * reason.
   */
  readonly nothingToDo?: true;
  readonly call?: PlannedCall;
}

/** The rules of a kind that calls other systems. */
export interface OutboundRules {
  /** Returns the URL with sample text in place of values from the payload. */
  urlOf(params: Parameters): string;
  /** Returns whether stored secrets may be kept when the parameters change. */
  keepsSecrets(before: Parameters, after: Parameters): boolean;
  /** Returns the parameters that events record. */
  recorded(params: Parameters): Parameters;
  /** Returns the first error that does not depend on the payload. */
  check(params: Parameters): { readonly name: string; readonly problem: string } | undefined;
  /** Returns the function that escapes values from the payload for a parameter. */
  escapeFor(name: string, params: Parameters): (text: string) => string;
}

/**
 * An action kind, declared in one file: its parameters, the permission that the service account needs, and the command
 * that runs it and records the events.
 */
export interface ActionKind<P extends Parameters = Parameters> {
  readonly label: string;
  readonly description: string;
  readonly category: string;
  /** The permission that the service account needs in the project and environment that the parameters name. */
  readonly permission: Permission;
  readonly parameters: readonly ParameterDefinition[];
  readonly schema: z.ZodType<P>;
  readonly outbound?: OutboundRules;
  /** Returns the parameter that does not fit the others, and why, before the set is saved. Values may be templates. */
  check?(params: Parameters): { readonly name: string; readonly problem: string } | undefined;
  /**
   * True for kinds that return flags to their configured state. A run in which all actions are of such kinds waits
   * while a guard or a freeze stops it (ADR 60).
   */
  readonly givesBack?: true;
  /** The kind that ends what this kind holds, and the parameters that it takes over from the holding action. */
  readonly release?: { readonly action: string; readonly parameters: readonly string[] };
  /** Returns what the action does to the release plan of the flag in its parameters; absent where it does nothing. */
  onPlan?(params: P, set: RehearsedSet): PlanAction['does'];
  /** Runs the action. Returns details that the events do not show, if any. */
  run(tx: Tx, params: P, context: KindContext): Promise<ActionResult | undefined>;
}

/**
 * Returns an action kind. Infers the type of its parameters from the schema.
 *
 * @example
 * export const markFlagStale = defineKind({
 *   label: 'Mark a feature flag as stale',
 *   description: 'Marks a feature flag as due for cleanup',
 *   category: 'Feature flags',
 *   permission: 'UPDATE_FEATURE',
 *   parameters: [projectParameter, flagParameter],
 *   schema: z.strictObject({ project: z.string(), featureName: z.string() }),
 *   run: async (tx, { project, featureName }) => {
 *     await markStale(tx, { project, featureNames: [featureName], stale: true });
 *     return undefined;
 *   },
 * });
 */
export function defineKind<P extends Parameters>(kind: ActionKind<P>): ActionKind {
  return kind as unknown as ActionKind;
}

/** Returns a schema for whole numbers from 0 to `max`. It accepts text, because values from a payload are text. */
export function wholeNumber(max: number) {
  const description = `a whole number from 0 to ${max}`;
  return z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,5}$/, `must be ${description}`)
        .transform(Number),
    ])
    .refine((n) => Number.isInteger(n) && n >= 0 && n <= max, `must be ${description}`)
    .meta({ description });
}

export const projectParameter: ParameterDefinition = {
  name: 'project',
  label: 'Project',
  type: 'hidden',
  optional: false,
};
export const environmentParameter: ParameterDefinition = {
  name: 'environment',
  label: 'Environment',
  type: 'select',
  optional: false,
};
export const flagParameter: ParameterDefinition = {
  name: 'featureName',
  label: 'Feature flag',
  type: 'select',
  optional: false,
};
export const tagParameter: ParameterDefinition = { name: 'tag', label: 'Tag', type: 'select', optional: false };
