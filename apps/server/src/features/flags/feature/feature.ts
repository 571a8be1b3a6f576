import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts';
import type { FeatureTypeId } from './feature-type.ts';

/** A flag, apart from its state in environments. */
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
  /** When it was first evaluated in an environment that is not for production. */
  readonly preLiveAt: number | null;
  /** When it was first evaluated in production. */
  readonly liveAt: number | null;
  /** Null while it is not completed. */
  readonly completed: Completion | null;
}

/** What became of a flag that has done its work. */
export interface Completion {
  readonly at: number;
  readonly status: 'kept' | 'discarded';
  /** What was kept, such as the name of a variant. */
  readonly value: string | null;
}

export interface FeatureTag {
  readonly type: string;
  readonly value: string;
}

/** Which flag a command is about. A flag of another project counts as absent. */
export interface FeatureRef {
  readonly project: string;
  readonly featureName: string;
}

/** Which flags a command is about, each named once. */
export interface FeatureRefs {
  readonly project: string;
  readonly featureNames: readonly string[];
}

/** A flag as the event log keeps it. */
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
