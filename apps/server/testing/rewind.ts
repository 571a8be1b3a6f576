import { tablesInOrder } from '#storage/backup/table-order.ts';
import type { Database } from '#storage/database.ts';
import { sql, type Tx } from '#storage/tx.ts';
import { author } from './database.ts';

const rowsPerInsert = 50;

/**
 * Remembers all rows of a database. Returns a function that puts them back, as a failover to a copy that lags or a
 * point-in-time restore does below a running server: nothing tells the server.
 */
export async function remember(database: Database): Promise<() => Promise<void>> {
  const rows = new Map<string, object[]>();
  for (const table of tablesInOrder) {
    const found = await sql<object>`select * from ${sql.table(table)}`.execute(database.db);
    rows.set(table, found.rows);
  }
  return () =>
    database.writeQuietly('log epoch', author, async (tx) => {
      for (const table of tablesInOrder.toReversed()) await sql`delete from ${sql.table(table)}`.execute(tx.db);
      for (const table of tablesInOrder) await insert(tx, table, rows.get(table) ?? []);
    });
}

async function insert(tx: Tx, table: string, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const part = rows.slice(from, from + rowsPerInsert);
    const columns = Object.keys(part[0] ?? {});
    const values = part.map((row) => sql`(${sql.join(Object.values(row))})`);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) values ${sql.join(values)}`.execute(
      tx.db,
    );
  }
}
