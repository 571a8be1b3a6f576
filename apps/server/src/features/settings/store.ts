import type { Db, Tx } from '../../storage/tx.ts';

/** Returns the stored value of a setting; undefined when none is stored. */
export async function findSetting<Value>(db: Db, name: string): Promise<Value | undefined> {
  const row = await db.selectFrom('settings').select('content').where('name', '=', name).executeTakeFirst();
  return row && (JSON.parse(row.content) as Value);
}

/** The data of a setting's event, without secrets. */
export interface SettingEventData {
  readonly preData: object | undefined;
  readonly data: object;
}

/**
 * Stores a setting and records the change (docs/spec#event-types); does nothing when the value is the same.
 * `toEventData` returns the data of the event, by default the complete values.
 */
export async function changeSetting<Value extends object>(
  tx: Tx,
  name: string,
  before: Value | undefined,
  after: Value,
  toEventData: (before: Value | undefined, after: Value) => SettingEventData = (preData, data) => ({ preData, data }),
): Promise<void> {
  const content = JSON.stringify(after);
  if (before !== undefined && JSON.stringify(before) === content) return;
  await tx.db
    .insertInto('settings')
    .values({ name, content })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ content }))
    .execute();
  const { preData, data } = toEventData(before, after);
  tx.record(
    preData === undefined
      ? { type: 'setting-created', data: { id: name, ...data } }
      : { type: 'setting-updated', data: { id: name, ...data }, preData: { id: name, ...preData } },
  );
}
