import type { Db } from '../../storage/tx.ts';
import { type Constraint, contextNamesOf } from '../constraints/index.ts';
import { type ContextField, checkLegal } from './context-field.ts';
import { findContextFields } from './store.ts';

/**
 * A 400 that names the first value of the constraints that their context field does not allow. Fields of `project` count,
 * and those of all projects. Constraints that were there `before` were legal when they came, and may stay.
 */
export async function checkLegalValues(
  db: Db,
  project: string | null,
  constraints: readonly Constraint[],
  before: readonly Constraint[] = [],
  pathOf = (index: number) => `constraints.${index}.`,
): Promise<void> {
  const found = await findContextFields(db, contextNamesOf(constraints.filter(newTo(before))));
  checkLegalAmong(new Map(found.map((one) => [one.name, one])), project, constraints, before, pathOf);
}

/** {@link checkLegalValues} by fields, by name, that are known already. */
export function checkLegalAmong(
  fields: ReadonlyMap<string, ContextField>,
  project: string | null,
  constraints: readonly Constraint[],
  before: readonly Constraint[] = [],
  pathOf = (index: number) => `constraints.${index}.`,
): void {
  const isNew = newTo(before);
  for (const [index, constraint] of constraints.entries()) {
    const field = fields.get(constraint.contextName);
    if (field === undefined || (field.project !== null && field.project !== project)) continue;
    if (isNew(constraint)) checkLegal(field, constraint, pathOf(index));
  }
}

function newTo(before: readonly Constraint[]): (constraint: Constraint) => boolean {
  const old = new Set(before.map((one) => JSON.stringify(one)));
  return (constraint) => !old.has(JSON.stringify(constraint));
}
