import type { ChangeBody, Permission } from '@yardarm/contract';
import { safeguardKey } from '#features/releases/safeguards/index.ts';
import type { Actor } from '#kernel/actor.ts';

/** The action and payload of one change; the payload has the format of the direct route. */
export type Operation = ChangeBody;

const planActions = [
  'addReleasePlan',
  'deleteReleasePlan',
  'startMilestone',
  'approveMilestone',
  'changeMilestoneProgression',
  'deleteMilestoneProgression',
  'updateMilestoneStrategy',
] as const;

/** An operation that changes a release plan. */
export type PlanOperation = Extract<Operation, { readonly action: (typeof planActions)[number] }>;

export function isPlanOperation(operation: Operation): operation is PlanOperation {
  return (planActions as readonly string[]).includes(operation.action);
}

/** An operation that sets or deletes a safeguard. */
export type SafeguardOperation = Extract<Operation, { readonly action: 'changeSafeguard' | 'deleteSafeguard' }>;

export function isSafeguardOperation(operation: Operation): operation is SafeguardOperation {
  return operation.action === 'changeSafeguard' || operation.action === 'deleteSafeguard';
}

/** One change of a request. */
export interface Change {
  readonly id: number;
  readonly requestId: number;
  readonly operation: Operation;
  /**
   * The target's state when the change was requested, as JSON, to detect conflicts; null when the change cannot
   * conflict. After the change is applied: the state that it replaced.
   */
  readonly base: string | null;
  readonly by: Actor;
  readonly at: number;
}

/** Returns the flag that the operation changes; undefined when it changes a segment. */
export function flagOf(operation: Operation): string | undefined {
  return 'feature' in operation ? operation.feature : undefined;
}

/** Returns the id of the segment that the operation changes; undefined when it changes a flag. */
export function segmentOf(operation: Operation): number | undefined {
  return operation.action === 'updateSegment' || operation.action === 'deleteSegment'
    ? operation.payload.id
    : undefined;
}

/** Returns the segment ids of the strategies that the operation adds or updates; empty for other operations. */
export function requestedSegments(operation: Operation): readonly number[] {
  switch (operation.action) {
    case 'addStrategy':
    case 'updateStrategy':
    case 'updateMilestoneStrategy':
      return operation.payload.segments ?? [];
    case 'addReleasePlan':
      return (operation.payload.milestones ?? []).flatMap(({ strategies }) =>
        strategies.flatMap(({ segments = [] }) => segments),
      );
    default:
      return [];
  }
}

/**
 * Returns the key of what the operation changes. Two scheduled changes with the same key conflict; in a draft the later
 * change replaces the earlier one.
 */
export function targetOf(operation: Operation): string {
  switch (operation.action) {
    case 'updateStrategy':
    case 'deleteStrategy':
      return `strategy ${operation.payload.id}`;
    case 'updateSegment':
    case 'deleteSegment':
      return `segment ${operation.payload.id}`;
    case 'addDependency':
    case 'deleteDependency':
      return `dependency ${operation.feature}`;
    case 'addStrategy':
      return `new ${operation.feature}`;
    case 'addReleasePlan':
    case 'deleteReleasePlan':
      return `plan ${operation.feature}`;
    case 'changeMilestoneProgression':
    case 'deleteMilestoneProgression':
      return `progression ${operation.payload.sourceMilestone}`;
    case 'updateMilestoneStrategy':
      return `strategy ${operation.payload.id}`;
    case 'changeSafeguard': {
      const { planId, impactMetric: query, triggerCondition: condition } = operation.payload;
      return `safeguard ${operation.feature} ${planId ?? 'flag'} ${safeguardKey({ query, condition })}`;
    }
    case 'deleteSafeguard':
      return `safeguard ${operation.payload.safeguardId}`;
    default:
      return `${operation.action} ${operation.feature}`;
  }
}

/** Returns whether the operation affects every environment of the project, not only the environment of its request. */
export function affectsAllEnvironments({ action }: Operation): boolean {
  return ['archiveFeature', 'addDependency', 'deleteDependency', 'updateSegment', 'deleteSegment'].includes(action);
}

const permissions: Readonly<Record<Operation['action'], Permission>> = {
  updateEnabled: 'UPDATE_FEATURE_ENVIRONMENT',
  addStrategy: 'CREATE_FEATURE_STRATEGY',
  updateStrategy: 'UPDATE_FEATURE_STRATEGY',
  reorderStrategy: 'UPDATE_FEATURE_STRATEGY',
  deleteStrategy: 'DELETE_FEATURE_STRATEGY',
  patchVariant: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  archiveFeature: 'DELETE_FEATURE',
  addDependency: 'UPDATE_FEATURE_DEPENDENCY',
  deleteDependency: 'UPDATE_FEATURE_DEPENDENCY',
  addReleasePlan: 'CREATE_FEATURE_STRATEGY',
  deleteReleasePlan: 'DELETE_FEATURE_STRATEGY',
  startMilestone: 'UPDATE_FEATURE_STRATEGY',
  approveMilestone: 'UPDATE_FEATURE_STRATEGY',
  changeMilestoneProgression: 'UPDATE_FEATURE_STRATEGY',
  deleteMilestoneProgression: 'UPDATE_FEATURE_STRATEGY',
  updateMilestoneStrategy: 'UPDATE_FEATURE_STRATEGY',
  changeSafeguard: 'UPDATE_FEATURE_STRATEGY',
  deleteSafeguard: 'UPDATE_FEATURE_STRATEGY',
  updateSegment: 'UPDATE_SEGMENT',
  deleteSegment: 'DELETE_SEGMENT',
};

/** Returns the permission that the direct route requires. */
export function permissionOf(operation: Operation): Permission {
  if (isSafeguardOperation(operation) && operation.payload.planId == null) return 'UPDATE_FEATURE_ENVIRONMENT';
  return permissions[operation.action];
}

/** Returns all permissions that the direct route requires for this payload. */
export function permissionsOf(operation: Operation): readonly Permission[] {
  const { action } = operation;
  const removes =
    (action === 'addReleasePlan' || action === 'startMilestone') && operation.payload.strategies === 'remove';
  const guards = action === 'addReleasePlan' && (operation.payload.safeguards ?? []).length > 0;
  return [
    permissionOf(operation),
    ...(removes ? (['DELETE_FEATURE_STRATEGY'] as const) : []),
    ...(guards ? (['UPDATE_FEATURE_STRATEGY'] as const) : []),
  ];
}
