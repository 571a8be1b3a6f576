import {
  fieldsIn,
  initialStrategy,
  type StrategyInput as StrategyBody,
  type StrategyValues,
  strategyFields,
} from '@yardarm/contract';
import { percentageProblem } from '@yardarm/evaluation';
import type { StrategyType } from '#features/flags/strategy-types/index.ts';
import { distributeWeights, type StrategyVariant } from '#features/flags/variants/index.ts';
import {
  type Constraint,
  type ConstraintInput,
  type ConstraintLimits,
  checkConstraints,
  checkPatternSizes,
} from '#features/platform/constraints/index.ts';
import { badField } from '#kernel/errors.ts';
import { tooManyItems } from '#kernel/limits.ts';

/** A rule that decides for which users a flag is on in an environment. */
export interface Strategy extends Readonly<Omit<StrategyValues, Lists>> {
  /** A UUID. */
  readonly id: string;
  readonly featureName: string;
  readonly environment: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly constraints: readonly Constraint[];
  readonly variants: readonly StrategyVariant[];
  /** Ids, ascending, of the segments whose constraints must match as well. */
  readonly segments: readonly number[];
  readonly createdAt: number;
}

/** The fields whose values are read-only here. */
type Lists = 'parameters' | 'constraints' | 'variants' | 'segments';

/** The input of a strategy. Absent fields keep their values, or take their defaults in a new strategy. */
export interface StrategyInput extends Readonly<Omit<StrategyBody, Lists>> {
  readonly constraints?: readonly ConstraintInput[] | undefined;
  readonly variants?: readonly StrategyVariant[] | undefined;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly segments?: readonly number[] | undefined;
}

export interface StrategyLimits extends ConstraintLimits {
  /** Limit of the strategies of a flag in one environment. */
  readonly strategies: number;
  /** Limit of the segments of a strategy. */
  readonly segments: number;
}

/** The values of a stored strategy, which may stay although they would be refused in a new strategy (ADR 98). */
export type Kept = Pick<Strategy, 'name' | 'parameters' | 'constraints' | 'variants'>;

/** The rules that a strategy is checked by. */
export interface StrategyRules {
  readonly limits: StrategyLimits;
  /** The stickiness of a gradual rollout whose parameters name none. */
  readonly defaultStickiness: string;
  /** The strategy type named by the input; undefined when it does not exist. */
  readonly definition: StrategyType | undefined;
  /** Stored strategies, beside the one that changes, that the input may repeat. */
  readonly kept: readonly Kept[];
}

/**
 * Returns the strategy after `input` is applied, checked and completed (docs/spec#strategies): a gradual rollout gets
 * its missing parameters, and variable weights are distributed. Rejects with 400 and the field that is wrong.
 */
export function revise(before: Strategy, input: StrategyInput, rules: StrategyRules): Strategy {
  const name = input.name ?? before.name;
  const { definition } = rules;
  if (definition === undefined) throw badField('name', `must be the name of a strategy type, not ${name}`);
  const segments = input.segments === undefined ? before.segments : distinctSegments(input.segments, rules.limits);
  const kept = [before, ...rules.kept];
  const stored = kept.flatMap((strategy) => strategy.constraints);
  const constraints =
    input.constraints === undefined ? before.constraints : checkConstraints(input.constraints, rules.limits, stored);
  const given = { ...before, name, parameters: input.parameters ?? before.parameters };
  const { parameters } = completeParameters(given, rules.defaultStickiness);
  checkParameters(definition, parameters, kept);
  return {
    ...before,
    ...fieldsIn(strategyFields, input),
    name,
    disabled: input.disabled === undefined ? before.disabled : (input.disabled ?? false),
    constraints,
    variants:
      input.variants === undefined
        ? before.variants
        : distributeWeights(input.variants, { kept: kept.flatMap((strategy) => strategy.variants) }),
    parameters,
    segments,
  };
}

/**
 * Rejects with 400 when a change makes the patterns of a flag's strategies in an environment exceed their total size
 * limit.
 */
export function checkPatternsOf(after: readonly Strategy[], before: readonly Strategy[]): void {
  const constraintsOf = (strategies: readonly Strategy[]) => strategies.flatMap(({ constraints }) => constraints);
  checkPatternSizes('flag in an environment', constraintsOf(after), constraintsOf(before));
}

/**
 * Returns the strategy of a flag that is switched on without an active strategy: a rollout to everyone
 * (docs/spec#flag-environments).
 */
export function fullRollout(id: string, featureName: string, environment: string, now: number): Strategy {
  return {
    ...emptyStrategy(id, featureName, environment, now),
    name: 'flexibleRollout',
    parameters: { rollout: '100', stickiness: 'default', groupId: featureName },
  };
}

/** Returns an empty strategy, to which the input of a new strategy is applied. */
export function emptyStrategy(id: string, featureName: string, environment: string, now: number): Strategy {
  return { ...initialStrategy, id, featureName, environment, createdAt: now };
}

/** Returns a strategy as the event log stores it. */
export function strategyEventData(strategy: Strategy): Record<string, unknown> {
  return { id: strategy.id, ...fieldsIn(strategyFields, strategy) };
}

function distinctSegments(ids: readonly number[], limits: StrategyLimits): readonly number[] {
  const segments = [...new Set(ids)].sort((a, b) => a - b);
  if (segments.length <= limits.segments) return segments;
  throw tooManyItems(
    `A strategy can have at most ${limits.segments} segments.`,
    'segments',
    `must have at most ${limits.segments} segments`,
  );
}

/** Completes the missing parameters of a gradual rollout (docs/spec#strategies). */
export function completeParameters(strategy: Strategy, defaultStickiness: string): Strategy {
  if (strategy.name !== 'flexibleRollout') return strategy;
  const { rollout, stickiness, groupId } = strategy.parameters;
  const parameters = {
    ...strategy.parameters,
    rollout: rollout || '100',
    stickiness: stickiness || defaultStickiness,
    groupId: groupId || strategy.featureName,
  };
  return { ...strategy, parameters };
}

/** Rejects with 400 a percentage that SDKs read differently, unless `kept` has it for the same strategy type. */
function checkParameters(
  definition: StrategyType,
  parameters: Readonly<Record<string, string>>,
  kept: readonly Kept[],
): void {
  const stored = kept.filter(({ name }) => name === definition.name);
  for (const { name, type } of definition.parameters) {
    const value = parameters[name];
    if (value === undefined || type !== 'percentage') continue;
    const problem = percentageProblem(value);
    if (problem === undefined || stored.some((strategy) => strategy.parameters[name] === value)) continue;
    throw badField(`parameters.${name}`, problem);
  }
}

const maxSortOrder = 2147483647;

/** Returns the sort order of a strategy after `last`. */
export function sortOrderAfter(last: Strategy | undefined): number {
  return last === undefined ? 0 : Math.min(last.sortOrder + 1, maxSortOrder);
}
