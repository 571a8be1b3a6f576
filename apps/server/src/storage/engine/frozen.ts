import type { Value } from '../backup/format.ts';

/** A database as it was at one moment, for reading; writing goes on meanwhile. */
export interface Frozen {
  /** Names of the migrations it has had, in order. */
  migrations(): Promise<readonly string[]>;
  columns(table: string): Promise<readonly string[]>;
  /** All rows of a table, in pages of about a megabyte at most, unless one row is larger. */
  pages(table: string, columns: readonly string[]): AsyncIterable<readonly (readonly Value[])[]>;
  close(): Promise<void>;
}

/** A database that is being filled, in one transaction that nobody sees before `commit`. */
export interface Filling {
  migrations(): Promise<readonly string[]>;
  columns(table: string): Promise<readonly string[]>;
  isEmpty(table: string): Promise<boolean>;
  clear(table: string): Promise<void>;
  insert(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void>;
  /** Makes what was inserted durable and lets go of the database. */
  commit(): Promise<void>;
  /** Lets go of the database as it was. */
  abandon(): Promise<void>;
}

/** About what a page should weigh, in characters. */
const pageWeight = 1024 * 1024;
const rowWeight = 100;

/** Gathers rows into pages that bound how much of them is in memory. */
export function* inPages(rows: Iterable<readonly Value[]>): Generator<readonly (readonly Value[])[]> {
  let page: (readonly Value[])[] = [];
  let weight = 0;
  for (const row of rows) {
    page.push(row);
    weight += rowWeight;
    for (const value of row) if (typeof value === 'string') weight += value.length;
    if (weight < pageWeight) continue;
    yield page;
    [page, weight] = [[], 0];
  }
  if (page.length > 0) yield page;
}
