import { presentFilters } from '#features/platform/payload-filters/index.ts';
import { isoTime } from '#kernel/clock.ts';
import { recordedParameters, shownParameters } from '../kinds/index.ts';
import { type Action, type ActionSet, matchOf } from './action-set.ts';
import type { BlockedSet } from './blocked.ts';

export function presentSet(set: ActionSet) {
  return { ...presentSetWithoutActions(set), actions: set.actions.map(presentAction) };
}

/** Presents a set for a caller who may not see paths and bodies of calls, because they may be secret. */
export function presentSetForReader(set: ActionSet) {
  const actions = set.actions.map((action) => ({
    ...action,
    executionParams: recordedParameters(action.action, action.executionParams),
  }));
  return presentSet({ ...set, actions });
}

/** Presents a set without its actions. */
export function presentSetWithoutActions(set: ActionSet) {
  const { filters, releaseFilters } = set;
  return {
    id: set.id,
    name: set.name,
    description: set.description,
    project: set.project,
    enabled: set.enabled,
    actorId: set.actorId,
    match: {
      ...matchOf(set),
      payload: presentFilters(filters),
      release: releaseFilters && presentFilters(releaseFilters),
    },
    allow: set.allow && {
      flags: [...set.allow.flags],
      tags: [...set.allow.tags],
      environments: [...set.allow.environments],
    },
    guards: { ...set.guards },
    shadow: set.shadow,
    createdAt: isoTime(set.createdAt),
    createdByUserId: set.createdByUserId,
  };
}

/** Presents why a set cannot run, and since when. */
export function presentBlocked({ reason, blockedSince }: Pick<BlockedSet, 'reason' | 'blockedSince'>) {
  return { reason, blockedSince: isoTime(blockedSince) };
}

export function presentAction(action: Action) {
  const { id, sortOrder, executionParams, createdAt, createdByUserId } = action;
  return {
    id,
    action: action.action,
    sortOrder,
    executionParams: { ...shownParameters(action.action, executionParams) },
    createdAt: isoTime(createdAt),
    createdByUserId,
  };
}
