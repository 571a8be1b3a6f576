import { hostname, userInfo } from 'node:os';
import { basename } from 'node:path';
import type { Config } from '../config/settings.ts';
import type { OperatorAction } from '../features/operations/index.ts';
import { isoTime, systemClock } from '../kernel/clock.ts';
import { enqueueInPostgres, restoreTargetInPostgres, snapshotOfPostgres } from '../storage/backup/postgres-snapshot.ts';
import { lastMigrationOf, restore } from '../storage/backup/restore-backup.ts';
import { enqueueInSqlite, restoreTargetInSqlite, snapshotOfSqlite } from '../storage/backup/sqlite-snapshot.ts';
import { backUp } from '../storage/backup/write-backup.ts';
import { migrateDatabase, openDatabase } from '../storage/database.ts';

/**
 * Writes a backup of the configured database to a file, while servers use it, and lets the server record it. Resolves
 * with the number of rows. `onError` is called when the backup cannot be recorded.
 */
export async function backUpTo(config: Config, file: string, onError: (error: unknown) => void): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const database = url === undefined ? snapshotOfSqlite(dataDir) : await snapshotOfPostgres({ url, schema });
  try {
    const rows = await backUp(database, file, systemClock.now());
    await requestEvent(config, 'backup-made', file, rows).catch(onError);
    return rows;
  } finally {
    await database.close();
  }
}

/** Adds a job that makes the server record the event of a command: the server may be running, or start later. */
async function requestEvent(
  { databaseUrl: url, databaseSchema: schema, dataDir }: Config,
  type: 'backup-made' | 'database-restored',
  file: string,
  rows: number,
): Promise<void> {
  const at = isoTime(systemClock.now());
  const action: OperatorAction = { file: basename(file), rows, user: userName(), host: hostname(), at };
  if (url === undefined) enqueueInSqlite(dataDir, type, action);
  else await enqueueInPostgres({ url, schema }, type, action);
}

/**
 * Returns the name of the operating system's account, or its number, such as `user 1000`, in a container without a name
 * for it.
 */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
}

/**
 * Fills the empty configured database from a backup of either engine, of this or an earlier version, and migrates it.
 * Resolves with the number of rows. `onError` is called with database errors that no call is waiting for.
 */
export async function restoreFrom(config: Config, file: string, onError: (error: unknown) => void): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const describe = `process ${process.pid}, restoring`;
  await migrateDatabase(config, await lastMigrationOf(file), describe, onError);
  const rows = await restore(
    url === undefined ? restoreTargetInSqlite(dataDir) : await restoreTargetInPostgres({ url, schema }),
    file,
  );
  const migrated = await openDatabase(config, systemClock, describe, onError);
  await migrated.close();
  await requestEvent(config, 'database-restored', file, rows).catch(onError);
  return rows;
}
