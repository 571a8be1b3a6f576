import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { MemoryLimit } from './memory-limit.ts';
import type { Engine } from './row.ts';
import type { ScenarioContext } from './scenario.ts';
import { type RunningServer, startServer } from './server.ts';

/**
 * A Yardarm installation with a database of its own, whose server can be started and stopped repeatedly. Leaving an
 * `await using` deletes the database.
 */
export interface Installation extends AsyncDisposable {
  readonly engine: Engine;
  /** Opens the administration API. */
  readonly adminToken: string;
  /** Opens the client API for `development`, in all projects. */
  readonly backendToken: string;
  /** Opens the frontend API, which SDKs in browsers use, for `development`, in all projects. */
  readonly frontendToken: string;
  /** Opens the routes of replicas, for everything. */
  readonly replicaToken: string;
  /**
   * Starts the server on this database with these tokens and without a shutdown delay. `settings` override these
   * defaults. Within a limit, it starts the compiled server, as containers do; `compileServer` must have run. So does a
   * smoke run, because such a start takes half the processor time.
   */
  start(settings?: Readonly<Record<string, string>>, limit?: MemoryLimit): Promise<RunningServer>;
  /** Runs statements on the database, on SQLite in one transaction. The server must be stopped. */
  execute(statements: readonly string[]): Promise<void>;
  /** Vacuums the tables on PostgreSQL, as autovacuum would do after so many writes. Does nothing on SQLite. */
  vacuum(): Promise<void>;
  /** Returns the rows of a query. The server must be stopped. */
  query<Row>(statement: string): Promise<Row[]>;
}

/** The arguments with which `npm start` starts the server. */
const startArgs = argsOf('../apps/server/bin/yardarm.js');
/** The arguments with which the installed package starts the server. */
const compiledArgs = argsOf(process.env.COMPILED_SERVER ?? '../apps/server/dist/lib/yardarm.js');

function argsOf(program: string): string[] {
  return ['--max-semi-space-size=4', fileURLToPath(new URL(program, import.meta.url)), 'start'];
}

/** The tests compile the server themselves. */
let compiled = process.env.COMPILED_SERVER !== undefined;

/**
 * Compiles the server into apps/server/dist, in one or two seconds, and only once a run: another scenario may have
 * started a server from there since.
 */
export function compileServer(): void {
  if (compiled) return;
  execFileSync(process.execPath, [fileURLToPath(new URL('../build/server.ts', import.meta.url))], { stdio: 'inherit' });
  compiled = true;
}

/** Creates an empty installation on the scenario's engine. The first start of its server creates the tables. */
export async function createInstallation(context: ScenarioContext): Promise<Installation> {
  const storage = await createStorage(context);
  if (context.smoke) compileServer();
  const secret = () => randomBytes(24).toString('hex');
  const adminToken = `*:*.${secret()}`;
  const backendToken = `*:development.${secret()}`;
  const frontendToken = `*:development.${secret()}`;
  const replicaToken = `*:*.${secret()}`;
  return {
    engine: storage.engine,
    adminToken,
    backendToken,
    frontendToken,
    replicaToken,
    start: (settings, limit) =>
      startServer({
        name: 'yardarm',
        ...(limit === undefined
          ? { args: context.smoke ? compiledArgs : startArgs }
          : limit.command(process.execPath, compiledArgs)),
        env: {
          YARDARM_SHUTDOWN_DELAY: '0',
          ...storage.settings,
          INIT_ADMIN_API_TOKENS: adminToken,
          INIT_BACKEND_API_TOKENS: backendToken,
          INIT_FRONTEND_API_TOKENS: frontendToken,
          INIT_REPLICA_API_TOKENS: replicaToken,
          ...settings,
        },
      }),
    execute: storage.execute,
    vacuum: storage.vacuum,
    query: storage.query,
    [Symbol.asyncDispose]: storage.remove,
  };
}

interface Storage extends Pick<Installation, 'engine' | 'execute' | 'vacuum' | 'query'> {
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

async function createStorage({ engine, databaseUrl, workDir }: ScenarioContext): Promise<Storage> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  if (engine === 'postgres' && databaseUrl !== undefined) return schemaStorage(databaseUrl, name);
  if (engine !== 'sqlite') throw new Error('The scenario has no engine to install Yardarm on');
  const directory = join(workDir, name);
  await mkdir(directory);
  return fileStorage(directory);
}

/** Returns a storage in SQLite. Its directory is removed with the `workDir` of the scenario. */
function fileStorage(directory: string): Storage {
  function open<T>(work: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(join(directory, 'yardarm.db'));
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
  return {
    engine: 'sqlite',
    settings: { YARDARM_DATA_DIR: directory },
    execute: async (statements) =>
      open((database) => {
        // Seeding is not measured, and its rows need not survive a power cut.
        database.exec('pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = memory; begin');
        for (const statement of statements) database.exec(statement);
        database.exec('commit; pragma wal_checkpoint(truncate)');
      }),
    vacuum: async () => undefined,
    query: async <Row>(statement: string) => open((database) => database.prepare(statement).all() as Row[]),
    remove: async () => undefined,
  };
}

function schemaStorage(databaseUrl: string, schema: string): Storage {
  async function open<T>(work: (client: Client) => Promise<T>): Promise<T> {
    // Leaves `public` out of the search path: another installation may have its tables there.
    const client = new Client({ connectionString: databaseUrl, options: `-c search_path="${schema}"` });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  return {
    engine: 'postgres',
    settings: { DATABASE_URL: databaseUrl, DATABASE_SCHEMA: schema },
    execute: (statements) =>
      open(async (client) => {
        for (const statement of statements) await client.query(statement);
      }),
    vacuum: () =>
      open(async (client) => {
        const { rows } = await client.query<{ tables: string }>(
          "select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables from pg_tables where schemaname = $1",
          [schema],
        );
        await client.query(`vacuum analyze ${rows[0]?.tables}`);
      }),
    query: (statement) => open(async (client) => (await client.query(statement)).rows),
    remove: () => open(async (client) => void (await client.query(`drop schema if exists "${schema}" cascade`))),
  };
}
