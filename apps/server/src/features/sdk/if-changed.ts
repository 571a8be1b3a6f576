import type { ClientFeature } from '../flags/index.ts';
import type { ClientSegment } from '../segments/index.ts';
import { FeatureQuery } from './feature-query.ts';
import { ServedFlag } from './served-flag.ts';
import { type ServedSegments, serveSegment } from './served-segment.ts';
import type { Snapshot } from './snapshot.ts';

/** What would be otherwise. */
export interface Supposed {
  /** Names of the flags that would be, and those of them that would be there. */
  readonly changedFlags: readonly string[];
  readonly features: readonly ClientFeature[];
  /** Ids of the segments that would be. */
  readonly changedSegments: readonly number[];
  /** Those that would be there, and others that the flags would use. */
  readonly segments: readonly ClientSegment[];
}

/** All flags by name, and the segments they use, if something were otherwise than it is. The snapshot stays as it is. */
export function ifChanged(snapshot: Snapshot, supposed: Supposed): { flags: ServedFlag[]; segments: ServedSegments } {
  const segments = new Map(snapshot.segments);
  const changedSegments = new Set(supposed.changedSegments);
  for (const id of changedSegments) segments.delete(id);
  for (const segment of supposed.segments) segments.set(segment.id, serveSegment(segment));
  const changedFlags = new Set(supposed.changedFlags);
  const features = new Map(supposed.features.map((feature) => [feature.name, feature]));
  const everything = new FeatureQuery({ environment: '', projects: ['*'] }, {}, false);
  const flags = snapshot.flags(everything).flatMap((flag) => {
    const isChanged = changedFlags.has(flag.feature.name);
    const feature = isChanged ? features.get(flag.feature.name) : flag.feature;
    if (feature === undefined) return [];
    const isTouched = isChanged || flag.segments.some((id) => changedSegments.has(id));
    return isTouched ? new ServedFlag(feature, flag.tags, segments) : flag;
  });
  return { flags, segments };
}
