import type { Db } from '../../storage/tx.ts';

const namesAtOnce = 500;

/** Those of `names` that are flags, archived ones included. */
export async function knownFlags(db: Db, names: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let i = 0; i < names.length; i += namesAtOnce) {
    const some = names.slice(i, i + namesAtOnce);
    const rows = await db.selectFrom('features').select('name').where('name', 'in', some).execute();
    for (const { name } of rows) known.add(name);
  }
  return known;
}
