import type { Db } from '../../storage/tx.ts';
import { presentSegment } from './present.ts';
import { segmentUses, useOf } from './queries.ts';
import type { Segment } from './segment.ts';

/** Segments as they come, with how much uses them. One statement more than reading them takes. */
export async function presentSegments(db: Db, found: Promise<readonly Segment[]>) {
  const [segments, uses] = await Promise.all([found, segmentUses(db)]);
  return segments.map((segment) => presentSegment(segment, useOf(uses, segment.id)));
}

/** {@link presentSegments} for one. */
export async function presentOne(db: Db, segment: Segment) {
  return presentSegment(segment, useOf(await segmentUses(db, segment.id), segment.id));
}
