import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, onTestFailed, TestRunner } from 'vitest';
import { type App, type AppOptions, startApp } from '#app/app.ts';
import { loadConfig } from '#config/load.ts';
import type { Config } from '#config/settings.ts';
import { ApiClient } from './client.ts';
import { TestClock } from './clock.ts';
import { checkRecordedEvents } from './event-schemas.ts';
import { copyDatabase } from './migrated-database.ts';

/** Storage for one or more servers of a test: a directory, or a schema when the suite runs on PostgreSQL. */
export interface TestStorage {
  readonly engine: 'sqlite' | 'postgres';
  readonly settings: Partial<Config>;
  remove(): Promise<void>;
}

export const engine: TestStorage['engine'] = process.env['DATABASE_URL'] === undefined ? 'sqlite' : 'postgres';

/**
 * Creates a storage whose migrations have run: a copy of the database that tests/program/migrate.ts made for this run,
 * or an empty storage when there is none. All copies have the same log epoch.
 */
export async function createStorage(): Promise<TestStorage> {
  const source = process.env['MIGRATED_DATABASE'];
  if (source === undefined) return createEmptyStorage();
  const databaseUrl = process.env['DATABASE_URL'];
  if (databaseUrl !== undefined) return removedOnFailure({ engine, ...(await copyDatabase(source, databaseUrl)) });
  const storage = createEmptyStorage();
  copyFileSync(source, join(storage.settings.dataDir ?? '', 'yardarm.db'));
  return storage;
}

/** Creates a storage in which no migration has run. */
export function createEmptyStorage(): TestStorage {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const databaseUrl = process.env['DATABASE_URL'];
  return removedOnFailure(databaseUrl === undefined ? directory(name) : schema(name, databaseUrl));
}

function removedOnFailure(storage: TestStorage): TestStorage {
  whenTestFails(() => storage.remove());
  return storage;
}

function directory(name: string): TestStorage {
  const dataDir = mkdtempSync(join(tmpdir(), `yardarm-${name}-`));
  return {
    engine,
    settings: { dataDir, databaseUrl: undefined },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}

function schema(name: string, databaseUrl: string): TestStorage {
  return {
    engine,
    settings: { databaseUrl, databaseSchema: name, databasePoolMax: 5 },
    remove: async () => {
      const client = new PostgresClient({ connectionString: databaseUrl });
      await client.connect();
      await client.query(`drop schema if exists "${name}" cascade`);
      await client.end();
    },
  };
}

/**
 * Registers clean-up for a failed test, whose own clean-up is skipped: servers and files that it left would otherwise
 * be reported as a second failure.
 */
export function whenTestFails(release: () => Promise<void>): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFailed(release);
}

export interface TestServer {
  readonly app: App;
  readonly url: string;
  readonly clock: TestClock;
  /** A client with the admin token of the server. */
  readonly admin: ApiClient;
  /** A client without a token. */
  readonly anonymous: ApiClient;
  /** All log lines so far. */
  readonly logged: string[];
  client(token: string): ApiClient;
  /** Returns a token of a service account with this root role. */
  tokenOf(role: 'editor' | 'viewer'): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a server on a free port of the loopback address. Rate limits that would slow tests down are off. Counted
 * refusals are recorded only when the server stops, so that their events do not appear among those that a test
 * compares.
 */
export async function startServer(
  storage: TestStorage,
  settings: Partial<Config> = {},
  clock = new TestClock(),
  database?: AppOptions['database'],
  fetchText?: AppOptions['fetchText'],
): Promise<TestServer> {
  const adminToken = `*:*.${randomBytes(28).toString('hex')}`;
  const logged: string[] = [];
  const config: Config = {
    ...loadConfig({}),
    host: '127.0.0.1',
    port: 0,
    signalRatePerSecond: 0,
    badTokenRatePerMinute: 0,
    loginRatePerMinute: 0,
    loginFailuresBeforeDelay: 0,
    createUserRatePerMinute: 0,
    // Tests whose subject is not the life of a token create tokens that never expire.
    personalTokenDays: 0,
    shutdownDelayMs: 0,
    adminPassword: 'First-Admin-42!',
    initAdminTokens: [adminToken],
    ...storage.settings,
    ...settings,
  };
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void logged.push(line) });
  const firstCountMs = 600_000;
  const app = await startApp(config, {
    clock,
    log,
    firstCountMs,
    ...(database === undefined ? {} : { database }),
    ...(fetchText === undefined ? {} : { fetchText }),
  });
  whenTestFails(() => app.stop());
  const requireDescribedEvents = await checkRecordedEvents(app);
  return {
    app,
    url: app.url,
    clock,
    logged,
    admin: new ApiClient(app.url, config.initAdminTokens[0]),
    anonymous: new ApiClient(app.url),
    client: (token) => new ApiClient(app.url, token),
    tokenOf: serviceAccounts(new ApiClient(app.url, config.initAdminTokens[0])),
    stop: async () => {
      await app.stop();
      requireDescribedEvents();
    },
  };
}

/** Starts a server before the tests of a file, and removes it and its storage after them. */
export function useServer(settings: Partial<Config> = {}, fetchText?: AppOptions['fetchText']): () => TestServer {
  let storage: TestStorage | undefined;
  let server: TestServer | undefined;
  beforeAll(async () => {
    // Not earlier: when all tests are skipped, nothing removes it.
    storage = await createStorage();
    server = await startServer(storage, settings, undefined, undefined, fetchText);
  });
  afterAll(async () => {
    await server?.stop();
    await storage?.remove();
  });
  return () => {
    if (server === undefined) throw new Error('the server has not been started');
    return server;
  };
}

/** Returns a function that returns the token of a role. The first use of a role creates its service account. */
function serviceAccounts(admin: ApiClient): TestServer['tokenOf'] {
  const tokens = new Map<string, Promise<string>>();
  const create = async (role: 'editor' | 'viewer') => {
    const rootRole = role === 'editor' ? 2 : 3;
    const account = await admin.request('POST', '/api/admin/service-account', {
      body: { username: role, name: role, rootRole },
    });
    const token = await admin.request('POST', `/api/admin/service-account/${account.json.id}/token`, {
      body: { description: 'tests', expiresAt: '2099-01-01T00:00:00.000Z' },
    });
    return token.json.secret as string;
  };
  return (role) => {
    const token = tokens.get(role) ?? create(role);
    tokens.set(role, token);
    return token;
  };
}
