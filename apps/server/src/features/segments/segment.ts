import { isoTime } from '../../kernel/clock.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { type Constraint, type ConstraintLimits, checkConstraints } from '../constraints/index.ts';

/** Constraints with a name that strategies share. */
export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** The project whose flags alone may use it; null for those of all. */
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
  /** Values of all constraints of one segment together. */
  readonly values: number;
}

/**
 * Checks the constraints of a segment by the rules of those of strategies. Only the values are counted otherwise: over
 * all constraints, since a segment is where long lists belong (docs/spec#segments). 400 with the field that is wrong.
 */
export function checkSegmentConstraints(constraints: readonly Constraint[], limits: SegmentLimits): void {
  const each: ConstraintLimits = { constraints: limits.constraints, constraintValues: limits.values };
  checkConstraints(constraints, each);
  const values = constraints.reduce((sum, one) => sum + one.values.length, 0);
  if (values > limits.values) {
    throw new Problem('ExceedsLimitError', `A segment can have at most ${limits.values} values.`, {
      details: [{ message: `must hold at most ${limits.values} values together`, path: 'constraints' }],
    });
  }
}

/**
 * A 400 when a strategy of a flag of `project` may not use these segments; `found` are those of them that there are. It says the same of
 * a segment of another project, which may be hidden, and of one that does not exist.
 */
export function checkUsable(ids: readonly number[], found: readonly Segment[], project: string): void {
  for (const [index, id] of ids.entries()) {
    const segment = found.find((one) => one.id === id);
    if (segment === undefined || (segment.project !== null && segment.project !== project)) {
      throw badField(`segments.${index}`, `must be the id of a segment that this project may use, not ${id}`);
    }
  }
}

/** A segment as the event log keeps it. */
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
