import {
  addFault,
  type Fault,
  type FlagRules,
  type ProjectWithEnvironments,
  planMilestoneStrategy,
} from '#features/flags/definitions/index.ts';
import { type Strategy, strategyEventData } from '#features/flags/strategies/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import { type Place, type Plan, withFlagName } from '#features/releases/release-plans/index.ts';
import {
  type ApprovalRule,
  checkCondition,
  type Milestone,
  type TransitionCondition,
} from '#features/releases/release-templates/index.ts';
import type { Operation } from '#features/review/change-requests/index.ts';
import type { Db } from '#storage/tx.ts';
import { type FieldChange, type FlagChange, fieldChanges, itemName, withSegmentNames } from './changes.ts';
import type { DesiredMilestone, NamedCondition } from './desired-state.ts';
import { conditionPayload, strategyPayload } from './payloads.ts';
import { type FlagNames, namedCondition } from './present.ts';
import type { ToRealId } from './segment-ids.ts';

/** Changes of the release plan or the safeguards of a flag, as changes that are applied or requested. */
export interface PlanOperation {
  readonly place: Place;
  readonly changes: readonly FlagChange[];
  operations(toRealId: ToRealId): readonly Operation[];
}

/** The place of a release plan, and the data that comparing the plan needs. */
export interface PlanContext {
  readonly db: Db;
  readonly place: Place;
  readonly target: ProjectWithEnvironments;
  readonly rules: FlagRules;
  /** The names of segments and roles by id, including new segments. */
  readonly names: FlagNames;
  /** The faults that were found, with paths that start at the release plan. */
  readonly faults: Fault[];
}

type GateContext = Pick<PlanContext, 'db' | 'faults'> & {
  readonly names: Pick<FlagNames, 'roles'>;
  /** Who reads the metrics of gates. */
  readonly reader: Reader;
};

/** Says how to make a change that cannot be applied to a stored plan. */
export const howToReplace = 'To replace the plan, apply releasePlan: null first, and then the new plan';

/**
 * Returns the desired strategies of a milestone as they would be stored. Each keeps the id of the strategy of `before`
 * at the same position. Adds the faults of the strategies.
 */
export function planStrategies(
  { place, target, rules, faults }: PlanContext,
  { strategies }: DesiredMilestone,
  before: readonly Strategy[],
  path: string,
): readonly Strategy[] {
  if (strategies.every(({ disabled }) => disabled))
    faults.push({ path: `${path}.strategies`, message: 'must contain an active strategy' });
  const { featureName, environment } = place;
  return strategies.flatMap((strategy, index) => {
    const desired = { ...strategy, parameters: withFlagName(strategy.parameters, featureName) };
    const at = { path: `${path}.strategies.${index}`, faults };
    return planMilestoneStrategy({ featureName, environment, target }, before[index], desired, rules, at) ?? [];
  });
}

/**
 * Resolves the desired gates to gates with the id of the role. Adds a fault and returns undefined for a gate that can
 * never open.
 */
export async function planCondition(
  { db, names, faults, reader }: GateContext,
  desired: NamedCondition | null,
  path: string,
): Promise<TransitionCondition | null | undefined> {
  if (desired === null) return null;
  const { approval, ...gates } = desired;
  const name = approval?.role;
  const role = name === undefined ? undefined : [...names.roles].find(([, known]) => known === name)?.[0];
  if (name !== undefined && role === undefined) {
    const message = `must be the name of a role, and there is no role ${name}`;
    faults.push({ path: `${path}.transitionCondition.approval.role`, message });
    return undefined;
  }
  const rule: ApprovalRule | undefined =
    approval && (role === undefined ? { by: approval.by } : { by: 'person', role });
  return checkedCondition({ db, faults, reader }, rule === undefined ? gates : { ...gates, approval: rule }, path);
}

/** Checks gates and returns them. Adds a fault and returns undefined for a gate that can never open. */
export async function checkedCondition(
  { db, faults, reader }: Pick<GateContext, 'db' | 'faults' | 'reader'>,
  condition: TransitionCondition | null,
  path: string,
): Promise<TransitionCondition | null | undefined> {
  try {
    await checkCondition(db, reader, condition);
    return condition;
  } catch (error) {
    addFault(faults, path, error);
    return undefined;
  }
}

