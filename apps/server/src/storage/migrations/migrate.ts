import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Dialect } from './dialect.ts';
import { migrations } from './migrations.ts';

/** The first migration of databases from before the first release, whose migrations were folded into one. */
const unreleased = '0001-events';
const table = 'schema_migrations';

export interface MigrateOptions {
  /** The schema of PostgreSQL. */
  readonly schema?: string;
  /** The last migration to run. By default all are run. */
  readonly last?: string | undefined;
  /** A statement that runs before those of each migration, in its transaction. */
  readonly before?: string;
}

/**
 * Brings the schema up to date and returns the names of the migrations it ran. On PostgreSQL, processes that start
 * together take turns. Rejects when a migration fails, and when the database has a migration that this version does not
 * know.
 */
export async function migrate(
  db: Kysely<unknown>,
  dialect: Dialect,
  { schema, last, before }: MigrateOptions = {},
): Promise<string[]> {
  const all: Record<string, Migration> = {};
  for (const [name, statements] of Object.entries(migrations)) {
    all[name] = {
      up: async (trx) => {
        const own = statements(dialect);
        for (const statement of before === undefined ? own : [before, ...own]) await sql.raw(statement).execute(trx);
      },
    };
  }
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
  const done = await knownMigrations(db, schema);
  // `migrateTo` would go back from a later one.
  if (last !== undefined && done.includes(last)) return [];
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error !== undefined) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/** Returns the migrations that the database has run. Rejects when this version does not know one of them. */
async function knownMigrations(db: Kysely<unknown>, schema: string | undefined): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((found) => found.name === table && (schema === undefined || found.schema === schema))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  const names = rows.map(({ name }) => name);
  if (names.includes(unreleased))
    throw new Error(
      'This database was created by a version of Yardarm before the first release, which this version cannot open. Write its projects and flags to files with that version ("yardarm pull"), start this version with an empty database and run "yardarm apply".',
    );
  const unknown = names.filter((name) => !(name in migrations));
  if (unknown.length > 0)
    throw new Error(
      `The database was migrated by a newer version of Yardarm: this version does not know ${unknown.join(', ')}. Start that version, or restore a backup that this version made.`,
    );
  return names;
}
