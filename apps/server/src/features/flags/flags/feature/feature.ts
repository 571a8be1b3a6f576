import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { FeatureTypeId } from './feature-type.ts';

/** A flag without its states in environments. */
export interface Feature {
  readonly name: string;
  readonly project: string;
  readonly type: FeatureTypeId;
  readonly description: string | null;
  readonly stale: boolean;
  readonly impressionData: boolean;
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

/** Returns a flag as the event log stores it. */
export function featureEventData(feature: Feature, tags: readonly FeatureTag[]): Record<string, unknown> {
  return {
    name: feature.name,
    description: feature.description,
    type: feature.type,
    project: feature.project,
    stale: feature.stale,
    impressionData: feature.impressionData,
    createdAt: isoTime(feature.createdAt),
    lastSeenAt: isoTimeOrNull(feature.lastSeenAt),
    archived: feature.archivedAt !== null,
    archivedAt: isoTimeOrNull(feature.archivedAt),
    tags,
  };
}
