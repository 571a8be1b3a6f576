import type { RequestedFlagChange } from '../../entities/change-requests/request-queries.ts';
import type { Flag } from '../../entities/flags/flag-queries.ts';
import type { Plan } from '../../entities/release-plans/plan-queries.ts';

/** The kinds of changes, as shown to the user. */
export const changeWords: Readonly<Record<string, string>> = {
  updateEnabled: 'Switch the flag on or off',
  addStrategy: 'Add a strategy',
  updateStrategy: 'Edit a strategy',
  deleteStrategy: 'Delete a strategy',
  reorderStrategy: 'Reorder the strategies',
  patchVariant: 'Edit the variants',
  archiveFeature: 'Archive the flag',
  addDependency: 'Edit the dependency',
  deleteDependency: 'Remove a dependency',
  addReleasePlan: 'Add a release plan',
  deleteReleasePlan: 'Remove the release plan',
  startMilestone: 'Start a milestone',
  approveMilestone: 'Approve a milestone',
  changeMilestoneProgression: 'Change the conditions of the next milestone',
  deleteMilestoneProgression: 'Let a person start the next milestone',
  updateMilestoneStrategy: 'Edit a strategy of a milestone',
  changeSafeguard: 'Set a safeguard',
  deleteSafeguard: 'Delete a safeguard',
  updateSegment: 'Edit the segment',
  deleteSegment: 'Delete the segment',
};

type Fields = Readonly<Record<string, unknown>>;

/** The current and the requested value of a change; null for a missing value. */
export interface BeforeAndAfter {
  readonly before: unknown;
  readonly after: unknown;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fields of the current state that the requested change contains too. */
function sameFields(now: Fields, requested: Fields): Fields {
  return Object.fromEntries(Object.keys(requested).flatMap((name) => (name in now ? [[name, now[name]]] : [])));
}

type FlagState = Flag['environments'][number];
type Strategy = NonNullable<FlagState['strategies']>[number];

/** The part of a flag's state in an environment that changes are compared with. */
export type ComparedState = Partial<Pick<FlagState, 'enabled' | 'strategies' | 'variants'>>;

/**
 * Returns the state that an applied change replaced, or undefined when it is unknown. `now` supplies the names of
 * reordered strategies.
 */
export function replacedState(
  { action, before }: Pick<RequestedFlagChange, 'action' | 'before'>,
  now: ComparedState | undefined,
): ComparedState | undefined {
  if (before === undefined) return undefined;
  switch (action) {
    case 'updateEnabled':
      return { enabled: before.enabled };
    case 'updateStrategy':
    case 'deleteStrategy':
      return { strategies: [before] };
    case 'reorderStrategy':
      return { strategies: (before as readonly string[]).map((id, index) => placed(now, id, index)) };
    case 'patchVariant':
      return { variants: before };
    default:
      return undefined;
  }
}

/** Returns the strategy with an id, at a place in the order. A deleted strategy gets its id as name. */
function placed(now: ComparedState | undefined, id: string, sortOrder: number): Strategy {
  const known = now?.strategies?.find((strategy) => strategy.id === id);
  return { ...(known ?? ({ id, name: id } as Strategy)), sortOrder };
}

/**
 * Returns the old and new value of a flag change, compared with the current state or with the state that an applied
 * change replaced. When `now` is undefined, there is only the requested value.
 */
export function compareFlagChange(
  { action, payload, before }: Pick<RequestedFlagChange, 'action' | 'payload' | 'before'>,
  now: ComparedState | undefined,
): BeforeAndAfter {
  const { id, ...requested }: Fields = isFields(payload) ? payload : {};
  const strategy = now?.strategies?.find((present) => present.id === id);
  switch (action) {
    case 'updateEnabled':
      return { before: now === undefined ? null : { enabled: now.enabled }, after: { enabled: requested.enabled } };
    case 'updateStrategy':
      return { before: strategy === undefined ? null : sameFields({ ...strategy }, requested), after: requested };
    case 'deleteStrategy': {
      if (strategy === undefined) return { before: null, after: null };
      const { name, title, parameters, constraints, segments, variants } = strategy;
      return { before: { name, title, parameters, constraints, segments, variants }, after: null };
    }
    case 'reorderStrategy':
      return {
        before:
          now === undefined
            ? null
            : { order: now.strategies?.toSorted((a, b) => a.sortOrder - b.sortOrder).map(strategyName) },
        after: { order: requestedOrder(payload, now?.strategies ?? []) },
      };
    case 'patchVariant':
      return { before: now === undefined ? null : { variants: now.variants ?? [] }, after: requested };
    case 'deleteDependency':
      return { before: before ?? orNull(requested), after: null };
    default:
      return { before: before ?? null, after: orNull(requested) };
  }
}

/**
 * Returns the fields of a change of a release plan, with names in place of the ids of the plan and of its milestones.
 * Ids that are not of this plan are kept.
 */
export function withPlanNames(
  fields: unknown,
  plan: Pick<Plan, 'id' | 'name' | 'milestones'> | null | undefined,
): unknown {
  if (!isFields(fields) || plan === null || plan === undefined) return fields;
  const milestoneOf = (id: unknown) => plan.milestones.find((milestone) => milestone.id === id)?.name ?? id;
  const { planId, milestoneId, sourceMilestone, ...others } = fields;
  return {
    ...(planId === undefined ? {} : { plan: planId === plan.id ? plan.name : planId }),
    ...(milestoneId === undefined ? {} : { milestone: milestoneOf(milestoneId) }),
    ...(sourceMilestone === undefined ? {} : { afterMilestone: milestoneOf(sourceMilestone) }),
    ...others,
  };
}

/** Returns null for a change without fields, which has nothing to show. */
const orNull = (fields: Fields) => (Object.keys(fields).length === 0 ? null : fields);

/** Returns the title of a strategy; the name of its type when it has no title. */
export const strategyName = ({ title, name }: Strategy) =>
  title === null || title === undefined || title === '' ? name : title;

function requestedOrder(payload: unknown, strategies: readonly Strategy[]): readonly string[] {
  const places = Array.isArray(payload) ? (payload as readonly { id: string; sortOrder: number }[]) : [];
  return places
    .toSorted((a, b) => a.sortOrder - b.sortOrder)
    .map(({ id }) => {
      const strategy = strategies.find((present) => present.id === id);
      return strategy === undefined ? id : strategyName(strategy);
    });
}
