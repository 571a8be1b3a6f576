import type { Database } from './database.ts';
import { markLength } from './seal.ts';
import type { SealedRows, StaleRow } from './sealed-rows.ts';
import type { Tables } from './tables.ts';
import { sql, type Tx } from './tx.ts';

interface SealedColumns {
  readonly what: string;
  readonly table: keyof Tables & string;
  /** The columns of one row are sealed together, so the first tells under which password all of them are. */
  readonly columns: readonly [string, ...string[]];
  /** The column that people know the row by; the id when absent. */
  readonly name?: string;
  forget(tx: Tx, row: StaleRow): Promise<void>;
}

interface Found extends Readonly<Record<string, string | number>> {
  readonly id: number;
  readonly mark: string;
  readonly name: string | number;
}

const pageSize = 200;

/** Columns of a table that hold sealed texts. Text that begins with `{` is not secret and stays as it is. */
export function sealedColumns({ what, table, columns, name = 'id', forget }: SealedColumns): SealedRows {
  const first = sql.ref(columns[0]);
  const mark = sql<string>`substr(${first}, 1, ${sql.lit(markLength)})`;
  const texts = sql.join(columns.map((column, index) => sql`${sql.ref(column)} as ${sql.ref(`text${index}`)}`));
  /** Rows after a place, in the order of their marks, which has an index where there are many. */
  const page = async (db: Database['db'], after: readonly [mark: string, id: number], below: string | undefined) => {
    const end = below === undefined ? sql`` : sql`and ${mark} < ${below}`;
    const { rows } = await sql<Found>`
      select id, ${mark} as mark, ${sql.ref(name)} as name, ${texts} from ${sql.table(table)}
      where substr(${first}, 1, 1) <> '{' and ${first} <> '' and (${mark}, id) > (${after[0]}, ${sql.lit(after[1])}) ${end}
      order by ${mark}, id limit ${sql.lit(pageSize)}`.execute(db);
    return rows;
  };
  return {
    what,
    forget,
    stale: async function* (db, current) {
      // What bears the current mark is between the two, and passed over.
      for (const [start, below] of [['', current] as const, [current, undefined] as const]) {
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
