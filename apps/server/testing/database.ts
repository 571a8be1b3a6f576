import { afterAll, afterEach, beforeAll } from 'vitest';
import { loadConfig } from '#config/load.ts';
import type { Author } from '#kernel/actor.ts';
import type { FeedListener } from '#storage/change-feed.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import type { BulkTable } from '#storage/engine.ts';
import type { Tx } from '#storage/tx.ts';
import { TestClock } from './clock.ts';
import { createStorage, type TestStorage } from './server.ts';

export const author: Author = { actor: { userId: 7, name: 'tester' }, cause: { requestId: 'request-1' } };

export interface TestDatabase {
  readonly database: Database;
  readonly clock: TestClock;
  /** Database errors that no call was waiting for. */
  readonly troubles: unknown[];
  /** Opens the same storage again, as another process would. It is closed after the test. */
  openAnother(): Promise<Database>;
}

/** Opens the database of a storage as the service does. */
export function openTestDatabase(
  storage: TestStorage,
  clock = new TestClock(),
  onError: (error: unknown) => void = () => undefined,
): Promise<Database> {
  return openDatabase({ ...loadConfig({}), ...storage.settings }, clock, 'a test', onError);
}

/** Creates an empty database for the tests of one file, without the server. */
export function useDatabase(): () => TestDatabase {
  let storage: TestStorage | undefined;
  const clock = new TestClock();
  const troubles: unknown[] = [];
  const opened: Database[] = [];
  let database: Database | undefined;
  beforeAll(async () => {
    storage = await createStorage();
    database = await openTestDatabase(storage, clock, (error) => troubles.push(error));
  });
  afterEach(async () => {
    for (const other of opened.splice(0)) await other.close();
  });
  afterAll(async () => {
    await database?.close();
    await storage?.remove();
  });
  return () => {
    if (storage === undefined || database === undefined) throw new Error('the database has not been opened');
    const shared = storage;
    const openAnother = async () => {
      const other = await openTestDatabase(shared, clock, (error) => troubles.push(error));
      opened.push(other);
      return other;
    };
    return { database, clock, troubles, openAnother };
  };
}

/** Returns a listener of the change feed that receives events and does nothing when the log went back. */
export function onEvents(events: FeedListener['events']): FeedListener {
  return { events, reset: () => undefined };
}

/** Writes a row for a test: a signal endpoint. */
export async function addEndpoint(tx: Tx, name: string): Promise<void> {
  await tx.insertMany(endpoints, [[name, 1, tx.now, tx.by.actor.userId]]);
}

const endpoints: BulkTable = {
  table: 'signal_endpoints',
  columns: [
    ['name', 'text'],
    ['enabled', 'integer'],
    ['created_at', 'integer'],
    ['created_by_user_id', 'integer'],
  ],
};

/** Returns a change that writes one row and records one event. */
export function addRecorded(name: string): (tx: Tx) => Promise<string> {
  return async (tx) => {
    await addEndpoint(tx, name);
    tx.record({ type: 'signal-endpoint-created', data: { name } });
    return name;
  };
}

/** Returns the names of the stored endpoints in the order in which they were added. */
export async function endpointNames(database: Database): Promise<string[]> {
  const rows = await database.db.selectFrom('signal_endpoints').select('name').orderBy('id').execute();
  return rows.map(({ name }) => name);
}

/** Returns the endpoint's name from each event, by event id. Throws when the ids are not 1, 2, 3 and so on. */
export async function recordedNames(database: Database): Promise<string[]> {
  const rows = await database.db.selectFrom('events').select(['id', 'data']).orderBy('id').execute();
  for (const [index, { id }] of rows.entries())
    if (id !== index + 1) throw new Error(`event ids have a gap: event number ${index + 1} has the id ${id}`);
  return rows.map(({ data }) => (JSON.parse(data ?? '{}') as { name: string }).name);
}
