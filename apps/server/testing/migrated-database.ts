import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The schema of the migrated database on PostgreSQL, and so of its copies. */
export const migratedSchema = 'yardarm_test';

/** Copies a migrated database of PostgreSQL, to which no session may be connected. */
export async function copyDatabase(source: string, databaseUrl: string) {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const own = new URL(databaseUrl);
  own.pathname = name;
  await run(databaseUrl, (version) => {
    // From version 15 on, the default writes each page to the log, which takes three times as long.
    const strategy = version < 150_000 ? '' : ' strategy file_copy';
    return `create database ${name} template ${source}${strategy}`;
  });
  return {
    settings: { databaseUrl: own.href, databaseSchema: migratedSchema, databasePoolMax: 5 },
    remove: () => run(databaseUrl, () => `drop database if exists ${name} with (force)`),
  };
}

/** Runs a statement that depends on the version of PostgreSQL. */
async function run(databaseUrl: string, statement: (version: number) => string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
    await client.query(statement(Number(rows[0]?.version)));
  } finally {
    await client.end();
  }
}
