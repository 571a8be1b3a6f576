import type { z } from 'zod';

/** A field of a flag, of a strategy or of a variant. */
export interface FieldRow {
  /** The values that requests and state files may set. */
  readonly input: z.ZodType;
  /** The values in answers, events and exports. */
  readonly value: z.ZodType;
  /** The value in a new flag, strategy or variant when the request omits the field; undefined when there is none. */
  readonly initial: unknown;
}

/** Returns a column of a table of fields: its entries by field. */
export function columnOf<
  Column extends string,
  Table extends Readonly<Record<string, Readonly<Record<Column, unknown>>>>,
>(table: Table, column: Column) {
  return Object.fromEntries(Object.entries(table).map(([field, row]) => [field, row[column]])) as {
    [Field in keyof Table]: Table[Field][Column];
  };
}

/** The members that are fields of the table. */
type FieldsIn<Table, T> = {
  [Field in keyof Pick<T, Extract<keyof T, keyof Table>>]: Exclude<T[Field], undefined>;
};

/** Returns the members that are fields of the table, in its order, without undefined members. */
export function fieldsIn<Table extends object, T extends object>(table: Table, members: T): FieldsIn<Table, T> {
  const found = new Map<string, unknown>(Object.entries(members));
  const fields = Object.keys(table).map((field) => [field, found.get(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as FieldsIn<Table, T>;
}
