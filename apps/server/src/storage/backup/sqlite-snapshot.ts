import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { lockDirectory } from '../sqlite/directory-lock.ts';
import { BackupError, type Value } from './format.ts';
import { type DatabaseSnapshot, inPages, type RestoreTarget } from './snapshot.ts';

/** Opens a snapshot of the database of a data directory. A server may have the directory open. */
export function snapshotOfSqlite(directory: string): DatabaseSnapshot {
  const database = open(directory);
  database.exec('pragma query_only = on');
  database.exec('begin');
  return {
    ...schemaOf(database),
    lastId: async (table) => {
      const row = database.prepare('select seq from sqlite_sequence where name = ?').get(table);
      return row === undefined ? undefined : Number(row['seq']);
    },
    pages: async function* (table, columns) {
      const statement = database.prepare(`select ${columns.join(', ')} from ${table}`);
      yield* inPages(rowsOf(statement));
    },
    close: async () => database.close(),
  };
}

/** Opens the database of a data directory for a restore. Throws a `DirectoryInUse` when a server has it open. */
export function restoreTargetInSqlite(directory: string): RestoreTarget {
  const lock = lockDirectory(directory, `process ${process.pid}, restoring a backup`);
  const database = open(directory);
  database.exec('pragma synchronous = full');
  database.exec('begin immediate');
  const end = async (statement: 'commit' | 'rollback') => {
    database.exec(statement);
    database.close();
    lock.release();
  };
  return {
    ...schemaOf(database),
    isEmpty: async (table) => database.prepare(`select 1 from ${table} limit 1`).get() === undefined,
    clear: async (table) => database.exec(`delete from ${table}`),
    insert: async (table, columns, rows) => {
      const places = columns.map(() => '?').join(', ');
      const statement = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`);
      for (const row of rows) statement.run(...row);
    },
    continueAfter: async (table, id) => {
      // The table of sequences has no unique key. Inserting a row with a higher id raises the number.
      database.prepare('delete from sqlite_sequence where name = ?').run(table);
      database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, id);
    },
    commit: () => end('commit'),
    abandon: () => end('rollback'),
  };
}

function open(directory: string): DatabaseSync {
  const path = join(directory, 'yardarm.db');
  if (!existsSync(path)) throw new BackupError(`The directory ${directory} holds no database.`);
  return new DatabaseSync(path, { timeout: 5000 });
}

function schemaOf(database: DatabaseSync): Pick<DatabaseSnapshot, 'migrations' | 'columns'> {
  const texts = (sql: string) => (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  return {
    migrations: async () => texts('select name from schema_migrations order by name'),
    columns: async (table) => texts(`select name from pragma_table_info('${table}') order by cid`),
  };
}

function* rowsOf(statement: StatementSync): Generator<readonly Value[]> {
  for (const row of statement.iterate()) yield Object.values(row) as Value[];
}

/** Adds a due job for the server of a data directory, which runs or starts later. */
export function enqueueInSqlite(directory: string, kind: string, payload: object): void {
  const database = open(directory);
  try {
    database
      .prepare('insert into jobs (kind, payload, run_at, attempts) values (?, ?, 0, 0)')
      .run(kind, JSON.stringify(payload));
  } finally {
    database.close();
  }
}
