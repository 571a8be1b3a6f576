import type { Identity } from '#kernel/caller.ts';
import type { Db } from '#storage/tx.ts';
import { presentSegment } from './present.ts';
import { segmentUses, useOf } from './queries.ts';
import type { Segment } from './segment.ts';

/**
 * Presents segments with the number of uses that the caller may see. Runs one statement in parallel with the query
 * `found`.
 */
export async function presentSegments(
  db: Db,
  found: Promise<readonly Segment[]>,
  { hidden }: Pick<Identity, 'hidden'>,
) {
  const [segments, uses] = await Promise.all([found, segmentUses(db, hidden)]);
  return segments.map((segment) => presentSegment(segment, useOf(uses, segment.id)));
}

/** Presents one segment like {@link presentSegments}. */
export async function presentOne(db: Db, segment: Segment, { hidden }: Pick<Identity, 'hidden'>) {
  return presentSegment(segment, useOf(await segmentUses(db, hidden, segment.id), segment.id));
}
