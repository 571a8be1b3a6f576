import { checkAndRevise, emptyStrategy, type Strategy, type StrategyLimits } from '#features/flags/strategies/index.ts';
import {
  type MilestoneInput,
  type MilestoneStrategy,
  milestonesIn,
  requireUsableTemplate,
  type ToStrategy,
} from '#features/releases/release-templates/index.ts';
import { badField } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Tx } from '#storage/tx.ts';
import type { Place } from './find-plan.ts';
import { withFlagName } from './flag-name.ts';
import type { Plan } from './plan.ts';

/** A plan to add to a flag in an environment. */
export interface NewPlan {
  readonly templateId?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly milestones?: readonly MilestoneInput[] | undefined;
  /** `keep`: the flag keeps its own strategies beside those of the milestones; `remove`: they are removed. */
  readonly strategies: 'keep' | 'remove';
  readonly maxHalts?: number | null | undefined;
  readonly stepDownMinutes?: number | null | undefined;
  readonly restMinutes?: number | undefined;
  readonly shadow?: boolean | undefined;
}

/** Returns the name, description and milestones of a new plan: those of its template, or those in the request. */
export async function planSource(
  { db, by }: Tx,
  { project, environment }: Place,
  { templateId, name, description = null, milestones }: NewPlan,
) {
  if ((templateId === undefined) === (milestones === undefined))
    throw badField('templateId', 'must be given when milestones is not: give one of the two');
  if (milestones !== undefined) return { name: name ?? 'Release plan', description, milestones, kept: [] };
  const template = await requireUsableTemplate(db, templateId ?? '', project, by);
  if (template.archivedAt !== null) throw badField('templateId', `must not be the archived template ${template.name}`);
  return {
    name: name ?? template.name,
    description: description ?? template.description,
    milestones: milestonesIn(template, environment),
    kept: template.milestones.flatMap(({ strategies }) => strategies),
  };
}

/** Returns the function that checks strategies of a plan, by the rules for the flag's own strategies. */
export function toStrategy(tx: Tx, limits: StrategyLimits, place: Place): ToStrategy {
  return async (input, kept) => {
    const empty = emptyStrategy(newId(), place.featureName, place.environment, tx.now);
    const parameters = withFlagName(input.parameters, place.featureName);
    return ofMilestone(await checkAndRevise(tx.db, limits, place, empty, { ...input, parameters }, kept));
  };
}

/** Returns a strategy without the flag, the environment and the time, as milestones keep it. */
export function ofMilestone({
  featureName: _,
  environment: __,
  createdAt: ___,
  ...strategy
}: Strategy): MilestoneStrategy {
  return strategy;
}

/** Returns a strategy of a milestone as a strategy of the flag of a plan. */
export function toRow(strategy: MilestoneStrategy, { featureName, environment }: Plan, now: number): Strategy {
  return { ...strategy, featureName, environment, createdAt: now };
}
