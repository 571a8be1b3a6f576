import type { Db, Tx } from '../../storage/tx.ts';

/** What a setting was last set to; undefined when it never was. */
export async function findSetting<Value>(db: Db, name: string): Promise<Value | undefined> {
  const row = await db.selectFrom('settings').select('content').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.content) as Value);
}

export async function saveSetting(tx: Tx, name: string, value: unknown): Promise<void> {
  const content = JSON.stringify(value);
  await tx.db
    .insertInto('settings')
    .values({ name, content })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ content }))
    .execute();
}
