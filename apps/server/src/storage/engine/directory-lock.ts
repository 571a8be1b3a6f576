import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { privateFile } from './private-files.ts';

/** Another process has the data directory. The message is for whoever started this one. */
export class DirectoryInUse extends Error {}

const sqliteBusy = 5;

/**
 * Keeps a data directory to one process. The lock is the operating system's, held through an open SQLite
 * file, so a killed process leaves none behind; `yardarm.holder` only tells people who holds it.
 * Throws a {@link DirectoryInUse}, naming the holder, when another process has it.
 */
export function lockDirectory(directory: string, describe: string): { release(): void } {
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
      `The data directory ${directory} is in use by ${readHolder(holderFile)}. One process at a time: stop it first, or set DATABASE_URL to share a PostgreSQL.`,
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
    // The holder is just starting or stopping; the refusal matters more than its name.
    return 'another process';
  }
}
