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
import { type Change, type Doing, flagOf, segmentOf, segmentsWanted } from './change.ts';

/** What changes are about, as it is now. */
export interface Present {
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

/** Reads what the changes are about. At most six statements, however many changes there are. */
export async function readPresent(db: Db, changes: readonly Doing[]): Promise<Present> {
  const names = [...new Set(changes.flatMap((one) => flagOf(one) ?? []))];
  const ids = [...new Set(changes.flatMap((one) => segmentOf(one) ?? segmentsWanted(one)))];
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
 * What a change is based on, as it is now: JSON, which is compared with what it was when the change was asked for. Null
 * for a change that does the same whatever there is.
 */
export function baseOf(present: Present, { environment }: Place, doing: Doing): string | null {
  switch (doing.action) {
    case 'addStrategy': {
      const segments = sharedSegments(present, doing);
      return segments.length === 0 ? null : JSON.stringify(segments);
    }
    case 'updateStrategy':
    case 'deleteStrategy': {
      const strategy = present.strategies.find(({ id }) => id === doing.payload.id);
      if (strategy === undefined) return null;
      // Where it stands among others does not matter to what is changed of it.
      const { sortOrder: _, ...data } = strategyEventData(strategy);
      const sharedSegmentsWanted = sharedSegments(present, doing);
      return JSON.stringify(sharedSegmentsWanted.length === 0 ? data : { ...data, sharedSegmentsWanted });
    }
    case 'reorderStrategy':
      return JSON.stringify(
        present.strategies
          .filter((one) => one.featureName === doing.feature && one.environment === environment)
          .map(({ id }) => id),
      );
    case 'patchVariant':
      return JSON.stringify(
        present.variants.find((one) => one.featureName === doing.feature && one.environment === environment)
          ?.variants ?? [],
      );
    case 'addDependency':
    case 'deleteDependency': {
      const dependency = present.dependencies.find(({ child }) => child === doing.feature);
      return JSON.stringify(dependency === undefined ? null : presentDependency(dependency));
    }
    case 'updateSegment':
    case 'deleteSegment': {
      const segment = present.segments.get(doing.payload.id);
      return segment === undefined ? null : JSON.stringify(segmentEventData(segment));
    }
    default:
      return null;
  }
}

/** Returns what an applied change replaced or deleted; undefined where it replaced nothing, or that is not known. */
export function replacedBy({ doing, base }: Change): unknown {
  if (base === null || doing.action === 'addStrategy') return undefined;
  const replaced: unknown = JSON.parse(base);
  if (doing.action !== 'updateStrategy') return replaced;
  // Not a part of the strategy: what was compared besides.
  const { sharedSegmentsWanted: _, ...strategy } = replaced as Record<string, unknown>;
  return strategy;
}

/**
 * The segments of all projects that a strategy is to use, as they are now. Until a reviewed environment uses such a
 * segment it is changed without review, so its content belongs to what is approved.
 */
function sharedSegments({ segments }: Present, doing: Doing) {
  return segmentsWanted(doing).flatMap((id) => {
    const segment = segments.get(id);
    return segment?.project === null ? [{ id, name: segment.name, constraints: segment.constraints }] : [];
  });
}

/** The name of a segment that a strategy is to use and that was changed since `base` was noted. */
function changedSegment(present: Present, doing: Doing, base: string | null): string | undefined {
  return sharedSegments(present, doing).find((one) => !(base ?? '').includes(JSON.stringify(one)))?.name;
}

/** Why a flag cannot be changed in the project any more. */
export function conflictOfFlag(present: Present, { project }: Place, name: string): string | undefined {
  const feature = present.features.get(name);
  if (feature?.project !== project) return `The project has no flag ${name} any more.`;
  return feature.archivedAt === null ? undefined : `The flag ${name} is archived.`;
}

/** Why a change cannot be made as it was asked for; undefined when nothing stands in its way. */
export function conflictOf(present: Present, place: Place, { doing, base }: Change): string | undefined {
  const flag = flagOf(doing);
  const ofFlag = flag === undefined ? undefined : conflictOfFlag(present, place, flag);
  if (ofFlag !== undefined) return ofFlag;
  const gone = segmentsWanted(doing).find((id) => !present.segments.has(id));
  if (gone !== undefined) return `The segment ${gone} was deleted.`;
  const now = baseOf(present, place, doing);
  if (now === base) return undefined;
  const changed = changedSegment(present, doing, base);
  if (changed !== undefined) return `The segment ${changed}, which the strategy is to use, was changed since.`;
  switch (doing.action) {
    case 'addStrategy':
      return 'A segment that the strategy is to use was changed since.';
    case 'updateStrategy':
    case 'deleteStrategy':
      return now === null
        ? `The strategy ${doing.payload.id} was deleted.`
        : `The strategy ${doing.payload.id} was changed since.`;
    case 'reorderStrategy':
      return 'The order of the strategies was changed since, or one was added or deleted.';
    case 'patchVariant':
      return 'The variants were changed since.';
    case 'addDependency':
    case 'deleteDependency':
      return 'What the flag depends on was changed since.';
    case 'updateSegment':
    case 'deleteSegment':
      return now === null
        ? `The segment ${doing.payload.id} was deleted.`
        : `The segment ${doing.payload.id} was changed since.`;
    default:
      return undefined;
  }
}
