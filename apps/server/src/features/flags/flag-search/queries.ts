import type { Database } from '#storage/database.ts';
import { sql } from '#storage/tx.ts';
import { searchConditions } from './conditions.ts';
import type { CursorPosition } from './cursor.ts';
import type { FlagOrder, FlagSearch } from './flag-search.ts';
import { afterCondition, keyValueOf, orderOf, rankOf } from './order.ts';

export interface FoundFlags {
  /** The flags of the requested page, in order. */
  readonly names: readonly string[];
  readonly total: number;
  /** The position of the last flag of the page; null when no flag follows. */
  readonly end: CursorPosition | null;
}

export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** Only flags after this position are returned, at a cost that does not grow with the number of flags before it. */
  readonly after?: CursorPosition | undefined;
}

/** Finds a page of flags and their total, with two statements. `now` determines which flags are potentially stale. */
export async function searchFlags(
  db: Database['db'],
  search: FlagSearch,
  order: FlagOrder,
  { offset, limit, after }: Page,
  now: number,
): Promise<FoundFlags> {
  const conditions = searchConditions(search, now);
  const all = sql.join(conditions, sql` and `);
  const remaining = after === undefined ? all : sql.join([...conditions, afterCondition(order, after)], sql` and `);
  const [found, count] = await Promise.all([
    sql<CursorPosition>`select f.name, ${rankOf(order)} as rank, ${keyValueOf(order)} as value from features as f where ${remaining}
      order by ${orderOf(order)} limit ${limit + 1} offset ${offset}`.execute(db),
    sql<{ n: number }>`select count(*) as n from features as f where ${all}`.execute(db),
  ]);
  const page = found.rows.slice(0, limit);
  return {
    names: page.map(({ name }) => name),
    total: count.rows[0]?.n ?? 0,
    end: found.rows.length > limit ? (page.at(-1) ?? null) : null,
  };
}
