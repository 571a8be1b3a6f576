import { type Constraint, contextNamesOf } from '#features/platform/constraints/index.ts';
import type { Db } from '#storage/tx.ts';
import { type ContextField, checkLegalValue } from './context-field.ts';
import { findContextFields } from './store.ts';

/**
 * Rejects with 400, naming the first constraint value that is not a legal value of its context field. Checks fields of
 * `project` and shared fields. Constraints in `before` were legal when they were saved, and may stay.
 */
export async function checkLegalValues(
  db: Db,
  project: string | null,
  constraints: readonly Constraint[],
  before: readonly Constraint[] = [],
  pathOf = (index: number) => `constraints.${index}.`,
): Promise<void> {
  const found = await findContextFields(db, contextNamesOf(constraints.filter(isNotIn(before))));
  checkLegalValuesOf(new Map(found.map((field) => [field.name, field])), project, constraints, before, pathOf);
}

/** Like {@link checkLegalValues}, with context fields that are loaded already, by name. */
export function checkLegalValuesOf(
  fields: ReadonlyMap<string, ContextField>,
  project: string | null,
  constraints: readonly Constraint[],
  before: readonly Constraint[] = [],
  pathOf = (index: number) => `constraints.${index}.`,
): void {
  const isNew = isNotIn(before);
  for (const [index, constraint] of constraints.entries()) {
    const field = fields.get(constraint.contextName);
    if (field === undefined || (field.project !== null && field.project !== project)) continue;
    if (isNew(constraint)) checkLegalValue(field, constraint, pathOf(index));
  }
}

function isNotIn(before: readonly Constraint[]): (constraint: Constraint) => boolean {
  const old = new Set(before.map((constraint) => JSON.stringify(constraint)));
  return (constraint) => !old.has(JSON.stringify(constraint));
}
