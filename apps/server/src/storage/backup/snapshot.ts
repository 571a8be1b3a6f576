import type { Value } from './format.ts';

/** A consistent snapshot of a database for reading. Other processes may write meanwhile. */
export interface DatabaseSnapshot {
  /** Returns the names of the migrations that were run, in order. */
  migrations(): Promise<readonly string[]>;
  columns(table: string): Promise<readonly string[]>;
  /** Returns the last id that was generated for a row of a table; undefined when there is none. */
  lastId(table: string): Promise<number | undefined>;
  /** Yields all rows of a table, in pages of about a megabyte. */
  pages(table: string, columns: readonly string[]): AsyncIterable<readonly (readonly Value[])[]>;
  close(): Promise<void>;
}

/** A database that is being filled in one transaction. */
export interface RestoreTarget {
  migrations(): Promise<readonly string[]>;
  columns(table: string): Promise<readonly string[]>;
  isEmpty(table: string): Promise<boolean>;
  clear(table: string): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void>;
  /** Makes the ids that will be generated for a table continue after `id`, so that no id of a deleted row returns. */
  continueAfter(table: string, id: number): Promise<void>;
  /** Commits and closes the database. */
  commit(): Promise<void>;
  /** Rolls back and closes the database. */
  abandon(): Promise<void>;
}

/** The size of a page in characters. */
export const pageSize = 1024 * 1024;
/** The approximate size of the values of a row that are not text, in characters. */
const rowOverhead = 100;

/** Returns the approximate size of a row in characters. */
export function sizeOf(row: readonly Value[]): number {
  let size = rowOverhead;
  for (const value of row) if (typeof value === 'string') size += value.length;
  return size;
}

/** Groups rows into pages, so that a limited number of rows is in memory. */
export function* inPages(rows: Iterable<readonly Value[]>): Generator<readonly (readonly Value[])[]> {
  let page: (readonly Value[])[] = [];
  let size = 0;
  for (const row of rows) {
    page.push(row);
    size += sizeOf(row);
    if (size < pageSize) continue;
    yield page;
    [page, size] = [[], 0];
  }
  if (page.length > 0) yield page;
}
