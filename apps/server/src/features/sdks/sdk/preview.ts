import type { CompiledFlag } from '@yardarm/evaluation';
import type { ClientFeature } from '#features/flags/reading/index.ts';
import type { ClientSegment } from '#features/flags/segments/index.ts';
import { FeatureQuery } from './feature-query.ts';
import type { Snapshot } from './snapshot.ts';
import { SnapshotFlag } from './snapshot-flag.ts';
import { type SnapshotSegments, toSnapshotSegment } from './snapshot-segment.ts';

/** Changes that have not been applied, such as those of a change request. */
export interface HypotheticalChanges {
  /** Names of the flags that the changes affect. */
  readonly changedFlags: readonly string[];
  /** The affected flags as they would be; a flag that the changes delete is missing. */
  readonly features: readonly ClientFeature[];
  /** Ids of the segments that the changes affect. */
  readonly changedSegments: readonly number[];
  /** The affected segments as they would be, and all other segments that `features` use. */
  readonly segments: readonly ClientSegment[];
}

/** Returns all flags and segments as they would be after the changes. Does not modify the snapshot. */
export function previewChanges(
  snapshot: Snapshot,
  changes: HypotheticalChanges,
): { flags: SnapshotFlag[]; segments: SnapshotSegments } {
  const segments = new Map(snapshot.segments);
  const changedSegments = new Set(changes.changedSegments);
  for (const id of changedSegments) segments.delete(id);
  for (const segment of changes.segments) segments.set(segment.id, toSnapshotSegment(segment));
  const changedFlags = new Set(changes.changedFlags);
  const features = new Map(changes.features.map((feature) => [feature.name, feature]));
  const everything = new FeatureQuery({ environment: '', projects: ['*'] }, {}, false);
  const flags = snapshot.flags(everything).flatMap((flag) => {
    const isChanged = changedFlags.has(flag.feature.name);
    const feature = isChanged ? features.get(flag.feature.name) : flag.feature;
    if (feature === undefined) return [];
    const isAffected = isChanged || flag.segments.some((id) => changedSegments.has(id));
    return isAffected ? new SnapshotFlag(feature, flag.tags, segments) : flag;
  });
  return { flags, segments };
}

/** Compiles a flag as it would be in an environment, with the segments that it would use. */
export function compilePreview(
  feature: ClientFeature,
  environment: string,
  segments: readonly ClientSegment[],
): CompiledFlag {
  const byId = new Map(segments.map((segment) => [segment.id, toSnapshotSegment(segment)]));
  return new SnapshotFlag(feature, new Set(), byId).compiled(environment);
}
