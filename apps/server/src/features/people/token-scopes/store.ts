import { type Condition, sql, type Tx } from '#storage/tx.ts';
import { allProjects, type TokenScope } from './scope.ts';

/**
 * Who reads data that tokens brought: a project, or the project of a flag, which reads the data of tokens that hold it,
 * or a caller, who reads the data of tokens that hold a project not hidden from the caller.
 */
export type Reader =
  | { readonly project: string }
  | { readonly featureName: string }
  | { readonly hidden: ReadonlySet<string> };

const rowsPerStatement = 500;

/** Stores the projects of scopes, so that {@link readableBy} finds them. */
export async function saveScopes(tx: Tx, scopes: Iterable<TokenScope>): Promise<void> {
  const byId = new Map([...scopes].map((scope) => [scope.id, scope]));
  byId.delete(allProjects.id);
  const rows = [...byId.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap(({ id, projects }) => projects.map((project) => ({ scope: id, project })));
  for (let i = 0; i < rows.length; i += rowsPerStatement) {
    await tx.db
      .insertInto('token_scopes')
      .values(rows.slice(i, i + rowsPerStatement))
      .onConflict((conflict) => conflict.columns(['scope', 'project']).doNothing())
      .execute();
  }
}

/** Returns the condition that a reader may read a row. `column` holds the row's scope. */
export function readableBy(reader: Reader, column: string): Condition {
  if ('hidden' in reader && reader.hidden.size === 0) return sql<boolean>`1 = 1`;
  return sql<boolean>`(${sql.ref(column)} = ${allProjects.id} or ${namesProject(reader, column)})`;
}

/** Returns the condition that the scope in `column` is not `*` and names a project of the reader. */
export function namesProject(reader: Reader, column: string): Condition {
  return sql<boolean>`exists (select 1 from token_scopes as t where t.scope = ${sql.ref(column)} and ${ofReader(reader)})`;
}

function ofReader(reader: Reader): Condition {
  if ('project' in reader) return sql<boolean>`t.project = ${reader.project}`;
  if ('featureName' in reader)
    return sql<boolean>`t.project = (select p.project from features as p where p.name = ${reader.featureName})`;
  if (reader.hidden.size === 0) return sql<boolean>`1 = 1`;
  return sql<boolean>`t.project not in (${sql.join([...reader.hidden])})`;
}
