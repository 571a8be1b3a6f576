import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Dependency } from './dependency.ts';

/** The variants of which the parent must have one. */
export const parentVariantsColumn = jsonColumn<readonly string[]>('feature_dependencies.variants', z.array(z.string()));

const columns = ['child', 'parent', 'enabled', 'variants'] as const;

const inOrder = (db: Db) => db.selectFrom('feature_dependencies').select(columns).orderBy('child');

const selectOf = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  inOrder(db).where('child', 'in', names),
);

const selectOn = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  inOrder(db).where('parent', 'in', names),
);

/**
 * Returns the dependencies in which the named flags are child or parent, with one statement and index for each
 * direction.
 */
export async function dependenciesOf(
  db: Db,
  names: readonly string[],
): Promise<{ readonly parents: Dependency[]; readonly children: Dependency[] }> {
  const [parents, children] = await Promise.all([selectOf(db, { names }), selectOn(db, { names })]);
  return { parents: parents.map(toDependency), children: children.map(toDependency) };
}

/** Returns whether a flag of the project depends on another flag. */
export async function hasDependencies(db: Db, project: string): Promise<boolean> {
  const row = await db
    .selectFrom('feature_dependencies as d')
    .innerJoin('features as f', 'f.name', 'd.child')
    .where('f.project', '=', project)
    .select('d.child')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the sorted names of the project's active flags without a parent, except `except`. */
export async function listPossibleParents(db: Db, project: string, except: string): Promise<string[]> {
  const rows = await db
    .selectFrom('features as f')
    .leftJoin('feature_dependencies as d', 'd.child', 'f.name')
    .where('f.project', '=', project)
    .where('f.name', '!=', except)
    .where('f.archived_at', 'is', null)
    .where('d.parent', 'is', null)
    .select('f.name')
    .orderBy('f.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Sets the parent of a flag. */
export async function putDependency(tx: Tx, { child, parent, enabled, variants }: Dependency): Promise<void> {
  const values = { parent, enabled: Number(enabled), variants: parentVariantsColumn.write(variants) };
  await tx.db
    .insertInto('feature_dependencies')
    .values({ child, ...values })
    .onConflict((conflict) => conflict.column('child').doUpdateSet(values))
    .execute();
}

export async function deleteDependencies(tx: Tx, children: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('feature_dependencies').where('child', 'in', children).execute();
}

function toDependency(row: Row<'feature_dependencies'>): Dependency {
  return {
    child: row.child,
    parent: row.parent,
    enabled: row.enabled === 1,
    variants: parentVariantsColumn.parse(row.variants, row.child),
  };
}
