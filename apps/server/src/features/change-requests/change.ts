import type { ChangeBody, Permission } from '@yardarm/contract';
import type { Actor } from '../../kernel/actor.ts';

/** The action and payload of one change; the payload has the format of the direct route. */
export type Operation = ChangeBody;

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

/** Returns the segment ids of the strategy that the operation adds or updates; empty for other operations. */
export function requestedSegments(operation: Operation): readonly number[] {
  return operation.action === 'addStrategy' || operation.action === 'updateStrategy'
    ? (operation.payload.segments ?? [])
    : [];
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
  updateSegment: 'UPDATE_SEGMENT',
  deleteSegment: 'DELETE_SEGMENT',
};

/** Returns the permission that the direct route requires. */
export function permissionOf({ action }: Operation): Permission {
  return permissions[action];
}
