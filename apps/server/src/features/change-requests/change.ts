import type { ChangeBody, Permission } from '@yardarm/contract';
import type { Actor } from '../../kernel/actor.ts';

/** What one change does, its payload as the direct call takes it. */
export type Doing = ChangeBody;

/** A change of a request. */
export interface Change {
  readonly id: number;
  readonly requestId: number;
  readonly doing: Doing;
  /** What it changes as that was when it was asked for, as JSON; null where it does not matter. Once it is applied, what it replaced. */
  readonly base: string | null;
  readonly by: Actor;
  readonly at: number;
}

/** The flag that it changes; undefined of a segment. */
export function flagOf(doing: Doing): string | undefined {
  return 'feature' in doing ? doing.feature : undefined;
}

/** The segment that it changes; undefined of a flag. */
export function segmentOf(doing: Doing): number | undefined {
  return doing.action === 'updateSegment' || doing.action === 'deleteSegment' ? doing.payload.id : undefined;
}

/** The segments that a strategy is to use; none for other changes. */
export function segmentsWanted(doing: Doing): readonly number[] {
  return doing.action === 'addStrategy' || doing.action === 'updateStrategy' ? (doing.payload.segments ?? []) : [];
}

/**
 * What it changes, in a word: two changes with the same one get in each other's way, and the second of a request takes
 * the place of the first.
 */
export function targetOf(doing: Doing): string {
  switch (doing.action) {
    case 'updateStrategy':
    case 'deleteStrategy':
      return `strategy ${doing.payload.id}`;
    case 'updateSegment':
    case 'deleteSegment':
      return `segment ${doing.payload.id}`;
    case 'addDependency':
    case 'deleteDependency':
      return `dependency ${doing.feature}`;
    case 'addStrategy':
      return `new ${doing.feature}`;
    default:
      return `${doing.action} ${doing.feature}`;
  }
}

/** Whether it is felt in every environment of the project, not only in that of its request. */
export function isWide({ action }: Doing): boolean {
  return ['archiveFeature', 'addDependency', 'deleteDependency', 'updateSegment', 'deleteSegment'].includes(action);
}

const permissions: Readonly<Record<Doing['action'], Permission>> = {
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

/** The permission that the direct call asks for. */
export function permissionOf({ action }: Doing): Permission {
  return permissions[action];
}
