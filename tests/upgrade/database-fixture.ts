import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { queryPostgres } from '../../apps/server/testing/postgres.ts';
import type { TestStorage } from '../../apps/server/testing/server.ts';

/** Stands for the name of the schema, which differs in each test. */
const placeholder = '__schema__';
/** Lines of newer versions of pg_dump that older servers, and drivers other than psql, do not accept. */
const notPlainSql = /^(\\(un)?restrict .*|SET transaction_timeout = 0;)\n/gm;
/** The extension belongs to the database, so the dump of a schema lacks it. Another test may create it concurrently. */
const extension = `do $$ begin
  create extension if not exists pg_trgm with schema public;
exception when unique_violation or duplicate_object then null;
end $$;`;

/** Writes the database that a stopped server left: the file of SQLite, or the SQL of PostgreSQL's pg_dump. */
export async function saveDatabase({ engine, settings }: TestStorage, fixture: string): Promise<void> {
  const contents = engine === 'sqlite' ? sqliteFile(settings.dataDir) : await dump(settings);
  writeFileSync(fixtureFile(engine, fixture), gzipSync(contents, { level: 9 }));
}

/** Puts the database of a fixture into an unused storage. */
export async function loadDatabase({ engine, settings }: TestStorage, fixture: string): Promise<void> {
  const contents = gunzipSync(readFileSync(fixtureFile(engine, fixture)));
  if (engine === 'sqlite') {
    const { dataDir = '' } = settings;
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'yardarm.db'), contents);
    return;
  }
  const { databaseUrl = '', databaseSchema = '' } = settings;
  const statements = contents.toString('utf8').replaceAll(placeholder, databaseSchema);
  await queryPostgres(databaseUrl, 'public', (query) => query(extension + statements));
}

/** Returns the migrations that a database has run. No server may be running. */
export async function migrationsOf({ engine, settings }: TestStorage): Promise<readonly string[]> {
  const { dataDir = '', databaseUrl = '', databaseSchema = '' } = settings;
  const statement = 'select name from schema_migrations order by name';
  if (engine === 'postgres')
    return namesOf(await queryPostgres(databaseUrl, databaseSchema, (query) => query<{ name: string }>(statement)));
  const database = new DatabaseSync(join(dataDir, 'yardarm.db'));
  try {
    return namesOf(database.prepare(statement).all() as { name: string }[]);
  } finally {
    database.close();
  }
}

function namesOf(rows: readonly { readonly name: string }[]): readonly string[] {
  return rows.map(({ name }) => name);
}

function fixtureFile(engine: TestStorage['engine'], fixture: string): string {
  return join(fixture, engine === 'sqlite' ? 'sqlite.db.gz' : 'postgres.sql.gz');
}

function sqliteFile(dataDir = ''): Buffer {
  const file = join(dataDir, 'yardarm.db');
  // The last changes would be in that file, not in the database.
  if (existsSync(`${file}-wal`)) throw new Error(`${file} was not closed: ${file}-wal exists`);
  return readFileSync(file);
}

async function dump({ databaseUrl = '', databaseSchema = '' }: TestStorage['settings']): Promise<string> {
  const options = ['--inserts', '--no-owner', '--no-privileges', `--schema=${databaseSchema}`, databaseUrl];
  const { stdout } = await promisify(execFile)('pg_dump', options, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.replaceAll(notPlainSql, '').replaceAll(databaseSchema, placeholder);
}
