import { setTimeout as pause } from 'node:timers/promises';
import { type DatabaseIntrospector, Kysely, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { postgresDialect } from '../migrations/dialect.ts';
import { migrate } from '../migrations/migrate.ts';
import { changesLock } from './changes-lock.ts';
import { connectingTo, type PostgresOptions } from './connection-options.ts';

/**
 * How long a migration waits for a lock before it gives up all its locks and tries again. PostgreSQL looks for
 * deadlocks after a second, and might then end a statement of another process that serves meanwhile.
 */
const lockMs = 250;
const betweenMs = 100;
/** How long a start waits for locks before it reports that it waits. */
const silentMs = 5000;

/** PostgreSQL's codes for a lock that was not granted in time, and for a deadlock. */
const lockConflicts: readonly unknown[] = ['55P03', '40P01'];

/**
 * Creates the schema if it is missing and runs its migrations, up to `last`, on a separate connection. Processes of the
 * version before may serve meanwhile: their changes wait for the migration. Waits, as long as it takes, for other
 * sessions that hold locks, such as a process that migrates already; after 5 seconds it calls `onError` once.
 */
export async function migratePostgres(options: Omit<PostgresOptions, 'poolMax'>, last?: string): Promise<string[]> {
  const begun = performance.now();
  for (let told = false; ; await pause(betweenMs)) {
    try {
      return await tryMigrating(options, last);
    } catch (error) {
      if (!lockConflicts.includes((error as { code?: unknown }).code)) throw error;
      if (told || performance.now() - begun < silentMs) continue;
      told = true;
      options.onError(new Error('The migration waits for a lock that another session of PostgreSQL holds.'));
    }
  }
}

async function tryMigrating(options: Omit<PostgresOptions, 'poolMax'>, last: string | undefined): Promise<string[]> {
  // Building an index may take long.
  const { config, prepare } = connectingTo(options, { statement_timeout: '0', lock_timeout: String(lockMs) });
  const pool = new Pool({ ...config, onConnect: prepare, query_timeout: 0, max: 1 });
  pool.on('error', options.onError);
  const db = new Kysely<unknown>({ dialect: new OwnSchemaDialect({ pool }, options.schema) });
  try {
    // `create schema if not exists` fails in one of two processes that run it at the same time, so take a lock. Both
    // statements are one transaction because they are sent as one query.
    await pool.query(
      `select pg_advisory_xact_lock(7236); create schema if not exists "${options.schema.replaceAll('"', '""')}"`,
    );
    return await migrate(db, postgresDialect, { schema: options.schema, last, before: changesLock(options.schema) });
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
