import { fieldsIn, strategyFields } from '@yardarm/contract';
import type { Kept, Strategy, StrategyInput } from '#features/flags/strategies/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import { isoTimeOrNull } from '#kernel/clock.ts';
import { atPath, badField } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Db } from '#storage/tx.ts';
import { checkCondition, presentCondition, type TransitionCondition } from './condition.ts';

/** A strategy of a milestone. */
export type MilestoneStrategy = Omit<Strategy, 'featureName' | 'environment' | 'createdAt'>;

/** An approval of a milestone, which opens its gate. */
export interface Approval {
  /** Milliseconds UTC. */
  readonly at: number;
  readonly byUserId: number;
}

/** A step of a template or plan. */
export interface Milestone {
  readonly id: string;
  readonly name: string;
  readonly sortOrder: number;
  /** The gates that must open before the next milestone starts automatically; null when only a person starts it. */
  readonly transitionCondition: TransitionCondition | null;
  /** Milliseconds UTC; null in templates, and for a milestone that has not started. */
  readonly startedAt: number | null;
  /** When all gates were open and the next milestone started automatically, in milliseconds UTC; null before that. */
  readonly progressionExecutedAt: number | null;
  /** When the active milestone started anew after a hold, in milliseconds UTC; absent without a hold. */
  readonly startedAnewAt?: number | undefined;
  /** Absent before the approval. Removed when the milestone starts anew. */
  readonly approval?: Approval | undefined;
  /** When people were told that it waits for the approval of a person. Removed when the milestone starts anew. */
  readonly askedAt?: number | undefined;
  readonly strategies: readonly MilestoneStrategy[];
}

/** A strategy of a milestone as a request contains it. `strategyName` is the earlier name of `name`. */
export interface MilestoneStrategyInput extends StrategyInput {
  readonly id?: string | undefined;
  readonly strategyName?: string | undefined;
}

/** A milestone as a request contains it. */
export interface MilestoneInput {
  readonly id?: string | undefined;
  readonly name: string;
  readonly sortOrder?: number | undefined;
  readonly transitionCondition?: Milestone['transitionCondition'] | undefined;
  /** When absent, the strategies stay unchanged. */
  readonly strategies?: readonly MilestoneStrategyInput[] | undefined;
}

/** Checks the input of a strategy and returns the strategy, with a new id. What `kept` holds may stay. */
export type ToStrategy = (input: StrategyInput, kept: readonly Kept[]) => Promise<MilestoneStrategy>;

/**
 * Returns the milestones of a request in the order of their positions. Milestones and strategies with an id of `before`
 * keep it; others get a new one. Gates may use metrics that `reader` reads. Rejects with 400 and the path of the field
 * that is wrong.
 */
export async function toMilestones(
  db: Db,
  reader: Reader,
  bodies: readonly MilestoneInput[],
  before: readonly Milestone[],
  toStrategy: ToStrategy,
): Promise<Milestone[]> {
  const milestones: Milestone[] = [];
  for (const [index, body] of bodies.entries()) {
    const path = `milestones.${index}`;
    const same = before.find(({ id }) => id === body.id);
    if (body.id !== undefined && milestones.some(({ id }) => id === body.id))
      throw badField(`${path}.id`, 'must not repeat the id of an earlier milestone');
    milestones.push(await atPath(path, () => toMilestone(db, reader, body, same, body.sortOrder ?? index, toStrategy)));
  }
  return milestones.toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/**
 * Returns the milestone of a request. It replaces `before`: it keeps the id and the times of `before`, and the gates
 * and strategies that the request omits.
 */
export async function toMilestone(
  db: Db,
  reader: Reader,
  body: MilestoneInput,
  before: Milestone | undefined,
  sortOrder: number,
  toStrategy: ToStrategy,
): Promise<Milestone> {
  const { name, transitionCondition = before?.transitionCondition ?? null } = body;
  await checkCondition(db, reader, transitionCondition);
  const strategies: MilestoneStrategy[] = [];
  for (const [index, strategy] of body.strategies?.entries() ?? []) {
    const same = before?.strategies.find(({ id }) => id === strategy.id);
    const after = await atPath(`strategies.${index}`, () =>
      toStrategy(inputOf(strategy, index), before?.strategies ?? []),
    );
    strategies.push({ ...after, id: same?.id ?? after.id });
  }
  return {
    id: before?.id ?? newId(),
    name,
    sortOrder,
    transitionCondition,
    startedAt: before?.startedAt ?? null,
    progressionExecutedAt: before?.progressionExecutedAt ?? null,
    strategies: body.strategies === undefined ? (before?.strategies ?? []) : inOrder(strategies),
  };
}

/**
 * Returns the strategy of a request with a name and a position: `name` falls back to `strategyName`, `sortOrder` to
 * `index`.
 */
export function inputOf(
  { id: _, strategyName, ...body }: MilestoneStrategyInput,
  index: number,
): StrategyInput & { readonly name: string } {
  return { ...body, name: body.name ?? strategyName ?? '', sortOrder: body.sortOrder ?? index };
}

/** Returns strategies in the order in which they are evaluated. */
export function inOrder(strategies: readonly MilestoneStrategy[]): MilestoneStrategy[] {
  return strategies.toSorted((a, b) => a.sortOrder - b.sortOrder);
}

/**
 * Returns the milestone with `condition` as its gates. Drops the approval and its question when the rule for approval
 * has changed.
 */
export function withCondition(milestone: Milestone, condition: TransitionCondition | null): Milestone {
  const { approval, askedAt, ...rest } = milestone;
  const rules = [milestone.transitionCondition, condition].map((each) => JSON.stringify(each?.approval));
  return { ...rest, transitionCondition: condition, ...(rules[0] === rules[1] ? { approval, askedAt } : {}) };
}

/** Returns the milestone as answers and events contain it; `definitionId` is the id of its template or plan. */
export function presentMilestone(milestone: Milestone, definitionId: string, pausedAt: number | null = null) {
  const { id, name, sortOrder, transitionCondition } = milestone;
  return {
    id,
    name,
    sortOrder,
    releasePlanDefinitionId: definitionId,
    startedAt: isoTimeOrNull(milestone.startedAt),
    transitionCondition: transitionCondition && presentCondition(transitionCondition),
    progressionExecutedAt: isoTimeOrNull(milestone.progressionExecutedAt),
    pausedAt: isoTimeOrNull(pausedAt),
    approvedAt: isoTimeOrNull(milestone.approval?.at ?? null),
    approvedByUserId: milestone.approval?.byUserId ?? null,
    strategies: milestone.strategies.map((strategy) => presentMilestoneStrategy(strategy, id)),
  };
}

/** Returns the strategy of a milestone as answers and events contain it. */
export function presentMilestoneStrategy(strategy: MilestoneStrategy, milestoneId: string) {
  return {
    id: strategy.id,
    milestoneId,
    strategyName: strategy.name,
    ...fieldsIn(strategyFields, strategy),
    parameters: { ...strategy.parameters },
    constraints: strategy.constraints.map((constraint) => ({ ...constraint, values: [...constraint.values] })),
    variants: strategy.variants.map((variant) => ({ ...variant })),
    segments: [...strategy.segments],
  };
}
