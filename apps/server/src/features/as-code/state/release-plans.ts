import type { SafeguardBody } from '@yardarm/contract';
import type { Fault, FlagInEnvironment, FlagPlan, FlagRules } from '#features/flags/definitions/index.ts';
import type { Strategy } from '#features/flags/strategies/index.ts';
import { listRoles } from '#features/people/access/index.ts';
import type { Plan } from '#features/releases/release-plans/index.ts';
import type { MilestoneInput } from '#features/releases/release-templates/index.ts';
import { pagesYielding } from '#kernel/event-loop.ts';
import type { Db } from '#storage/tx.ts';
import { fieldChanges } from './changes.ts';
import type { DesiredPlan, DesiredReleasePlan, DesiredSafeguards } from './desired-state.ts';
import type { FlagPlans } from './flag-plans.ts';
import {
  compareMilestone,
  howToReplace,
  type PlanContext,
  type PlanOperation,
  planChange,
  planCondition,
  planStrategies,
} from './milestones.ts';
import type { StateFault } from './options.ts';
import { conditionPayload, strategyPayload } from './payloads.ts';

interface Planned {
  readonly rules: FlagRules;
  /** The names of segments by id, including new segments. */
  readonly segmentNames: ReadonlyMap<number, string>;
  readonly faults: StateFault[];
  /** Safeguards of a new plan are set when the plan is added. */
  readonly safeguards: readonly DesiredSafeguards[];
}

/**
 * Compares the desired release plans with those of the flags as they are after the plan. Skips flags that have faults.
 * One statement, plus the checks of gates that are set.
 */
export async function compareReleasePlans(
  db: Db,
  { stored, desired }: FlagPlans,
  flags: readonly FlagPlan[],
  { rules, segmentNames, faults, safeguards }: Planned,
): Promise<PlanOperation[]> {
  if (desired.length === 0) return [];
  const roles = new Map((await listRoles(db)).map(({ id, name }) => [id, name]));
  const after = new Map(flags.map((flag) => [flag.after.feature.name, flag.after]));
  const operations: PlanOperation[] = [];
  const guarded = Map.groupBy(safeguards, ({ featureName }) => featureName);
  const compareOne = async ({ plan, ...place }: DesiredReleasePlan) => {
    const { project, featureName: name, environment } = place;
    const state = after.get(name)?.environments.get(environment);
    const target = rules.projects.get(project);
    if (state === undefined || target === undefined) return;
    const inner: Fault[] = [];
    const context = { db, place, target, rules, names: { segments: segmentNames, roles }, faults: inner };
    const before = stored.get(name)?.get(environment);
    const ofPlan = guarded.get(name)?.find((each) => each.environment === environment)?.ofPlan ?? [];
    operations.push(...(await comparePlan(context, before, plan, state, ofPlan)));
    const at = `environments.${environment}.releasePlan`;
    for (const { path, message } of inner) faults.push({ kind: 'flag', name, project, path: `${at}.${path}`, message });
  };
  for await (const page of pagesYielding(desired, (each) => each)) for (const each of page) await compareOne(each);
  return operations;
}

async function comparePlan(
  context: PlanContext,
  before: Plan | undefined,
  desired: DesiredReleasePlan['plan'],
  state: FlagInEnvironment,
  safeguards: readonly SafeguardBody[],
): Promise<PlanOperation[]> {
  if (desired === null) return before === undefined ? [] : [removal(context, before, state)];
  return before === undefined ? addition(context, desired, state, safeguards) : changesOf(context, before, desired);
}

interface PlannedMilestone extends Pick<MilestoneInput, 'name' | 'transitionCondition'> {
  readonly strategies: readonly Strategy[];
}

/**
 * Returns the operation that adds a plan with its safeguards and starts its first milestone, beside the flag's own
 * strategies.
 */
