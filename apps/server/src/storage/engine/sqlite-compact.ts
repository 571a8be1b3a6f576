import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusable } from '../driver-errors.ts';
import { lockDirectory } from './directory-lock.ts';

/** Bytes of the database file. */
export interface Compacted {
  readonly before: number;
  readonly after: number;
}

/**
 * Writes the database of a data directory anew without free pages, and so that its free pages can be given back one by one
 * from then on. Needs room for a second and a third copy of what is left. Throws a `DirectoryInUse` when a server has the
 * directory, and a {@link DatabaseUnusable} when there is no database in it.
 */
export function compactSqlite(directory: string): Compacted {
  const path = join(directory, 'yardarm.db');
  if (!existsSync(path)) throw new DatabaseUnusable(`There is no database in ${directory}.`);
  const lock = lockDirectory(directory, `process ${process.pid}, giving free space back`);
  try {
    // Read by SQLite when it is first used: the copy goes beside the database, where there must be room anyway.
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
