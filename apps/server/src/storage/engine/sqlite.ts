import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { translated } from '../driver-errors.ts';
import { Grouper } from '../grouper.ts';
import { sqliteDialect } from '../migrations/dialect.ts';
import { migrateToLatest } from '../migrations/migrate.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { Tables } from '../tables.ts';
import { lockDirectory } from './directory-lock.ts';
import type { Engine, Lane, Thing } from './engine.ts';
import { commitTogether, type Work } from './group-commit.ts';
import { kyselyOver, readingOver } from './kysely-over.ts';
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
export async function openSqlite(directory: string, describe: string): Promise<Engine & { migrated: string[] }> {
  mkdirSync(directory, { recursive: true });
  const lock = lockDirectory(directory, describe);
  let writer: SqliteConnection | undefined;
  try {
    const path = join(directory, 'yardarm.db');
    writer = await SqliteConnection.open(path, 'writer');
    const migrated = await migrate(writer);
    const readers = await SqliteReaders.open(path, mostReaders);
    const searchers = SqliteReaders.openLater(path, 1);
    return { ...engineOver(writer, readers, searchers, lock), migrated };
  } catch (error) {
    await writer?.close();
    lock.release();
    throw error;
  }
}

async function migrate(writer: SqliteConnection): Promise<string[]> {
  const db = kyselyOver('sqlite', async (query, parameters) =>
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

function engineOver(
  writer: SqliteConnection,
  readers: SqliteReaders,
  searchers: SqliteReaders,
  lock: { release(): void },
): Engine {
  const session = writerSession(writer);
  const turns = oneAtATime();
  const inTurn = <T>(work: () => Promise<T>) => turns(() => writer.revive().then(work));
  const groups = new Grouper<Work<unknown>, unknown>(
    (works) => inTurn(() => commitTogether(session, ['begin immediate'], works)),
    maxGroup,
  );
  const [read, search] = [readingFrom(readers), readingFrom(searchers)];
  return {
    name: 'sqlite',
    read,
    search,
    // One writer: both lanes share its commits.
    transact: <T>(_lane: Lane, run: Work<T>['run'], about?: Thing) =>
      translated(groups.add({ run, about }) as Promise<T>),
    append: async (counter, into, rows, now) => {
      const append = { inside: false, counter, now, sql: insertStatement(into), rows };
      return appended(await translated(inTurn(() => writer.append(append))), rows.length);
    },
    announce: () => undefined,
    listen: async () => undefined,
    limiter: (name, points, seconds) => new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
    eventText: sqliteEventText(search),
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

function readingFrom(readers: SqliteReaders): Kysely<Tables> {
  return readingOver('sqlite', async (query, parameters) =>
    toResult(await translated(readers.run(query, parameters as SqliteValue[]), 'reading')),
  );
}
