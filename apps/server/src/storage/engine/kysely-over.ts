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
import type { Seal } from '../seal.ts';
import type { Tables } from '../tables.ts';
import type { Touches } from './engine.ts';
import { type Shared, Together } from './together.ts';

/** Runs one statement. What it touches, when that is known, matters inside a change only. */
export type Execute = (sql: string, parameters: readonly unknown[], touches?: Touches) => Promise<QueryResult<unknown>>;

/** Where the statements of a Kysely go. */
export interface Route {
  readonly engine: 'sqlite' | 'postgres';
  readonly execute: Execute;
  /** Encrypts what this database keeps of secrets. */
  readonly seal: Seal;
  /** How to ask for what others may ask for as well; absent where nothing is shared. */
  readonly sharing?: Sharing | undefined;
}

/** What is shared is asked for through this, a Kysely that shares nothing. */
export interface Door {
  readonly db: Kysely<Tables>;
}

/** Asks for what may go to the database together with what is `like` it. */
export interface Sharing {
  reading<Item, Row>(shared: Shared<Item, Row[], Door>, item: Item, like: string): Promise<Row[]>;
  /** The answer is the number of rows changed, of which some may be others'. */
  writing<Item>(shared: Shared<Item, number, Door>, item: Item, like: string, touches?: Touches): Promise<number>;
}

const routes = new WeakMap<object, Route>();

/** Where the statements of a Kysely of {@link kyselyOver} go. */
export function routeOf(db: object): Route {
  const route = routes.get(db);
  if (route === undefined) throw new Error('not a way to a database of ours');
  return route;
}

/** The same way to the database, on which `told` hears of each statement. */
export function overheard(db: Kysely<Tables>, told: (sql: string) => void): Kysely<Tables> {
  const { engine, execute, seal } = routeOf(db);
  return readingOver(engine, seal, (sql, ...more) => {
    told(sql);
    return execute(sql, ...more);
  });
}

/** {@link kyselyOver} for reading outside a change, where what is asked at the same time may be shared. */
export function readingOver(engine: Route['engine'], seal: Seal, execute: Execute): Kysely<Tables> {
  const together = new Together<Door>({ db: kyselyOver(engine, seal, execute) }, 'each alone');
  return kyselyOver(engine, seal, execute, {
    reading: (shared, item, like) => together.ask({ shared, item, like }),
    writing: () => Promise.reject(new Error('what changes data goes through write')),
  });
}

/**
 * A Kysely whose statements all go through `execute`: the one place where we time them, count what they
 * change and translate their errors. Transactions are not its business; they go through `Engine.transact`.
 */
export function kyselyOver(engine: Route['engine'], seal: Seal, execute: Execute, sharing?: Sharing): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: dialectOver(engine, execute) });
  routes.set(db, { engine, execute, seal, sharing });
  return db;
}

const none = () => {
  throw new Error('there is no database here');
};
const noSeal: Seal = { mark: '', seal: none, open: none };

const builders = new Map<Route['engine'], Kysely<Tables>>();

/** A Kysely that only builds statements in the engine's words. */
export function emptyKysely(engine: Route['engine']): Kysely<Tables> {
  let builder = builders.get(engine);
  if (builder === undefined) {
    builder = kyselyOver(engine, noSeal, () => Promise.reject(new Error('there is no database here')));
    builders.set(engine, builder);
  }
  return builder;
}

function dialectOver(engine: Route['engine'], execute: Execute): Dialect {
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
  return engine === 'sqlite'
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