async function addition(
  context: PlanContext,
  { name = 'Release plan', milestones = [], ...rest }: DesiredPlan,
  state: FlagInEnvironment,
  safeguards: readonly SafeguardBody[],
): Promise<PlanOperation[]> {
  const { place, rules, faults } = context;
  const [first] = milestones;
  if (first === undefined) {
    faults.push({ path: 'milestones', message: 'is required for a new release plan' });
    return [];
  }
  if (state.strategies.length + first.strategies.length > rules.limits.strategies) {
    const message = `must be at most ${rules.limits.strategies}, with the ${state.strategies.length} of the flag`;
    faults.push({ path: 'milestones.0.strategies', message });
  }
  const planned: PlannedMilestone[] = [];
  for (const [index, milestone] of milestones.entries()) {
    const path = `milestones.${index}`;
    const transitionCondition = await planCondition(
      { ...context, reader: { project: place.project } },
      milestone.transitionCondition,
      path,
    );
    const strategies = planStrategies(context, milestone, [], path);
    planned.push({ name: milestone.name, transitionCondition, strategies });
  }
  const fields = [
    ...fieldChanges(undefined, rest),
    ...milestones.map((milestone, index) => ({ field: `milestones.${index}`, after: milestone })),
  ];
  const operations: PlanOperation['operations'] = (toRealId) => {
    const milestonesOfPlan = planned.map(({ name, transitionCondition, strategies }) => ({
      name,
      transitionCondition: transitionCondition && conditionPayload(transitionCondition),
      strategies: strategies.map((strategy) => strategyPayload(strategy, toRealId)),
    }));
    const guards = safeguards.length === 0 ? {} : { safeguards: structuredClone([...safeguards]) };
    const payload = { name, ...rest, milestones: milestonesOfPlan, strategies: 'keep' as const, ...guards };
    return [{ action: 'addReleasePlan', feature: place.featureName, payload }];
  };
  const changes = [
    planChange(place, 'release-plan-added', name, fields),
    planChange(place, 'release-plan-milestone-started', first.name),
  ];
  return [{ place, changes, operations }];
}

/** Returns the operation that removes a plan with its strategies, which can switch the flag off. */
function removal({ place }: PlanContext, plan: Plan, { enabled, strategies }: FlagInEnvironment): PlanOperation {
  const isSwitchedOff = !plan.shadow && enabled && strategies.every(({ disabled }) => disabled);
  const payload = { planId: plan.id, strategies: 'remove' as const };
  return {
    place,
    changes: [
      planChange(place, 'release-plan-removed', plan.name),
      ...(isSwitchedOff ? [planChange(place, 'feature-environment-disabled', null)] : []),
    ],
    operations: () => [{ action: 'deleteReleasePlan', feature: place.featureName, payload }],
  };
}

/**
 * Returns the changes of gates and strategies of a stored plan. Adds a fault for each other difference, which cannot be
 * applied to a stored plan.
 */
async function changesOf(context: PlanContext, plan: Plan, desired: DesiredPlan): Promise<PlanOperation[]> {
  const { faults } = context;
  if (desired.name !== undefined && desired.name !== plan.name)
    faults.push({ path: 'name', message: `cannot be changed from ${plan.name}. ${howToReplace}` });
  if (desired.description !== undefined && (desired.description || null) !== (plan.description || null))
    faults.push({ path: 'description', message: `of a stored plan cannot be changed. ${howToReplace}` });
  for (const path of ['maxHalts', 'stepDownMinutes', 'restMinutes'] as const)
    if (desired[path] !== undefined && desired[path] !== plan[path])
      faults.push({ path, message: `of a stored plan cannot be changed. ${howToReplace}` });
  if (desired.shadow !== undefined && desired.shadow !== plan.shadow)
    faults.push({
      path: 'shadow',
      message: `of a stored plan cannot be changed. Start a milestone to end shadow mode`,
    });
  const { milestones } = desired;
  if (milestones === undefined) return [];
  const names = plan.milestones.map(({ name }) => name);
  if (milestones.length !== names.length || milestones.some(({ name }, index) => name !== names[index])) {
    const message = `must be ${names.join(', ')}, in this order: milestones of a stored plan cannot be added, removed, renamed or moved. ${howToReplace}`;
    faults.push({ path: 'milestones', message });
    return [];
  }
  const operations: PlanOperation[] = [];
  for (const [index, milestone] of milestones.entries())
    operations.push(...(await compareMilestone(context, plan, index, milestone)));
  return operations;
}
