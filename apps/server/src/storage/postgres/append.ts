import type { QueryConfig, QueryResult } from 'pg';
import type { Appended, BulkRow, BulkTable } from '../engine.ts';
import type { CounterName } from '../tables/events.ts';

/**
 * Implements `Engine.append` with one statement: one round trip for any number of rows. Outside a transaction, the
 * statement commits by itself.
 */
export async function appendRows(
  query: (config: QueryConfig) => Promise<QueryResult>,
  counter: CounterName,
  into: BulkTable,
  rows: readonly BulkRow[],
  now: number,
): Promise<Appended> {
  const kinds = into.columns.slice(2).map(([, kind]) => kind);
  const given = columnArrays(kinds.length, rows).flatMap((values, index): readonly unknown[] =>
    kinds[index] === 'long text' ? concatenated(values) : [values],
  );
  // A named statement: each connection plans it once.
  const result = await query({
    name: `append ${into.table}`,
    text: appendStatement(into),
    values: [rows.length, now, counter, ...given],
  });
  const { value, moved_at: at } = result.rows[0] as { value: number; moved_at: number };
  return { first: value - rows.length + 1, at };
}

function appendStatement({ table, columns }: BulkTable): string {
  const arrays: { readonly name: string; readonly type: string }[] = [];
  const selected: string[] = [];
  let parameter = 4;
  for (const [name, kind] of columns.slice(2)) {
    if (kind === 'long text') {
      arrays.push({ name: `${name}_from`, type: `$${parameter}::int[]` });
      arrays.push({ name: `${name}_for`, type: `$${parameter + 1}::int[]` });
      selected.push(`convert_from(substring($${parameter + 2}::bytea from ${name}_from for ${name}_for), 'UTF8')`);
      parameter += 3;
    } else {
      arrays.push({ name, type: `$${parameter}::${kind === 'integer' ? 'bigint' : 'text'}[]` });
      selected.push(name);
      parameter += 1;
    }
  }
  return `with moved as (
      update counters set value = value + $1, moved_at = greatest(moved_at, $2) where name = $3 returning value, moved_at
    ), stored as (
      insert into ${table} (${columns.map(([name]) => name).join(', ')})
      select moved.value - $1 + item.place, moved.moved_at, ${selected.join(', ')}
      from moved, unnest(${arrays.map(({ type }) => type).join(', ')})
        with ordinality as item (${arrays.map(({ name }) => name).join(', ')}, place)
    )
    select value, moved_at from moved`;
}

/**
 * Concatenates texts into one buffer. Returns the start (from 1) and the length of each text in bytes, and the buffer,
 * which PostgreSQL cuts with `substring`. A text array would have to be escaped here and parsed in PostgreSQL, which
 * costs five times as much.
 */
function concatenated(
  texts: readonly (string | number | null)[],
): [from: number[], bytes: (number | null)[], all: Buffer] {
  const pieces = texts.map((text) => (text === null ? null : Buffer.from(String(text))));
  let next = 1;
  const from = pieces.map((piece) => {
    const first = next;
    next += piece?.length ?? 0;
    return first;
  });
  return [from, pieces.map((piece) => piece?.length ?? null), Buffer.concat(pieces.filter((piece) => piece !== null))];
}

/** Transposes rows into one array for each of `count` columns. */
export function columnArrays(count: number, rows: readonly BulkRow[]): (string | number | null)[][] {
  return Array.from({ length: count }, (_, index) => rows.map((row) => row[index] ?? null));
}
