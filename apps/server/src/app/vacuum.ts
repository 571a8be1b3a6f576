import type { Config } from '#config/settings.ts';
import { compactPostgres } from '#storage/postgres/vacuum.ts';
import { compactSqlite } from '#storage/sqlite/vacuum.ts';

/**
 * Returns the free space of the configured database to the operating system, and returns a text about the result. With
 * SQLite no server may run; PostgreSQL can be vacuumed while servers run.
 */
export async function vacuum({ databaseUrl: url, databaseSchema: schema, dataDir }: Config): Promise<string> {
  if (url !== undefined) {
    const tables = await compactPostgres({ url, schema });
    return `Vacuumed ${tables} tables. PostgreSQL returns the space at the end of each table to the disk and reuses the rest.`;
  }
  const { before, after } = compactSqlite(dataDir);
  return `The database took ${megabytes(before)} and now takes ${megabytes(after)}.`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
