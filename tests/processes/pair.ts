import { afterAll, beforeAll } from 'vitest';
import { createEmptyStorage, type TestStorage } from '../../apps/server/testing/server.ts';
import { Ledger } from '../durability/ledger.ts';
import { type ServerProcess, startServer } from '../durability/server-process.ts';
import { postgresStorage } from '../durability/storage.ts';
import { loadSettings, newAdminToken, prepareTarget, type Target } from '../durability/target.ts';

/** The time limit of a start, which is slow while other tests use the machine. */
const startMs = 60_000;

/** Starts two processes at the same time on an empty database, before the tests of a file. */
export function usePair(extra: Record<string, string> = {}) {
  let storage: TestStorage | undefined;
  const adminToken = newAdminToken();
  const ledger = new Ledger();
  const servers: ServerProcess[] = [];
  const targets: Target[] = [];
  let settings: Record<string, string> = {};
  beforeAll(async () => {
    storage = createEmptyStorage();
    const { databaseUrl = '', databaseSchema = '' } = storage.settings;
    settings = {
      ...loadSettings(adminToken),
      DATABASE_URL: databaseUrl,
      DATABASE_SCHEMA: databaseSchema,
      YARDARM_DATABASE_POOL_MAX: '5',
      ...extra,
    };
    servers.push(...(await Promise.all([startServer(settings), startServer(settings)])));
    const target = await prepareTarget(servers[0]?.origin ?? '', adminToken, ledger);
    targets.push(target, { ...target, origin: servers[1]?.origin ?? '' });
  }, startMs);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await storage?.remove();
  });
  return () => {
    const [a, b] = targets;
    if (storage === undefined || a === undefined || b === undefined)
      throw new Error('the servers have not been started');
    const { databaseUrl = '', databaseSchema = '' } = storage.settings;
    /** Starts another server with the same settings; returns its origin. */
    const startAnother = async () => {
      const server = await startServer(settings);
      servers.push(server);
      return server.origin;
    };
    return { a, b, servers, startAnother, ledger, adminToken, stored: postgresStorage(databaseUrl, databaseSchema) };
  };
}
