import { Client } from 'pg';
import { numberTypes } from '#storage/postgres/connection-options.ts';

/** Connects to `schema`, gives `work` a function that runs statements, and closes the connection afterwards. */
export async function queryPostgres<T>(
  url: string,
  schema: string,
  work: (query: <Row>(sql: string) => Promise<Row[]>) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    types: numberTypes,
    options: `-c search_path="${schema}",public`,
  });
  await client.connect();
  try {
    return await work(async <Row>(sql: string) => (await client.query(sql)).rows as Row[]);
  } finally {
    await client.end();
  }
}
