import type { Db } from '../../storage/tx.ts';
import {
  type Dependency,
  dependenciesOf,
  type Feature,
  type FlagVariant,
  findFeatures,
  listStrategies,
  listVariants,
  presentDependency,
  type Strategy,
  strategyEventData,
} from '../flags/index.ts';
import { findSegments, type Segment, segmentEventData } from '../segments/index.ts';
import type { Place } from './apply.ts';
import { type Change, flagOf, type Operation, requestedSegments, segmentOf } from './change.ts';
import { baseColumn } from './store.ts';

/** The current state of the flags and segments that changes refer to. */
export interface CurrentState {
  readonly features: ReadonlyMap<string, Feature>;
  readonly strategies: readonly Strategy[];
  readonly variants: readonly {
    readonly featureName: string;
    readonly environment: string;
    readonly variants: readonly FlagVariant[];
  }[];
  readonly dependencies: readonly Dependency[];
  readonly segments: ReadonlyMap<number, Segment>;
}

/** Reads the current state for the operations, with at most six statements. */
export async function readCurrentState(db: Db, changes: readonly Operation[]): Promise<CurrentState> {
  const names = [...new Set(changes.flatMap((one) => flagOf(one) ?? []))];
  const ids = [...new Set(changes.flatMap((one) => segmentOf(one) ?? requestedSegments(one)))];
  const none = { parents: [], children: [] };
  const [features, strategies, variants, { parents }, segments] = await Promise.all([
    findFeatures(db, names),
    names.length === 0 ? [] : listStrategies(db, names),
    listVariants(db, names),
    names.length === 0 ? none : dependenciesOf(db, names),
    findSegments(db, ids),
  ]);
  return {
    features: new Map(features.map((one) => [one.name, one])),
    strategies,
    variants,
    dependencies: parents,
    segments: new Map(segments.map((one) => [one.id, one])),
  };
}

/**
 * Returns the current state of the operation's target as JSON, to compare with the state when the change was requested.
 * Null for an operation that does not depend on the current state.
 */
export function baseOf(current: CurrentState, { environment }: Place, operation: Operation): string | null {
  switch (operation.action) {
    case 'addStrategy': {
      const segments = sharedSegments(current, operation);
      return segments.length === 0 ? null : JSON.stringify(segments);
    }
    case 'updateStrategy':
    case 'deleteStrategy': {
      const strategy = current.strategies.find(({ id }) => id === operation.payload.id);
      if (strategy === undefined) return null;
      // A different sort order is no conflict.
      const { sortOrder: _, ...data } = strategyEventData(strategy);
      const sharedSegmentsWanted = sharedSegments(current, operation);
      return JSON.stringify(sharedSegmentsWanted.length === 0 ? data : { ...data, sharedSegmentsWanted });
    }
    case 'reorderStrategy':
      return JSON.stringify(
        current.strategies
          .filter((one) => one.featureName === operation.feature && one.environment === environment)
          .map(({ id }) => id),
      );
    case 'patchVariant':
      return JSON.stringify(
        current.variants.find((one) => one.featureName === operation.feature && one.environment === environment)
          ?.variants ?? [],
      );
    case 'addDependency':
    case 'deleteDependency': {
      const dependency = current.dependencies.find(({ child }) => child === operation.feature);
      return JSON.stringify(dependency === undefined ? null : presentDependency(dependency));
    }
    case 'updateSegment':
    case 'deleteSegment': {
      const segment = current.segments.get(operation.payload.id);
      return segment === undefined ? null : JSON.stringify(segmentEventData(segment));
    }
    default:
      return null;
  }
}

/** Returns the state that an applied change replaced or deleted; undefined if there was none or it is unknown. */
export function replacedBy({ id, operation, base }: Change): unknown {
  if (base === null || operation.action === 'addStrategy') return undefined;
  const replaced = baseColumn.parse(base, id);
  if (operation.action !== 'updateStrategy') return replaced;
  // `sharedSegmentsWanted` is stored only to detect conflicts; it is not part of the strategy.
  const { sharedSegmentsWanted: _, ...strategy } = replaced as Record<string, unknown>;
  return strategy;
}

/**
 * Returns the current content of the shared segments that a strategy will use. A shared segment can be changed without
 * review until a reviewed environment uses it, so its content is part of what reviewers approve.
 */
function sharedSegments({ segments }: CurrentState, operation: Operation) {
  return requestedSegments(operation).flatMap((id) => {
    const segment = segments.get(id);
    return segment?.project === null ? [{ id, name: segment.name, constraints: segment.constraints }] : [];
  });
}

/** Returns the name of a shared segment of the strategy that has changed since `base` was stored. */
function changedSegment(current: CurrentState, operation: Operation, base: string | null): string | undefined {
  return sharedSegments(current, operation).find((one) => !(base ?? '').includes(JSON.stringify(one)))?.name;
}

/** Returns why a flag of the project can no longer be changed; undefined when it can. */
export function conflictOfFlag(current: CurrentState, { project }: Place, name: string): string | undefined {
  const feature = current.features.get(name);
  if (feature?.project !== project) return `The project no longer has a flag ${name}.`;
  return feature.archivedAt === null ? undefined : `The flag ${name} is archived.`;
}

/** Returns why a change can no longer be applied as requested; undefined when there is no conflict. */
export function conflictOf(current: CurrentState, place: Place, { operation, base }: Change): string | undefined {
  const flag = flagOf(operation);
  const flagConflict = flag === undefined ? undefined : conflictOfFlag(current, place, flag);
  if (flagConflict !== undefined) return flagConflict;
  const deleted = requestedSegments(operation).find((id) => !current.segments.has(id));
  if (deleted !== undefined) return `The segment ${deleted} was deleted.`;
  const now = baseOf(current, place, operation);
  if (now === base) return undefined;
  const changed = changedSegment(current, operation, base);
  if (changed !== undefined)
    return `The segment ${changed} of the requested strategy has changed since the request was made.`;
  switch (operation.action) {
    case 'addStrategy':
      return 'A segment of the requested strategy has changed since the request was made.';
    case 'updateStrategy':
    case 'deleteStrategy':
      return now === null
        ? `The strategy ${operation.payload.id} was deleted.`
        : `The strategy ${operation.payload.id} has changed since the request was made.`;
    case 'reorderStrategy':
      return 'The strategies were reordered, added or deleted since the request was made.';
    case 'patchVariant':
      return 'The variants have changed since the request was made.';
    case 'addDependency':
    case 'deleteDependency':
      return 'The dependencies of the flag have changed since the request was made.';
    case 'updateSegment':
    case 'deleteSegment':
      return now === null
        ? `The segment ${operation.payload.id} was deleted.`
        : `The segment ${operation.payload.id} has changed since the request was made.`;
    default:
      return undefined;
  }
}
