import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../driver-errors.ts';
import { lockDirectory } from './directory-lock.ts';

/** The size of the database file in bytes, before and after the vacuum. */
export interface Compacted {
  readonly before: number;
  readonly after: number;
}

/**
 * Vacuums the database of a data directory and turns incremental vacuum on. Needs disk space for two copies of the
 * remaining data. Throws a `DirectoryInUse` when a server has the directory locked, and a {@link DatabaseUnusable} when
 * the directory holds no database.
 */
export function compactSqlite(directory: string): Compacted {
  const path = join(directory, 'yardarm.db');
  if (!existsSync(path)) throw new DatabaseUnusable(`The directory ${directory} holds no database.`);
  const lock = lockDirectory(directory, `process ${process.pid}, running vacuum`);
  try {
    // Put the temporary copy beside the database, where disk space is needed anyway. SQLite reads the variable when it
    // first needs a temporary file.
    process.env['SQLITE_TMPDIR'] ??= directory;
    const database = new DatabaseSync(path, { timeout: 5000 });
    try {
      database.exec('pragma synchronous = full');
      const { size: before } = statSync(path);
      database.exec('pragma auto_vacuum = incremental');
      database.exec('vacuum');
      database.exec('pragma wal_checkpoint(truncate)');
      return { before, after: statSync(path).size };
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}
