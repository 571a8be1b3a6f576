import { listSegments } from '#features/flags/segments/index.ts';
import type { Tx } from '#storage/tx.ts';

/** Replaces the temporary id of a new segment by the real id; returns other ids as they are. */
export type ToRealId = (id: number) => number;

/**
 * Returns the function that replaces the temporary ids of new segments by their real ids; undefined without new
 * segments. The segments must be stored already.
 */
export async function realSegmentIds(tx: Tx, segmentNames: ReadonlyMap<number, string>): Promise<ToRealId | undefined> {
  if (![...segmentNames.keys()].some((id) => id < 0)) return undefined;
  const ids = new Map((await listSegments(tx.db)).map(({ name, id }) => [name, id]));
  return (id) => (id < 0 ? (ids.get(segmentNames.get(id) ?? '') ?? id) : id);
}
