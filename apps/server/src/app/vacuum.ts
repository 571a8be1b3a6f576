import type { Config } from '../config/settings.ts';
import { compactPostgres } from '../storage/postgres/vacuum.ts';
import { compactSqlite } from '../storage/sqlite/vacuum.ts';

/**
 * Gives the free space of the database of the settings back to the disk; answers in words what came of it. With SQLite no
 * server may run; PostgreSQL is vacuumed beside its servers, as its autovacuum does.
 */
export async function vacuum({ databaseUrl: url, databaseSchema: schema, dataDir }: Config): Promise<string> {
  if (url !== undefined) {
    const tables = await compactPostgres({ url, schema });
    return `Vacuumed ${tables} tables. PostgreSQL gives back the space at the end of each, and uses the rest again.`;
  }
  const { before, after } = compactSqlite(dataDir);
  return `The database took ${megabytes(before)} and takes ${megabytes(after)}.`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
