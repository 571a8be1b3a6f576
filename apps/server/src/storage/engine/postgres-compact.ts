import { Client } from 'pg';
import { whyUnusable } from '../driver-errors.ts';
import { connectionOptions } from './postgres-options.ts';

/**
 * Vacuums and analyzes our tables while servers use them; answers how many. Space at the end of a table goes back to the
 * disk, the rest is used again. Rejects with a `DatabaseUnusable` when PostgreSQL cannot be reached.
 */
export async function compactPostgres(place: { url: string; schema: string }): Promise<number> {
  const common = connectionOptions(place);
  // A large table takes as long as it takes.
  const patient = `${common.options} -c statement_timeout=0`;
  const client = new Client({ ...common, options: patient, query_timeout: 0 });
  await client.connect().catch((error) => {
    throw whyUnusable(error, place.url);
  });
  try {
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
