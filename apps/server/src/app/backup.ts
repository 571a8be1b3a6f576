import type { Config } from '../config/settings.ts';
import { systemClock } from '../kernel/clock.ts';
import { restoreTargetInPostgres, snapshotOfPostgres } from '../storage/backup/postgres-snapshot.ts';
import { restore } from '../storage/backup/restore-backup.ts';
import { restoreTargetInSqlite, snapshotOfSqlite } from '../storage/backup/sqlite-snapshot.ts';
import { backUp } from '../storage/backup/write-backup.ts';
import { openDatabase } from '../storage/database.ts';

/** Writes a backup of the configured database to a file, while servers use it. Resolves with the number of rows. */
export async function backUpTo(config: Config, file: string): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const database = url === undefined ? snapshotOfSqlite(dataDir) : await snapshotOfPostgres({ url, schema });
  try {
    return await backUp(database, file, systemClock.now());
  } finally {
    await database.close();
  }
}

/**
 * Fills the empty configured database from a backup of either engine. Resolves with the number of rows. `onError` is
 * called with database errors that no call is waiting for.
 */
export async function restoreFrom(config: Config, file: string, onError: (error: unknown) => void): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const created = await openDatabase(config, systemClock, `process ${process.pid}, restoring`, onError);
  await created.close();
  return restore(
    url === undefined ? restoreTargetInSqlite(dataDir) : await restoreTargetInPostgres({ url, schema }),
    file,
  );
}
