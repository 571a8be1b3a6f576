import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { Config } from '#config/settings.ts';
import type { OperatorAction } from '#features/platform/operations/index.ts';
import { systemActor } from '#kernel/actor.ts';
import { isoTime, systemClock } from '#kernel/clock.ts';
import { BackupError } from '#storage/backup/format.ts';
import { enqueueInPostgres, restoreTargetInPostgres, snapshotOfPostgres } from '#storage/backup/postgres-snapshot.ts';
import { openBackup, restore } from '#storage/backup/restore-backup.ts';
import { enqueueInSqlite, restoreTargetInSqlite, snapshotOfSqlite } from '#storage/backup/sqlite-snapshot.ts';
import { backUp, writeTo } from '#storage/backup/write-backup.ts';
import { renewEpoch } from '#storage/commit/begin-epoch.ts';
import { migrateDatabase, openDatabase } from '#storage/database.ts';
import { sealSecrets } from './sealed-secrets.ts';
import { listUnevenValues } from './uneven-values.ts';

/** The file name that stands for standard output or input. */
export const standardStream = '-';

/**
 * Writes a backup of the configured database to a file or {@link standardStream}, while servers use it, and lets the
 * server record it. Resolves with the number of rows. `onError` is called when the backup cannot be recorded.
 */
export async function backUpTo(config: Config, file: string, onError: (error: unknown) => void): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const database = url === undefined ? snapshotOfSqlite(dataDir) : await snapshotOfPostgres({ url, schema });
  try {
    const now = systemClock.now();
    const rows = await (file === standardStream
      ? writeTo(standardOutput(), database, now)
      : backUp(database, file, now));
    await requestEvent(config, 'backup-made', file, rows).catch(onError);
    return rows;
  } finally {
    await database.close();
  }
}

function standardOutput(): NodeJS.WriteStream {
  if (process.stdout.isTTY)
    throw new BackupError('A backup is not text for a terminal. Write it to a file: yardarm backup - > monday.backup');
  return process.stdout;
}

/** Adds a job that makes the server record the event of a command: the server may be running, or start later. */
async function requestEvent(
  { databaseUrl: url, databaseSchema: schema, dataDir }: Config,
  type: 'backup-made' | 'database-restored',
  file: string,
  rows: number,
): Promise<void> {
  const at = isoTime(systemClock.now());
  const action: OperatorAction = {
    file: file === standardStream ? 'standard stream' : basename(file),
    rows,
    user: userName(),
    host: hostname(),
    at,
  };
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
 * Reads the backup from a file or {@link standardStream}. Resolves with the number of rows. `onError` is called with
 * database errors that no call is waiting for.
 */
export async function restoreFrom(config: Config, file: string, onError: (error: unknown) => void): Promise<number> {
  const { databaseUrl: url, databaseSchema: schema, dataDir } = config;
  const describe = `process ${process.pid}, restoring`;
  const backup = await (file === standardStream ? openBackup('Standard input', process.stdin) : openBackup(file));
  let rows: number;
  try {
    await migrateDatabase(config, backup.lastMigration, describe, onError);
    rows = await restore(
      url === undefined ? restoreTargetInSqlite(dataDir) : await restoreTargetInPostgres({ url, schema }),
      backup,
    );
  } finally {
    await backup.close();
  }
  const migrated = await openDatabase(config, systemClock, describe, onError);
  // Positions of readers who saw events after the backup are not positions in the restored log.
  await migrated
    .writeQuietly('log epoch', { actor: systemActor, cause: {} }, renewEpoch)
    .finally(() => migrated.close());
  await requestEvent(config, 'database-restored', file, rows).catch(onError);
  return rows;
}

/**
 * Restores a backup into a temporary SQLite database below the data directory and deletes it again. Resolves with the
 * number of rows and the values that SDKs read differently. Rejects when the backup cannot be restored, or holds
 * secrets that the configured UNLEASH_SECRET does not decrypt. The configured database is not opened. `onError` is
 * called with errors that no call is waiting for.
 */
export async function verifyBackup(
  config: Config,
  file: string,
  onError: (error: unknown) => void,
): Promise<{ readonly rows: number; readonly uneven: readonly string[] }> {
  // The directory for temporary files is often in memory, and a container has none that it may write to.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await mkdtemp(join(config.dataDir, 'verify-'));
  const temporary = { ...config, dataDir, databaseUrl: undefined };
  try {
    const rows = await restoreFrom(temporary, file, onError);
    const restored = await openDatabase(temporary, systemClock, `process ${process.pid}, verifying`, onError);
    try {
      await sealSecrets(restored, config);
      return { rows, uneven: await listUnevenValues(restored.db) };
    } finally {
      await restored.close();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
}
