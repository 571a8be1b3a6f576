import type { z } from 'zod';
import { type JsonColumn, jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** A setting by its name in the table and in events. */
export interface Setting<Value> {
  readonly name: string;
  readonly content: JsonColumn<Value>;
}

/** Defines a setting by its name and the schema of its value. */
export function defineSetting<Value>(name: string, schema: z.ZodType<Value>): Setting<Value> {
  return { name, content: jsonColumn('settings.content', schema) };
}

const selectContent = prepared<{ name: string }>().query((db, { name }) =>
  db.selectFrom('settings').select('content').where('name', '=', name),
);

/** Returns the stored value of a setting; undefined when none is stored. */
export async function findSetting<Value>(db: Db, { name, content }: Setting<Value>): Promise<Value | undefined> {
  const [row] = await selectContent(db, { name });
  return row && content.parse(row.content, name);
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
  { name, content: column }: Setting<Value>,
  before: Value | undefined,
  after: Value,
  toEventData: (before: Value | undefined, after: Value) => SettingEventData = (preData, data) => ({ preData, data }),
): Promise<void> {
  const content = column.write(after);
  if (before !== undefined && column.write(before) === content) return;
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
