import type { Database } from './database.ts';
import { markLength } from './seal.ts';
import type { SealedRows, StaleRow } from './sealed-rows.ts';
import type { Tables } from './tables.ts';
import { sql, type Tx } from './tx.ts';

interface SealedColumns {
  readonly label: string;
  readonly table: keyof Tables & string;
  /** The columns of a row are sealed together: the prefix of the first column applies to all. */
  readonly columns: readonly [string, ...string[]];
  /** The column with the row's name for people; the id when absent. */
  readonly name?: string;
  forget(tx: Tx, row: StaleRow): Promise<void>;
}

interface Found extends Readonly<Record<string, string | number>> {
  readonly id: number;
  readonly mark: string;
  readonly name: string | number;
}

const pageSize = 200;

/** Describes columns of a table that hold sealed texts. A text that begins with `{` is not secret and is not sealed. */
export function sealedColumns({ label, table, columns, name = 'id', forget }: SealedColumns): SealedRows {
  const first = sql.ref(columns[0]);
  const mark = sql<string>`substr(${first}, 1, ${sql.lit(markLength)})`;
  const texts = sql.join(columns.map((column, index) => sql`${sql.ref(column)} as ${sql.ref(`text${index}`)}`));
  /** Reads a page of rows in the order of their prefix, which large tables have an index for (keyset pagination). */
  const page = async (db: Database['db'], after: readonly [mark: string, id: number], below: string | undefined) => {
    const end = below === undefined ? sql`` : sql`and ${mark} < ${below}`;
    const { rows } = await sql<Found>`
      select id, ${mark} as mark, ${sql.ref(name)} as name, ${texts} from ${sql.table(table)}
      where substr(${first}, 1, 1) <> '{' and ${first} <> '' and (${mark}, id) > (${after[0]}, ${sql.lit(after[1])}) ${end}
      order by ${mark}, id limit ${sql.lit(pageSize)}`.execute(db);
    return rows;
  };
  return {
    label,
    forget,
    stale: async function* (db, current) {
      // Reads the prefixes below and above the current one. A short one is followed by a part of the secret.
      const above = current.length < markLength ? `${current}\u{10ffff}` : current;
      for (const [start, below] of [['', current] as const, [above, undefined] as const]) {
        let after: readonly [string, number] = [start, start === '' ? 0 : Number.MAX_SAFE_INTEGER];
        for (;;) {
          const rows = await page(db, after, below);
          const last = rows.at(-1);
          if (last === undefined) break;
          yield rows.map((row) => ({
            id: row.id,
            name: row.name,
            texts: columns.map((_, index) => String(row[`text${index}`])),
          }));
          after = [last.mark, last.id];
        }
      }
    },
    replace: async (tx, { id, texts: before }, after) => {
      const set = sql.join(columns.map((column, index) => sql`${sql.ref(column)} = ${after[index]}`));
      await sql`update ${sql.table(table)} set ${set} where id = ${id} and ${first} = ${before[0]}`.execute(tx.db);
    },
  };
}
