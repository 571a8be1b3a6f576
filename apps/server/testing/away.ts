import type { Tables } from '#storage/tables.ts';
import { sql } from '#storage/tx.ts';
import { author } from './database.ts';
import type { TestServer } from './server.ts';

/** Runs `work` while each statement that names the table fails. */
export async function whileAway(
  server: TestServer,
  table: keyof Tables & string,
  work: () => Promise<unknown>,
): Promise<void> {
  const away = `${table}_away`;
  const rename = (from: string, to: string) =>
    server.app.database.writeQuietly('jobs', author, async (tx) => {
      await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx.db);
    });
  await rename(table, away);
  try {
    await work();
  } finally {
    await rename(away, table);
  }
}
