import { operators } from '@yardarm/evaluation';
import type { Constraint } from '#features/platform/constraints/index.ts';
import { isoTimeOrNull } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';

/** A declared field of the evaluation context, which constraints can compare. */
export interface ContextField {
  readonly name: string;
  readonly description: string | null;
  /** True when gradual rollouts and variants may use the field for stickiness. */
  readonly stickiness: boolean;
  readonly sortOrder: number;
  /** The values that constraints may use; any value when empty. */
  readonly legalValues: readonly LegalValue[];
  /** The project of the field; null for a shared field. */
  readonly project: string | null;
  readonly createdAt: number | null;
}

export interface LegalValue {
  readonly value: string;
  readonly description?: string | undefined;
}

/** Maximum number of legal values of a field. */
export const maxLegalValues = 10_000;

/**
 * Rejects with 400 when a constraint uses a value that is not a legal value of the field (docs/spec#constraint-values).
 * Regular expressions and dates are not checked: they are not values of a field. `path` is the prefix of the error
 * path.
 */
export function checkLegalValue(field: ContextField, constraint: Constraint, path: string): void {
  const { operator, values, value } = constraint;
  const facts = operators[operator];
  if (field.legalValues.length === 0 || facts.kind === 'pattern' || facts.kind === 'date') return;
  const legal = new Set(field.legalValues.map((legalValue) => legalValue.value));
  const message = `must be a legal value of the context field ${field.name}`;
  if (facts.field === 'value') {
    if (value !== undefined && !legal.has(value)) throw badField(`${path}value`, message);
    return;
  }
  const wrong = values.findIndex((value) => !legal.has(value));
  if (wrong >= 0) throw badField(`${path}values.${wrong}`, message);
}

/** Returns the event data of a context field. */
export function contextFieldEventData(field: ContextField): Record<string, unknown> {
  const { name, description, stickiness, sortOrder, legalValues, project, createdAt } = field;
  return { name, description, stickiness, sortOrder, legalValues, project, createdAt: isoTimeOrNull(createdAt) };
}
