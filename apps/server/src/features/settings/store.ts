import type { Db, Tx } from '../../storage/tx.ts';

/** What a setting was last set to; undefined when it never was. */
export async function findSetting<Value>(db: Db, name: string): Promise<Value | undefined> {
  const row = await db.selectFrom('settings').select('content').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.content) as Value);
}

/** How a setting is written down in events: without what is secret. */
export interface Shown {
  readonly preData: object | undefined;
  readonly data: object;
}

/**
 * Sets a setting that was `before`, and records that (docs/spec#event-types). Its events hold what `show` makes of it,
 * or all of it; when nothing changes there is none.
 */
export async function changeSetting<Value extends object>(
  tx: Tx,
  name: string,
  before: Value | undefined,
  after: Value,
  show: (before: Value | undefined, after: Value) => Shown = (preData, data) => ({ preData, data }),
): Promise<void> {
  const content = JSON.stringify(after);
  if (before !== undefined && JSON.stringify(before) === content) return;
  await tx.db
    .insertInto('settings')
    .values({ name, content })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ content }))
    .execute();
  const { preData, data } = show(before, after);
  tx.record(
    preData === undefined
      ? { type: 'setting-created', data: { id: name, ...data } }
      : { type: 'setting-updated', data: { id: name, ...data }, preData: { id: name, ...preData } },
  );
}
