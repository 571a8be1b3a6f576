import { Client } from 'pg';
import { asUnusable } from '../driver-errors.ts';
import { connectingTo } from './connection-options.ts';

/**
 * Vacuums and analyzes all tables of the schema, while servers use them. Resolves with the number of tables. Rejects
 * with a `DatabaseUnusable` when PostgreSQL cannot be reached.
 */
export async function compactPostgres(place: { url: string; schema: string }): Promise<number> {
  // Vacuuming a large table may take hours.
  const { config, prepare } = connectingTo(place, { statement_timeout: '0' });
  const client = new Client({ ...config, query_timeout: 0 });
  await client.connect().catch((error) => {
    throw asUnusable(error, place.url);
  });
  try {
    await prepare(client);
    const { rows } = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1 order by tablename",
      [place.schema],
    );
    for (const { name } of rows) await client.query(`vacuum (analyze) ${name}`);
    return rows.length;
  } finally {
    await client.end();
  }
}
