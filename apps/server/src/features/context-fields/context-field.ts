import { isoTimeOrNull } from '../../kernel/clock.ts';
import { badField } from '../../kernel/errors.ts';
import type { Constraint } from '../constraints/index.ts';

/** Something that is known of who asks for a flag, which constraints ask about. */
export interface ContextField {
  readonly name: string;
  readonly description: string | null;
  /** Whether gradual rollouts and variants may stick to it. */
  readonly stickiness: boolean;
  readonly sortOrder: number;
  /** What constraints may compare it with; anything when empty. */
  readonly legalValues: readonly LegalValue[];
  /** The project it belongs to; null for one of all projects. */
  readonly project: string | null;
  readonly createdAt: number | null;
}

export interface LegalValue {
  readonly value: string;
  readonly description?: string | undefined;
}

/** Most legal values of a field. */
export const maxLegalValues = 10_000;

/**
 * A 400 when a constraint on the field compares it with what is no legal value (docs/spec#constraint-values). A pattern
 * and a moment are not values that a field has, so they are free. `path` is put before the path of what is wrong.
 */
export function checkLegal(field: ContextField, constraint: Constraint, path: string): void {
  const { operator, values, value } = constraint;
  if (field.legalValues.length === 0 || operator === 'REGEX' || operator.startsWith('DATE_')) return;
  const legal = new Set(field.legalValues.map((one) => one.value));
  const message = `must be a legal value of the context field ${field.name}`;
  if (operator.startsWith('NUM_') || operator.startsWith('SEMVER_')) {
    if (value !== undefined && !legal.has(value)) throw badField(`${path}value`, message);
    return;
  }
  const wrong = values.findIndex((one) => !legal.has(one));
  if (wrong >= 0) throw badField(`${path}values.${wrong}`, message);
}

/** A context field as the event log keeps it. */
export function contextFieldEventData(field: ContextField): Record<string, unknown> {
  const { name, description, stickiness, sortOrder, legalValues, project, createdAt } = field;
  return { name, description, stickiness, sortOrder, legalValues, project, createdAt: isoTimeOrNull(createdAt) };
}
