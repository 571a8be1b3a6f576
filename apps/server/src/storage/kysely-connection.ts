import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Dialect as KyselyDialect,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Seal } from './seal.ts';
import type { Tables } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

/** Runs one statement. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<QueryResult<unknown>>;

/** The dialect, the connection and the seal of a Kysely that {@link kyselyOver} has made. */
export interface Backing {
  readonly dialect: Dialect;
  readonly execute: Execute;
  /** Encrypts the secrets that this database stores. */
  readonly seal: Seal;
}

const backings = new WeakMap<object, Backing>();

/**
 * Returns the dialect, the connection and the seal of a Kysely that {@link kyselyOver} has made. Throws for any other
 * object.
 */
export function backingOf(db: object): Backing {
  const backing = backings.get(db);
  if (backing === undefined) throw new Error('this Kysely was not made by kyselyOver');
  return backing;
}

/** Returns a Kysely on the same database that calls `listener` with each statement before it runs. */
export function withListener(db: Kysely<Tables>, listener: (sql: string) => void): Kysely<Tables> {
  const { dialect, execute, seal } = backingOf(db);
  return kyselyOver(dialect, seal, (sql, parameters) => {
    listener(sql);
    return execute(sql, parameters);
  });
}

/**
 * Returns a Kysely that runs its statements through `execute`. It refuses to open transactions: only `write` opens
 * them.
 */
export function kyselyOver(dialect: Dialect, seal: Seal, execute: Execute): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: kyselyDialect(dialect, execute) });
  backings.set(db, { dialect, execute, seal });
  return db;
}

const builders = new Map<Dialect, Kysely<Tables>>();

/** Returns a Kysely that only builds statements, in the SQL of the dialect. */
export function statementBuilder(dialect: Dialect): Kysely<Tables> {
  let builder = builders.get(dialect);
  if (builder === undefined) {
    const refuse = () => Promise.reject(new Error('a statement builder has no database'));
    builder = new Kysely<Tables>({ dialect: kyselyDialect(dialect, refuse) });
    builders.set(dialect, builder);
  }
  return builder;
}

function kyselyDialect(dialect: Dialect, execute: Execute): KyselyDialect {
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => execute(query.sql, query.parameters) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('streaming is not supported; read in pages');
    },
  };
  const refuse = async (): Promise<never> => {
    throw new Error('transactions are opened by write, not by Kysely');
  };
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => undefined,
  };
  return dialect === 'sqlite'
    ? {
        createDriver: () => driver,
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteQueryCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      }
    : {
        createDriver: () => driver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      };
}
