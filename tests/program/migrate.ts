import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { insufficientPrivilege, migratedSchema } from '../../apps/server/testing/migrated-database.ts';

// Runs before all tests of a run, after compile.ts. Migrates one empty database, which the test files with one server
// copy (useServer in testing/server.ts): running and, on PostgreSQL, dropping all migrations takes longer than a copy.

const name = `test_migrated_${randomBytes(6).toString('hex')}`;
let remove: (() => Promise<void>) | undefined;

export async function setup(): Promise<void> {
  // Each project of a configuration runs this.
  if (process.env.MIGRATED_DATABASE !== undefined) return;
  const url = process.env.DATABASE_URL;
  const source = url === undefined ? migrateFile() : await migrateDatabase(url);
  // An undefined variable would be the text "undefined".
  if (source !== undefined) process.env.MIGRATED_DATABASE = source;
}

export async function teardown(): Promise<void> {
  await remove?.();
}

/** Returns the path of a migrated file of SQLite. */
function migrateFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-migrated-'));
  remove = async () => rmSync(directory, { recursive: true, force: true });
  migrate({ YARDARM_DATA_DIR: directory });
  return join(directory, 'yardarm.db');
}

/** Returns the name of a migrated database of PostgreSQL; undefined when the user may not create databases. */
async function migrateDatabase(url: string): Promise<string | undefined> {
  try {
    await run(url, `create database ${name}`);
  } catch (error) {
    if ((error as { code?: unknown }).code === insufficientPrivilege) return undefined;
    throw error;
  }
  remove = () => run(url, `drop database ${name} with (force)`);
  const own = new URL(url);
  own.pathname = name;
  migrate({ DATABASE_URL: own.href, DATABASE_SCHEMA: migratedSchema });
  return name;
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function migrate(settings: Readonly<Record<string, string>>): void {
  const { PATH = '', COMPILED_SERVER = '' } = process.env;
  execFileSync(process.execPath, [COMPILED_SERVER, 'migrate'], { env: { PATH, ...settings }, stdio: 'pipe' });
}
