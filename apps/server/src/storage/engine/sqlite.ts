import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { MemoryLimiter } from '../../kernel/limiter.ts';
import { createMutex } from '../../kernel/mutex.ts';
import { translated } from '../driver-errors.ts';
import { Grouper } from '../grouper.ts';
import { sqliteDialect } from '../migrations/dialect.ts';
import { migrateToLatest } from '../migrations/migrate.ts';
import type { Seal } from '../seal.ts';
import { type SearchTurn, SearchTurns } from '../search-turns.ts';
import type { Tables } from '../tables.ts';
import { lockDirectory } from './directory-lock.ts';
import type { Engine, Lane, Thing } from './engine.ts';
import { commitTogether, type Work } from './group-commit.ts';
import { kyselyOver, readingOver } from './kysely-over.ts';
import { privateDirectory, privateFile, privateWhereThere } from './private-files.ts';
import type { Search } from './search.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteEventText } from './sqlite-event-text.ts';
import type { SqliteValue } from './sqlite-protocol.ts';
import { SqliteReaders } from './sqlite-readers.ts';
import { reclaimPages } from './sqlite-reclaim.ts';
import { appended, insertStatement, toResult, writerSession } from './sqlite-session.ts';

const mostReaders = 2;
const maxGroup = 200;

/**
 * The embedded engine: one writer, up to two readers, and one for searches when there are any, each a connection
 * in a thread of its own. Rejects when another process has the directory open.
 */
export async function openSqlite(
  directory: string,
  describe: string,
  seal: Seal,
  clock: Clock,
): Promise<Engine & { migrated: string[] }> {
  privateDirectory(directory);
  const lock = lockDirectory(directory, describe);
  let writer: SqliteConnection | undefined;
  try {
    const path = join(directory, 'yardarm.db');
    privateFile(path);
    // SQLite gives new ones the mode of the database.
    for (const beside of ['-wal', '-shm']) privateWhereThere(path + beside);
    writer = await SqliteConnection.open(path, 'writer');
    const migrated = await migrate(writer, seal);
    const readers = await SqliteReaders.open(path, mostReaders);
    const searchers = SqliteReaders.openLater(path, 1);
    return { ...engineOver({ writer, readers, searchers }, lock, seal, clock), migrated };
  } catch (error) {
    await writer?.close();
    lock.release();
    throw error;
  }
}

async function migrate(writer: SqliteConnection, seal: Seal): Promise<string[]> {
  const db = kyselyOver('sqlite', seal, async (query, parameters) =>
    toResult(await writer.run(query, parameters as SqliteValue[])),
  );
  await writer.exec(['begin immediate']);
  try {
    const names = await migrateToLatest(db as unknown as Kysely<unknown>, sqliteDialect);
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
  seal: Seal,
  clock: Clock,
): Engine {
  const session = writerSession(writer, seal);
  const writes = createMutex();
  const inTurn = <T>(work: () => Promise<T>) => writes(() => writer.revive().then(work));
  const groups = new Grouper<Work<unknown>, unknown>(
    (works) => inTurn(() => commitTogether(session, ['begin immediate'], works)),
    maxGroup,
  );
  const read = readingFrom(readers, seal);
  const turns = new SearchTurns(1);
  return {
    name: 'sqlite',
    read,
    beginSearch: ({ stop } = {}) => beginSearch(turns.begin(stop), searchers, seal),
    // One writer: both lanes share its commits.
    transact: <T>(_lane: Lane, run: Work<T>['run'], about?: Thing) =>
      translated(groups.add({ run, about }) as Promise<T>),
    append: async (counter, into, rows, now) => {
      const append = { inside: false, counter, now, sql: insertStatement(into), rows };
      return appended(await translated(inTurn(() => writer.append(append))), rows.length);
    },
    announce: () => undefined,
    listen: async () => undefined,
    limiter: (_name, points, seconds) => new MemoryLimiter(clock, points, seconds),
    eventText: sqliteEventText,
    reclaim: (pages) => translated(inTurn(() => reclaimPages(writer, pages))),
    ping: async () => {
      await sql`select 1`.execute(read);
    },
    close: async () => {
      await groups.idle();
      await readers.close();
      await searchers.close();
      await writer.close();
      lock.release();
    },
  };
}

/** A search through the one thread that searches have. */
function beginSearch(turn: SearchTurn, searchers: SqliteReaders, seal: Seal): Search {
  const db = readingOver('sqlite', seal, async (query, parameters) =>
    toResult(
      await translated(
        turn.run(() => searchers.run(query, parameters as SqliteValue[])),
        'reading',
      ),
    ),
  );
  return {
    db,
    get usedMs() {
      return turn.usedMs;
    },
    within: () => db,
  };
}

function readingFrom(readers: SqliteReaders, seal: Seal): Kysely<Tables> {
  return readingOver('sqlite', seal, async (query, parameters) =>
    toResult(await translated(readers.run(query, parameters as SqliteValue[]), 'reading')),
  );
}
