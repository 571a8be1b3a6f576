import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BackupError, type Value } from '../backup/format.ts';
import { lockDirectory } from './directory-lock.ts';
import { type Filling, type Frozen, inPages } from './frozen.ts';

/** Freezes the database of a data directory, whether a server has it open or not. */
export function freezeSqlite(directory: string): Frozen {
  const database = open(directory);
  database.exec('pragma query_only = on');
  database.exec('begin');
  return {
    ...whatThereIs(database),
    pages: async function* (table, columns) {
      const statement = database.prepare(`select ${columns.join(', ')} from ${table}`);
      yield* inPages(rowsOf(statement));
    },
    close: async () => database.close(),
  };
}

/** Begins to fill the database of a data directory. Throws a `DirectoryInUse` when a server has it. */
export function fillSqlite(directory: string): Filling {
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
    ...whatThereIs(database),
    isEmpty: async (table) => database.prepare(`select 1 from ${table} limit 1`).get() === undefined,
    clear: async (table) => database.exec(`delete from ${table}`),
    insert: async (table, columns, rows) => {
      const places = columns.map(() => '?').join(', ');
      const statement = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`);
      for (const row of rows) statement.run(...row);
    },
    commit: () => end('commit'),
    abandon: () => end('rollback'),
  };
}

function open(directory: string): DatabaseSync {
  const path = join(directory, 'yardarm.db');
  if (!existsSync(path)) throw new BackupError(`There is no database in ${directory}.`);
  return new DatabaseSync(path, { timeout: 5000 });
}

function whatThereIs(database: DatabaseSync): Pick<Frozen, 'migrations' | 'columns'> {
  const texts = (sql: string) => (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  return {
    migrations: async () => texts('select name from schema_migrations order by name'),
    columns: async (table) => texts(`select name from pragma_table_info('${table}') order by cid`),
  };
}

function* rowsOf(statement: StatementSync): Generator<readonly Value[]> {
  for (const row of statement.iterate()) yield Object.values(row) as Value[];
}
