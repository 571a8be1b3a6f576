import { z } from 'zod';
import type { Row, Tables } from './tables.ts';

/** A column by its table: `segments.constraints`. */
type ColumnName = { [Table in keyof Tables]: `${Table}.${keyof Row<Table> & string}` }[keyof Tables];

/** A column that holds JSON. */
export interface JsonColumn<Value> {
  /** Parses a stored text. Throws an error that names the column and `row`, a key of the row, when it is damaged. */
  parse(text: string, row: string | number): Value;
  /** Returns the text to store. */
  write(value: Value): string;
}

/**
 * Defines a column that holds JSON of a schema. The schema must not transform or add defaults: values are stored as
 * they are written and returned as they are stored, so that a change keeps key order and members that the schema does
 * not name, and stored and new values can be compared as texts. The schema has no lengths either: a stored value must
 * stay readable when the rule for new values becomes stricter. A value of another shape needs a migration.
 *
 * @example
 * const labelsColumn = jsonColumn('impact_series.labels', z.record(z.string(), z.string()));
 * const labels = labelsColumn.parse(row.labels, row.id);
 */
export function jsonColumn<Value>(column: ColumnName, schema: z.ZodType<Value>): JsonColumn<Value> {
  return {
    parse(text, row) {
      const stored = parseText(text, column, row);
      const { error } = schema.safeParse(stored);
      if (error !== undefined) throw damaged(column, row, problemOf(error));
      return stored as Value;
    },
    write: (value) => JSON.stringify(value),
  };
}

// The following schemas are for columns of which thousands are parsed at once, those of strategies. They check the
// outermost value only. Loading the definitions of 10,000 flags with 20,000 strategies takes 237 to 264 ms with a cast,
// 258 to 260 ms with these checks, and 273 to 294 ms with whole schemas.

/** Returns a schema that accepts every array. */
export function anyList<Item>(): z.ZodType<readonly Item[]> {
  return z.custom<readonly Item[]>((value) => Array.isArray(value), 'Invalid input: expected array');
}

/** A schema that accepts every object. */
export const anyTexts = z.custom<Readonly<Record<string, string>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
);

function parseText(text: string, column: ColumnName, row: string | number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of JSON.parse quotes the text, which may be a secret.
    throw damaged(column, row, 'it is not JSON');
  }
}

function problemOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(', ');
}

function damaged(column: ColumnName, row: string | number, problem: string): Error {
  return new Error(`The column ${column} of the row ${row} is damaged: ${problem}. Restore the row from a backup.`);
}
