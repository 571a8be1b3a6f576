import { type FlagFields, type FlagInput, fieldsIn, flagFields, initialFlag } from '@yardarm/contract';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';

/** A flag without its states in environments. */
export interface Feature extends Readonly<FlagFields> {
  readonly name: string;
  readonly project: string;
  readonly createdAt: number;
  readonly createdByUserId: number;
  readonly archivedAt: number | null;
  readonly lastSeenAt: number | null;
  /** The time of the first evaluation in an environment that is not of the type production. */
  readonly preLiveAt: number | null;
  /** The time of the first evaluation in production. */
  readonly liveAt: number | null;
  /** Null for a flag that is not completed. */
  readonly completed: Completion | null;
}

/** The outcome of a completed flag. */
export interface Completion {
  readonly at: number;
  readonly status: 'kept' | 'discarded';
  /** The value that was kept, such as the name of a variant. */
  readonly value: string | null;
}

export interface FeatureTag {
  readonly type: string;
  readonly value: string;
}

/** Identifies a flag. A flag of another project counts as absent. */
export interface FeatureRef {
  readonly project: string;
  readonly featureName: string;
}

/** Identifies flags of one project. */
export interface FeatureRefs {
  readonly project: string;
  readonly featureNames: readonly string[];
}

/** Returns a new flag with the initial values of the fields that are absent in `fields`. */
export function newFeature(
  { name, project, ...fields }: Pick<Feature, 'name' | 'project'> & FlagInput,
  { now, userId }: { readonly now: number; readonly userId: number },
): Feature {
  return {
    name,
    project,
    ...initialFlag,
    ...fieldsIn(flagFields, fields),
    createdAt: now,
    createdByUserId: userId,
    archivedAt: null,
    lastSeenAt: null,
    preLiveAt: null,
    liveAt: null,
    completed: null,
  };
}

/** Returns a flag as the event log stores it. */
export function featureEventData(feature: Feature, tags: readonly FeatureTag[]): Record<string, unknown> {
  const { name, description, type, project, stale } = feature;
  return {
    // These come first, so that the text of events stays the same.
    ...{ name, description, type, project, stale },
    ...fieldsIn(flagFields, feature),
    createdAt: isoTime(feature.createdAt),
    lastSeenAt: isoTimeOrNull(feature.lastSeenAt),
    archived: feature.archivedAt !== null,
    archivedAt: isoTimeOrNull(feature.archivedAt),
    tags,
  };
}
