import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { MemoryLimiter } from '#kernel/limiter.ts';
import { createMutex } from '#kernel/mutex.ts';
import { Batcher } from '../commit/batcher.ts';
import { commitGroup } from '../commit/group-commit.ts';
import { translated } from '../driver-errors.ts';
import type { Engine, Lane, Surroundings, TransactionWork } from '../engine.ts';
import { kyselyOver } from '../kysely-connection.ts';
import { sqliteDialect } from '../migrations/dialect.ts';
import { migrate } from '../migrations/migrate.ts';
import { type DatabaseObserver, telling, timed, timing } from '../observer.ts';
import type { Seal } from '../seal.ts';
import type { Search } from '../search.ts';
import { type ScheduledSearch, SearchScheduler } from '../search-scheduler.ts';
import type { Tables } from '../tables.ts';
import { SqliteConnection } from './connection.ts';
import { lockDirectory } from './directory-lock.ts';
import { sqliteEventText } from './event-text.ts';
import { reclaimPages } from './incremental-vacuum.ts';
import { makePrivateIfExists, privateDirectory, privateFile } from './private-files.ts';
import { SqliteReaders } from './reader-pool.ts';
import type { SqliteValue } from './worker-protocol.ts';
import { appended, insertStatement, toResult, writeConnection } from './write-connection.ts';

const maxReaders = 2;
const maxGroup = 200;

/**
 * Opens SQLite, the embedded engine, and migrates it. One connection writes, up to two read, and one runs searches;
 * each connection has its own thread. Rejects with a `DirectoryInUse` when another process has the directory open.
 */
export async function openSqlite(
  directory: string,
  describe: string,
  surroundings: Surroundings,
): Promise<Engine & { migrated: string[] }> {
  privateDirectory(directory);
  const lock = lockDirectory(directory, describe);
  const path = join(directory, 'yardarm.db');
  let writer: SqliteConnection | undefined;
  try {
    writer = await openWriter(path);
    const migrated = await migrateOn(writer, surroundings.seal);
    const readers = await SqliteReaders.open(path, maxReaders);
    const searchers = SqliteReaders.openLazily(path, 1);
    return { ...engineOver({ writer, readers, searchers }, lock, surroundings), migrated };
  } catch (error) {
    await writer?.close();
    lock.release();
    throw error;
  }
}

/** Creates the database of a data directory if it is missing and runs its migrations, up to `last`. */
export async function migrateSqlite(directory: string, describe: string, seal: Seal, last: string): Promise<void> {
  privateDirectory(directory);
  const lock = lockDirectory(directory, describe);
  let writer: SqliteConnection | undefined;
  try {
    writer = await openWriter(join(directory, 'yardarm.db'));
    await migrateOn(writer, seal, last);
  } finally {
    await writer?.close();
    lock.release();
  }
}

async function openWriter(path: string): Promise<SqliteConnection> {
  privateFile(path);
  // SQLite gives new files the mode of the database file, but does not change files that exist.
  for (const beside of ['-wal', '-shm']) makePrivateIfExists(path + beside);
  return SqliteConnection.open(path, 'writer');
}

async function migrateOn(writer: SqliteConnection, seal: Seal, last?: string): Promise<string[]> {
  const db = kyselyOver('sqlite', seal, async (query, parameters) =>
    toResult(await writer.run(query, parameters as SqliteValue[])),
  );
  await writer.exec(['begin immediate']);
  try {
    const names = await migrate(db as unknown as Kysely<unknown>, sqliteDialect, { last });
    await writer.exec(['commit']);
    return names;
  } catch (error) {
    await writer.exec(['rollback']);
    throw error;
  }
}

interface Connections {
  readonly writer: SqliteConnection;
  readonly readers: SqliteReaders;
  readonly searchers: SqliteReaders;
}

function engineOver(
  { writer, readers, searchers }: Connections,
  lock: { release(): void },
  { seal, clock, observer }: Surroundings,
): Engine {
  const connection = writeConnection(writer, seal, observer);
  const mutex = createMutex();
  const exclusively = <T>(work: () => Promise<T>) => mutex(() => writer.revive().then(work));
  const changes = new Batcher<TransactionWork<unknown>, unknown>(
    (group) => exclusively(() => commitGroup(connection, ['begin immediate'], group)),
    maxGroup,
  );
  const read = readingFrom((query, values) => readers.run(query, values), seal, observer);
  const searches = new SearchScheduler(1);
  return {
    name: 'sqlite',
    read,
    beginSearch: ({ stop } = {}) => beginSearch(searches.begin(stop), searchers, { seal, observer }),
    // SQLite has one writer, so the transactions of both lanes run one at a time and share commits.
    transact: <T>(_lane: Lane, work: TransactionWork<T>) =>
      translated(changes.add(telling(observer, work)) as Promise<T>),
    append: async (counter, into, rows, now) => {
      const append = { inside: false, counter, now, sql: insertStatement(into), rows };
      const result = translated(exclusively(() => writer.append(append)));
      return appended(await timing(observer, append.sql, result), rows.length);
    },
    announce: () => undefined,
    listen: async () => undefined,
    limiter: (_name, points, seconds) => new MemoryLimiter(clock, points, seconds),
    eventText: sqliteEventText,
    reclaim: (pages) => translated(exclusively(() => reclaimPages(writer, pages))),
    timeline: async () => undefined,
    ping: async () => {
      await sql`select 1`.execute(read);
    },
    close: async () => {
      await changes.idle();
      await readers.close();
      await searchers.close();
      // The mutex waits for a thread that is being restarted.
      await mutex(() => writer.close());
      lock.release();
    },
  };
}

/** Begins a search on the connection for searches. */
function beginSearch(
  search: ScheduledSearch,
  searchers: SqliteReaders,
  { seal, observer }: Pick<Surroundings, 'seal' | 'observer'>,
): Search {
  const db = readingFrom((query, values) => search.run(() => searchers.run(query, values)), seal, observer);
  return {
    db,
    get usedMs() {
      return search.usedMs;
    },
    within: () => db,
  };
}

function readingFrom(run: SqliteReaders['run'], seal: Seal, observer: DatabaseObserver): Kysely<Tables> {
  return kyselyOver(
    'sqlite',
    seal,
    timed(observer, async (query, parameters) =>
      toResult(await translated(run(query, parameters as SqliteValue[]), 'reading')),
    ),
  );
}
