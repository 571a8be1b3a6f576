import { compiled } from '../../storage/compiled.ts';
import type { Db } from '../../storage/tx.ts';

/** More names than this are not sent to the database: all tags are read. */
const maxNamesInQuery = 1000;

const select = (db: Db) => db.selectFrom('feature_tags').select(['feature_name', 'type', 'value']);

const selectNamed = compiled<{ names: readonly string[] }>().query(
  (db, { names }) => select(db).where('feature_name', 'in', names),
  { names: 'names', column: 'feature_name' },
);

/** Tags (`type:value`) of the flags named, or of all, by the flag's name. */
export async function loadTags(db: Db, names?: readonly string[]): Promise<Map<string, Set<string>>> {
  const tags = new Map<string, Set<string>>();
  if (names?.length === 0) return tags;
  const some = names !== undefined && names.length <= maxNamesInQuery;
  for (const { feature_name: name, type, value } of await (some ? selectNamed(db, { names }) : select(db).execute())) {
    const ofFlag = tags.get(name);
    if (ofFlag === undefined) tags.set(name, new Set([`${type}:${value}`]));
    else ofFlag.add(`${type}:${value}`);
  }
  return tags;
}
