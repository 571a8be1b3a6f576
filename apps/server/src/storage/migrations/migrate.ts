import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Dialect } from './dialect.ts';
import { migrations } from './migrations.ts';

/**
 * Brings the schema up to date and answers the names of the migrations it ran. On PostgreSQL processes that
 * start together take turns. Rejects when a migration fails, or when the database is newer than this program.
 */
export async function migrateToLatest(db: Kysely<unknown>, dialect: Dialect, schema?: string): Promise<string[]> {
  const all: Record<string, Migration> = {};
  for (const [name, migration] of Object.entries(migrations)) {
    all[name] = {
      up: async (trx) => {
        if (typeof migration !== 'function') return migration.move(trx);
        for (const statement of migration(dialect)) await sql.raw(statement).execute(trx);
      },
    };
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
