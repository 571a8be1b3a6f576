import type { Config } from '../config/settings.ts';
import { systemClock } from '../kernel/clock.ts';
import { backUp } from '../storage/backup/back-up.ts';
import { restore } from '../storage/backup/restore.ts';
import { openDatabase } from '../storage/database.ts';
import { fillPostgres, freezePostgres } from '../storage/engine/postgres-frozen.ts';
import { fillSqlite, freezeSqlite } from '../storage/engine/sqlite-frozen.ts';

/** Writes the contents of the configured database to a file and returns the number of rows. Servers may run. */
export async function backUpTo(config: Config, file: string): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const database = url === undefined ? freezeSqlite(dataDir) : await freezePostgres({ url, schema });
  try {
    return await backUp(database, file, systemClock.now());
  } finally {
    await database.close();
  }
}

/**
 * Restores a backup of either engine into the configured, empty database and returns the number of rows. `onError` receives
 * background errors of the database.
 */
export async function restoreFrom(config: Config, file: string, onError: (error: unknown) => void): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const created = await openDatabase(config, systemClock, `process ${process.pid}, restoring`, onError);
  await created.close();
  return restore(url === undefined ? fillSqlite(dataDir) : await fillPostgres({ url, schema }), file);
}
