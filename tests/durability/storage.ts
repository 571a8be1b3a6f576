import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { queryPostgres } from '../../apps/server/testing/postgres.ts';

/** Runs one SQL statement and returns its rows. */
export type Query = <Row>(sql: string) => Promise<Row[]>;

/** The storage that the servers of a test use one after the other. */
export interface Storage {
  readonly engine: 'sqlite' | 'postgres';
  /** Settings with which a server uses this storage. */
  readonly settings: Readonly<Record<string, string>>;
  /** Runs `work` on the stored data and leaves the data unchanged. No server may be running. */
  read<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Runs `work` on the stored data, in one transaction. The last server must have shut down cleanly. */
  change<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

/** Creates a storage in a new data directory inside `parent`. */
export function sqliteStorage(parent: string = tmpdir()): Storage & { remove(): void } {
  const directory = mkdtempSync(join(parent, 'durability-'));
  return { ...storageIn(directory), remove: () => rmSync(directory, { recursive: true }) };
}

/** Returns the storage in an existing data directory. */
export function storageIn(directory: string): Storage {
  return {
    engine: 'sqlite',
    settings: { YARDARM_DATA_DIR: directory },
    read: (work) => readCopy(directory, work),
    change: (work) => withFile(join(directory, 'yardarm.db'), (query) => inTransaction(query, work)),
  };
}

/** Returns the storage in a schema of the database at `url`. */
export function postgresStorage(url: string, schema: string): Storage {
  return {
    engine: 'postgres',
    settings: { DATABASE_URL: url, DATABASE_SCHEMA: schema },
    read: (work) => queryPostgres(url, schema, work),
    change: (work) => queryPostgres(url, schema, (query) => inTransaction(query, work)),
  };
}

/**
 * Runs `work` on a copy of the database. Opening a database that was not closed repairs it, and that must be left to
 * the next server.
 */
async function readCopy<T>(directory: string, work: (query: Query) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'durability-copy-'));
  try {
    for (const name of ['yardarm.db', 'yardarm.db-wal']) {
      const file = join(directory, name);
      if (existsSync(file)) cpSync(file, join(copy, name));
    }
    return await withFile(join(copy, 'yardarm.db'), work);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function withFile<T>(file: string, work: (query: Query) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(file);
  try {
    return await work(async <Row>(sql: string) => database.prepare(sql).all() as Row[]);
  } finally {
    database.close();
  }
}

/** Runs `work` in a transaction. Closing the connection rolls it back when `work` throws. */
async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query('begin');
  const result = await work(query);
  await query('commit');
  return result;
}
