import type { Permission } from '@yardarm/contract';
import { z } from 'zod';
import type { Tx } from '../../../storage/tx.ts';
import type { StrategyLimits } from '../../flags/index.ts';

export interface ParameterDefinition {
  readonly name: string;
  readonly label: string;
  /** `hidden` is filled in by whoever shows the form: it is the project of the set. */
  readonly type: 'select' | 'hidden' | 'text' | 'number';
  readonly optional: boolean;
  readonly options?: string[];
  /** Nobody is shown it again: `*****` stands for it. */
  readonly secret?: boolean;
}

/** Parameters as they are when the action runs. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface KindLimits {
  readonly strategies: StrategyLimits;
  /** Holds on a flag in an environment. */
  readonly holds: number;
}

/** A request to a system outside, which is made after the change that asks for it. */
export interface PlannedCall {
  readonly method: string;
  readonly url: string;
  /** They may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What there is to say of something that was done, besides its events. */
export interface Did {
  readonly details?: string;
  readonly call?: PlannedCall;
}

/** What a kind has to say that reaches outside, where parameters are more than names. */
export interface OutboundRules {
  /** The URL that is called, with some text for what comes from the payload. */
  urlOf(params: Parameters): string;
  /** Whether secrets may stay when parameters are changed. */
  keepsSecrets(before: Parameters, after: Parameters): boolean;
  /** What the event log keeps of the parameters. */
  recorded(params: Parameters): Parameters;
  /** What is wrong with parameters, whatever the payload will be. */
  check(params: Parameters): { readonly name: string; readonly problem: string } | undefined;
  /** How text from the payload stands in a parameter. */
  quote(name: string, params: Parameters): (text: string) => string;
}

/**
 * Something that an action can do. It is declared in one file: parameters, the permission of the service account, and the
 * command that does it, which records the events.
 */
export interface ActionKind<P extends Parameters = Parameters> {
  readonly label: string;
  readonly description: string;
  readonly category: string;
  /** Asked for in the project and environment that the parameters name. */
  readonly permission: Permission;
  readonly parameters: readonly ParameterDefinition[];
  readonly schema: z.ZodType<P>;
  readonly outbound?: OutboundRules;
  /** Does it; answers what there is to say of it when that is not plain from the events. */
  run(tx: Tx, params: P, limits: KindLimits): Promise<Did | undefined>;
}

/** Fixes the type of the parameters to those that the schema makes. */
export function defineKind<P extends Parameters>(kind: ActionKind<P>): ActionKind {
  return kind as unknown as ActionKind;
}

/** A whole number from 0 to `most`; what comes from a payload is text. */
export function wholeNumber(most: number) {
  const description = `a whole number from 0 to ${most}`;
  return z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,5}$/, `must be ${description}`)
        .transform(Number),
    ])
    .refine((n) => Number.isInteger(n) && n >= 0 && n <= most, `must be ${description}`)
    .meta({ description });
}

export const ofProject: ParameterDefinition = { name: 'project', label: 'Project', type: 'hidden', optional: false };
export const ofEnvironment: ParameterDefinition = {
  name: 'environment',
  label: 'Environment',
  type: 'select',
  optional: false,
};
export const ofFlag: ParameterDefinition = {
  name: 'featureName',
  label: 'Feature flag',
  type: 'select',
  optional: false,
};
export const ofTag: ParameterDefinition = { name: 'tag', label: 'Tag', type: 'select', optional: false };
