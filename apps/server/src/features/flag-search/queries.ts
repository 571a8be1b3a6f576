import type { Database } from '../../storage/database.ts';
import { sql } from '../../storage/tx.ts';
import { conditionsOf, orderOf } from './conditions.ts';
import type { FlagOrder, FlagSearch } from './flag-search.ts';

export interface FoundFlags {
  /** Of the page asked for, in order. */
  readonly names: readonly string[];
  readonly total: number;
}

/** Finds a page of flags and how many there are in all: two statements. `now` tells which have outlived their type. */
export async function searchFlags(
  db: Database['db'],
  wanted: FlagSearch,
  order: FlagOrder,
  page: { readonly offset: number; readonly limit: number },
  now: number,
): Promise<FoundFlags> {
  const where = sql.join(conditionsOf(wanted, now), sql` and `);
  const [found, count] = await Promise.all([
    sql<{ name: string }>`select f.name from features as f where ${where}
      order by ${orderOf(order)} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ n: number }>`select count(*) as n from features as f where ${where}`.execute(db),
  ]);
  return { names: found.rows.map(({ name }) => name), total: count.rows[0]?.n ?? 0 };
}
