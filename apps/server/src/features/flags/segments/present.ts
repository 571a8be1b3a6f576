import { isoTime } from '#kernel/clock.ts';
import type { SegmentUse } from './queries.ts';
import type { Segment } from './segment.ts';

export function presentSegment(segment: Segment, use: SegmentUse) {
  return {
    id: segment.id,
    name: segment.name,
    description: segment.description,
    project: segment.project,
    constraints: segment.constraints.map((constraint) => ({ ...constraint, values: [...constraint.values] })),
    createdBy: segment.createdBy,
    createdAt: isoTime(segment.createdAt),
    usedInFeatures: use.features,
    usedInProjects: use.projects,
  };
}
