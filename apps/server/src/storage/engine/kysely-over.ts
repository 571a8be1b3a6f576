import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Tables } from '../tables.ts';

/** Runs one statement. */
export type Execute = (sql: string, parameters: readonly unknown[]) => Promise<QueryResult<unknown>>;

/**
 * A Kysely whose statements all go through `execute`: the one place where we time them, count what they
 * change and translate their errors. Transactions are not its business; they go through `Engine.transact`.
 */
export function kyselyOver(engine: 'sqlite' | 'postgres', execute: Execute): Kysely<Tables> {
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => execute(query.sql, query.parameters) as Promise<QueryResult<R>>,
    streamQuery: () => {
      throw new Error('read in pages instead: both engines do');
    },
  };
  const refuse = async (): Promise<never> => {
    throw new Error('transactions go through write');
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
  const dialect: Dialect =
    engine === 'sqlite'
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
  return new Kysely<Tables>({ dialect });
}