/** Returns the change of a release plan that an event of this type records. */
export function planChange(
  { project, featureName, environment }: Place,
  type: FlagChange['type'],
  item: string | null,
  fields: readonly FieldChange[] = [],
): FlagChange {
  return { type, kind: 'flag', name: featureName, project, environment, item, fields };
}

/** Compares a milestone of a stored plan with the desired milestone of the same name and position. */
export async function compareMilestone(
  context: PlanContext,
  plan: Plan,
  index: number,
  desired: DesiredMilestone,
): Promise<PlanOperation[]> {
  const milestone = plan.milestones[index];
  if (milestone === undefined) return [];
  return [
    ...(await compareGates(context, plan, milestone, desired)),
    ...compareStrategies(context, plan, milestone, desired),
  ];
}

async function compareGates(
  context: PlanContext,
  plan: Plan,
  milestone: Milestone,
  { transitionCondition }: DesiredMilestone,
): Promise<PlanOperation[]> {
  const { place, names, faults } = context;
  const before = namedCondition(milestone, names.roles);
  const fields = fieldChanges({ transitionCondition: before }, { transitionCondition });
  // Skip the check of unchanged gates: their role may have been deleted, or their metric may be no longer reported.
  if (fields.length === 0) return [];
  const index = plan.milestones.indexOf(milestone);
  if (index === plan.milestones.length - 1) {
    const path = `milestones.${index}.transitionCondition`;
    faults.push({ path, message: `cannot be changed, because no milestone follows ${milestone.name}` });
    return [];
  }
  const condition = await planCondition(
    { ...context, reader: { project: place.project } },
    transitionCondition,
    `milestones.${index}`,
  );
  if (condition === undefined) return [];
  const verb = before === null ? 'created' : condition === null ? 'deleted' : 'updated';
  const of = { feature: place.featureName, payload: { sourceMilestone: milestone.id } };
  const operation: Operation =
    condition === null
      ? { action: 'deleteMilestoneProgression', ...of }
      : {
          action: 'changeMilestoneProgression',
          ...of,
          payload: { ...of.payload, transitionCondition: conditionPayload(condition) },
        };
  return [
    {
      place,
      changes: [planChange(place, `milestone-progression-${verb}`, milestone.name, fields)],
      operations: () => [operation],
    },
  ];
}

function compareStrategies(
  context: PlanContext,
  plan: Plan,
  milestone: Milestone,
  desired: DesiredMilestone,
): PlanOperation[] {
  const { place, names, faults } = context;
  const path = `milestones.${plan.milestones.indexOf(milestone)}`;
  const count = milestone.strategies.length;
  if (desired.strategies.length !== count) {
    const message = `must be ${count === 1 ? 'one strategy' : `${count} strategies`}: a milestone of a stored plan cannot get or lose any. ${howToReplace}`;
    faults.push({ path: `${path}.strategies`, message });
    return [];
  }
  const { featureName, environment } = plan;
  const before = milestone.strategies.map((each) => ({ ...each, featureName, environment, createdAt: plan.createdAt }));
  const changed = planStrategies(context, desired, before, path).flatMap((after) => {
    const old = before.find(({ id }) => id === after.id);
    const [preData, data] = [old && strategyEventData(old), strategyEventData(after)];
    const fields = fieldChanges(withSegmentNames(preData, names.segments), withSegmentNames(data, names.segments));
    return fields.length === 0 ? [] : [{ after, fields }];
  });
  // A milestone needs an active strategy after each change.
  const activeFirst = changed.toSorted((a, b) => Number(a.after.disabled) - Number(b.after.disabled));
  return activeFirst.map(({ after, fields }) => {
    const item = `${milestone.name}: ${itemName('feature-strategy-update', strategyEventData(after))}`;
    return {
      place,
      changes: [planChange(place, 'release-plan-updated', item, fields)],
      operations: (toRealId) => [
        {
          action: 'updateMilestoneStrategy',
          feature: featureName,
          payload: { id: after.id, ...strategyPayload(after, toRealId) },
        },
      ],
    };
  });
}
