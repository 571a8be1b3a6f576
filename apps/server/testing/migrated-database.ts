import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

export const insufficientPrivilege = '42501';
const maxAttempts = 100;

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
    remove: () => dropDatabase(databaseUrl, name),
  };
}

/**
 * Drops a database with the sessions in it. While autovacuum works in it, only a superuser may end that, so this waits
 * until it is done: some milliseconds in a small database.
 */
async function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(databaseUrl, () => `drop database if exists ${name} with (force)`);
    } catch (error) {
      if ((error as { code?: unknown }).code !== insufficientPrivilege || attempt === maxAttempts) throw error;
      await setTimeout(100);
    }
  }
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
