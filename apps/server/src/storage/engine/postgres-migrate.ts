import { type DatabaseIntrospector, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { postgresDialect } from '../migrations/dialect.ts';
import { migrateToLatest } from '../migrations/migrate.ts';
import { connectionOptions, type PostgresOptions } from './postgres-options.ts';

/** Creates our schema where it is missing and brings it up to date, on a connection of its own. */
export async function migratePostgres(options: PostgresOptions): Promise<string[]> {
  const common = connectionOptions(options);
  // To build an index takes as long as it takes, and who starts meanwhile waits for it.
  const patient = `${common.options} -c statement_timeout=0 -c lock_timeout=0`;
  const pool = new Pool({ ...common, options: patient, query_timeout: 0, max: 1 });
  pool.on('error', options.onError);
  const db = new Kysely<unknown>({ dialect: new OwnSchemaDialect({ pool }, options.schema) });
  try {
    // "If not exists" looks before it leaps: of two processes that start at once one would fail. Sent together, the two
    // statements are one transaction, which holds the lock.
    await pool.query(
      `select pg_advisory_xact_lock(7236); create schema if not exists "${options.schema.replaceAll('"', '""')}"`,
    );
    return await migrateToLatest(db, postgresDialect, options.schema);
  } finally {
    await db.destroy();
  }
}

/**
 * Tells the migrator of our schema only. It would otherwise look at every table of the database, which takes time where
 * there are many, and fails when another schema is dropped while it looks.
 */
class OwnSchemaDialect extends PostgresDialect {
  readonly #schema: string;

  constructor(config: ConstructorParameters<typeof PostgresDialect>[0], schema: string) {
    super(config);
    this.#schema = schema;
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    const schema = this.#schema;
    return {
      getSchemas: async () => [{ name: schema }],
      getTables: async () => {
        const tables = sql<{ name: string }>`select tablename as name from pg_tables where schemaname = ${schema}`;
        const { rows } = await tables.execute(db);
        return rows.map(({ name }) => ({ name, schema, isView: false, isForeign: false, columns: [] }));
      },
    };
  }
}
