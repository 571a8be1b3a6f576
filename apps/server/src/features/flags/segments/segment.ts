import {
  type Constraint,
  type ConstraintInput,
  type ConstraintLimits,
  checkConstraints,
} from '#features/platform/constraints/index.ts';
import { isoTime } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';
import { tooManyItems } from '#kernel/limits.ts';

/** A named list of constraints that strategies share. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** The only project whose flags may use the segment; null for all projects. */
  readonly project: string | null;
  readonly constraints: readonly Constraint[];
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface SegmentLimits {
  /** Segments of the instance. */
  readonly segments: number;
  /** Constraints of one segment. */
  readonly constraints: number;
  /** Total number of values in all constraints of one segment. */
  readonly values: number;
}

/**
 * Checks the constraints of a segment and returns them as they are stored. The rules are those for strategies, except
 * that values are counted over all constraints: long lists belong in segments (docs/spec#segments). Constraints of
 * `kept`, those that the segment has, may stay. Throws a 400 that names the invalid field.
 */
export function checkSegmentConstraints(
  constraints: readonly ConstraintInput[],
  limits: SegmentLimits,
  kept: readonly Constraint[] = [],
): Constraint[] {
  const each: ConstraintLimits = { constraints: limits.constraints, constraintValues: limits.values };
  const checked = checkConstraints(constraints, each, kept);
  const values = constraints.reduce((sum, constraint) => sum + constraint.values.length, 0);
  if (values > limits.values) {
    throw tooManyItems(
      `A segment can have at most ${limits.values} values in all constraints, not ${values}.`,
      'constraints',
      `must have at most ${limits.values} values in total`,
    );
  }
  return checked;
}

/**
 * Throws a 400 unless strategies of flags in `project` may use all these segments; `found` are the segments of `ids`
 * that exist. The error is the same for a missing segment and for a segment of another project, which may be hidden.
 */
export function checkSegmentsUsable(ids: readonly number[], found: readonly Segment[], project: string): void {
  for (const [index, id] of ids.entries()) {
    const segment = found.find((candidate) => candidate.id === id);
    if (segment === undefined || (segment.project !== null && segment.project !== project)) {
      throw badField(`segments.${index}`, `must be the id of a segment that this project may use, not ${id}`);
    }
  }
}

/** Returns the event data of a segment. */
export function segmentEventData(segment: Segment): Record<string, unknown> {
  return {
    id: segment.id,
    name: segment.name,
    description: segment.description,
    project: segment.project,
    constraints: segment.constraints,
    createdBy: segment.createdBy,
    createdAt: isoTime(segment.createdAt),
  };
}
