import { prepared } from '#storage/prepared-query.ts';
import type { Db } from '#storage/tx.ts';

const namesPerStatement = 1000;

const select = (db: Db) => db.selectFrom('feature_tags').select(['feature_name', 'type', 'value']);

const selectNamed = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  select(db).where('feature_name', 'in', names),
);

/** Returns the tags (`type:value`) of the named flags, or of all flags, by flag name. */
export async function loadTags(db: Db, names?: readonly string[]): Promise<Map<string, Set<string>>> {
  const tags = new Map<string, Set<string>>();
  if (names === undefined) add(await select(db).execute());
  else {
    for (let from = 0; from < names.length; from += namesPerStatement) {
      add(await selectNamed(db, { names: names.slice(from, from + namesPerStatement) }));
    }
  }
  return tags;

  function add(rows: Awaited<ReturnType<typeof selectNamed>>): void {
    for (const { feature_name: name, type, value } of rows) {
      const ofFlag = tags.get(name);
      if (ofFlag === undefined) tags.set(name, new Set([`${type}:${value}`]));
      else ofFlag.add(`${type}:${value}`);
    }
  }
}
