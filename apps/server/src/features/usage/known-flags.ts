import type { Db } from '../../storage/tx.ts';

const namesPerStatement = 500;

/** Returns the members of `names` that are flags, archived flags included. */
export async function knownFlags(db: Db, names: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let i = 0; i < names.length; i += namesPerStatement) {
    const chunk = names.slice(i, i + namesPerStatement);
    const rows = await db.selectFrom('features').select('name').where('name', 'in', chunk).execute();
    for (const { name } of rows) known.add(name);
  }
  return known;
}
