import type { Db } from '../../storage/tx.ts';
import { type Constraint, contextNamesOf } from '../constraints/index.ts';
import { checkLegal } from './context-field.ts';
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
  const old = new Set(before.map((one) => JSON.stringify(one)));
  const isNew = (one: Constraint) => !old.has(JSON.stringify(one));
  const found = await findContextFields(db, contextNamesOf(constraints.filter(isNew)));
  const fields = new Map(
    found.filter((one) => one.project === null || one.project === project).map((one) => [one.name, one]),
  );
  for (const [index, constraint] of constraints.entries()) {
    const field = fields.get(constraint.contextName);
    if (field !== undefined && isNew(constraint)) checkLegal(field, constraint, pathOf(index));
  }
}
