import { type CompiledSegment, type Constraint, compileSegment } from '@yardarm/evaluation';
import type { ClientSegment } from '../segments/index.ts';

/** A segment in memory, in the two shapes that SDKs get it in. */
export interface ServedSegment {
  /** As it stands in the list of segments (docs/spec#sdk-flags). */
  readonly json: string;
  /** Its constraints, to stand among those of a strategy. */
  readonly constraints: readonly string[];
  /** Ready to be evaluated. */
  readonly compiled: CompiledSegment;
}

/** By id. */
export type ServedSegments = ReadonlyMap<number, ServedSegment>;

export function serveSegment({ id, name, constraintsJson }: ClientSegment): ServedSegment {
  return {
    json: `{"id":${id},"name":${JSON.stringify(name)},"constraints":${constraintsJson}}`,
    constraints: itemsOf(constraintsJson),
    compiled: compileSegment({ id, name, constraints: JSON.parse(constraintsJson) as readonly Constraint[] }),
  };
}

/**
 * Nobody passes it. A segment may be gone from the database when the flags that were read just before still name it;
 * until their change arrives they are on for fewer people, never for more. SDKs do the same
 * (docs/spec#flag-evaluation).
 */
const nobody = '{"contextName":"userId","operator":"IN","values":[],"inverted":false,"caseInsensitive":false}';

/** The constraints of a strategy, as a JSON array, with those of its segments behind its own. */
export function inlined(constraintsJson: string, segments: readonly number[], served: ServedSegments): string {
  const ofSegments = segments.flatMap((id) => served.get(id)?.constraints ?? [nobody]);
  return `[${[...itemsOf(constraintsJson), ...ofSegments].join(',')}]`;
}

/** The text between the brackets of a JSON array, if there is any. */
function itemsOf(array: string): string[] {
  const items = array.slice(1, -1);
  return items === '' ? [] : [items];
}
