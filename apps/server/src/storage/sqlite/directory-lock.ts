import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { privateFile } from './private-files.ts';

/** Another process has locked the data directory. */
export class DirectoryInUse extends Error {}

const sqliteBusy = 5;
const shareDatabase = 'set DATABASE_URL to share a PostgreSQL database';

/**
 * Locks a data directory for this process. The lock is a file lock of the operating system on an open SQLite file, so
 * it ends with the process. `yardarm.holder` holds the name of the lock's owner, for people. Throws a
 * {@link DirectoryInUse} that names the owner, and what one can do `otherwise`, when another process has the lock.
 */
export function lockDirectory(directory: string, describe: string, otherwise = shareDatabase): { release(): void } {
  const holderFile = join(directory, 'yardarm.holder');
  const lockFile = join(directory, 'yardarm.lock');
  privateFile(lockFile);
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    throw new DirectoryInUse(
      `The data directory ${directory} is in use by ${readHolder(holderFile)}. Only one process can use it: stop that one first, or ${otherwise}.`,
      { cause: error },
    );
  }
  privateFile(holderFile);
  writeFileSync(holderFile, describe);
  return {
    release: () => {
      rmSync(holderFile, { force: true });
      database.close();
    },
  };
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The file is missing while the other process starts or stops.
    return 'another process';
  }
}
