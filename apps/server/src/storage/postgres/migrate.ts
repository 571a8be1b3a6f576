import { type DatabaseIntrospector, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { postgresDialect } from '../migrations/dialect.ts';
import { migrate } from '../migrations/migrate.ts';
import { connectionOptions, type PostgresOptions } from './connection-options.ts';

/** Creates the schema if it is missing and runs its migrations, up to `last`, on a separate connection. */
export async function migratePostgres(options: Omit<PostgresOptions, 'poolMax'>, last?: string): Promise<string[]> {
  const common = connectionOptions(options);
  // Building an index may take long, and other processes that start meanwhile wait for it.
  const withoutTimeouts = `${common.options} -c statement_timeout=0 -c lock_timeout=0`;
  const pool = new Pool({ ...common, options: withoutTimeouts, query_timeout: 0, max: 1 });
  pool.on('error', options.onError);
  const db = new Kysely<unknown>({ dialect: new OwnSchemaDialect({ pool }, options.schema) });
  try {
    // `create schema if not exists` fails in one of two processes that run it at the same time, so take a lock. Both
    // statements are one transaction because they are sent as one query.
    await pool.query(
      `select pg_advisory_xact_lock(7236); create schema if not exists "${options.schema.replaceAll('"', '""')}"`,
    );
    return await migrate(db, postgresDialect, { schema: options.schema, last });
  } finally {
    await db.destroy();
  }
}

/**
 * Limits Kysely's introspection to one schema. By default it reads every table of the database, which is slow for many
 * tables and fails when another schema is dropped meanwhile.
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
