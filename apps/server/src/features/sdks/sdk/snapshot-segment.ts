import { type CompiledSegment, compileSegment } from '@yardarm/evaluation';
import { type ClientSegment, constraintsColumn } from '#features/flags/segments/index.ts';

/** A segment in memory, in the two forms that SDKs get. */
export interface SnapshotSegment {
  readonly stored: ClientSegment;
  /** The JSON in the list of segments (docs/spec#sdk-flags). */
  readonly json: string;
  /** The JSON of its constraints, to be inlined in a strategy. */
  readonly constraints: readonly string[];
  /** Compiled for evaluation. */
  readonly compiled: CompiledSegment;
}

/** Segments by id. */
export type SnapshotSegments = ReadonlyMap<number, SnapshotSegment>;

export function toSnapshotSegment(stored: ClientSegment): SnapshotSegment {
  const { id, name, constraintsJson } = stored;
  return {
    stored,
    json: `{"id":${id},"name":${JSON.stringify(name)},"constraints":${constraintsJson}}`,
    constraints: arrayContent(constraintsJson),
    compiled: compileSegment({ id, name, constraints: constraintsColumn.parse(constraintsJson, id) }),
  };
}

/**
 * A constraint that no context meets. It replaces a missing segment: a segment may already be deleted when flags read
 * just before still refer to it. Until the snapshot catches up, the flag is on for fewer users, never for more. SDKs do
 * the same (docs/spec#flag-evaluation).
 */
const neverMet = '{"contextName":"userId","operator":"IN","values":[],"inverted":false,"caseInsensitive":false}';

/** Appends the constraints of segments to the constraints of a strategy; both are JSON arrays. */
export function inlineSegments(
  constraintsJson: string,
  segmentIds: readonly number[],
  allSegments: SnapshotSegments,
): string {
  const inlined = segmentIds.flatMap((id) => allSegments.get(id)?.constraints ?? [neverMet]);
  return `[${[...arrayContent(constraintsJson), ...inlined].join(',')}]`;
}

/** Returns the text between the brackets of a JSON array, or nothing for an empty array. */
function arrayContent(array: string): string[] {
  const items = array.slice(1, -1);
  return items === '' ? [] : [items];
}
