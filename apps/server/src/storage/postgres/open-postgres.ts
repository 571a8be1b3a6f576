import type { Kysely } from 'kysely';
import { type QueryResult as PgResult, Pool, type PoolClient } from 'pg';
import { newId } from '#kernel/ids.ts';
import { Batcher } from '../commit/batcher.ts';
import { commitGroup } from '../commit/group-commit.ts';
import { asUnusable, translated } from '../driver-errors.ts';
import type { Engine, Lane, Surroundings, TransactionWork } from '../engine.ts';
import { kyselyOver } from '../kysely-connection.ts';
import { telling, timed, timing, waiting } from '../observer.ts';
import type { Search } from '../search.ts';
import { type ScheduledSearch, SearchScheduler } from '../search-scheduler.ts';
import type { Tables } from '../tables.ts';
import { Announcer } from './announcer.ts';
import { appendRows } from './append.ts';
import { changesLock } from './changes-lock.ts';
import { connectingTo, numberTypes, type PostgresOptions } from './connection-options.ts';
import { postgresEventText } from './event-text.ts';
import { listenForever } from './listener.ts';
import { migratePostgres } from './migrate.ts';
import { requireOwnConnections } from './own-connections.ts';
import { pipelinedQueries, separateQueries } from './pipelined-queries.ts';
import { serverTimeline } from './server-timeline.ts';
import { sharedLimiter } from './shared-limiter.ts';
import { StatementNames } from './statement-names.ts';
import { queryWithin } from './time-limited-query.ts';
import { insertStatement, pooledConnection, toResult } from './write-connection.ts';

const maxGroup = 200;
/** The time limit of search statements, unless the search sets one. */
const searchStatementMs = 10_000;

/**
 * Opens PostgreSQL, which any number of processes share, and migrates it. Rejects with a `DatabaseUnusable` when it
 * cannot be reached.
 */
export async function openPostgres(
  options: PostgresOptions,
  { seal, clock, observer }: Surroundings,
): Promise<Engine & { migrated: string[] }> {
  const { config, settings, prepare } = connectingTo(options);
  const pool = new Pool({ ...config, onConnect: prepare, max: options.poolMax, types: numberTypes, pipeline: true });
  pool.on('error', options.onError);
  const migrated = await migrateFirst(pool, options);
  const channel = { name: `yardarm_${options.schema}`.slice(0, 63), self: newId() };
  const closers: (() => Promise<void>)[] = [];
  const names = new StatementNames();
  const connect = () => waiting(observer, 'connection', pool.connect());
  const writing = { connect, names, seal, observer };
  const query = pipelinedQueries(connect);
  // Notifications are pipelined with the reads that follow a change: waking another connection would cost more than the
  // statement.
  const announcer = new Announcer(query, channel, options.onError);
  const read = readingFrom({ seal, observer }, (text, values) => query(names.named(text, values)));
  // Searches use at most half of the connections.
  const searches = new SearchScheduler(Math.max(1, Math.floor(options.poolMax / 2)));
  const changes = new Batcher<TransactionWork<unknown>, unknown>(
    (group) => commitOnPool(writing, beginChanges(options.schema), group),
    maxGroup,
  );
  return {
    name: 'postgres',
    migrated,
    read,
    beginSearch: ({ stop, statementMs = searchStatementMs } = {}) =>
      beginSearch({ connect, seal, observer, usual: settings.statement_timeout }, searches.begin(stop), statementMs),
    transact: <T>(lane: Lane, work: TransactionWork<T>) =>
      translated(
        lane === 'changes' ? (changes.add(telling(observer, work)) as Promise<T>) : commitAlone(writing, work),
      ),
    append: (counter, into, rows, now) =>
      timing(
        observer,
        insertStatement(into),
        translated(appendRows(separateQueries(connect), counter, into, rows, now)),
      ),
    announce: (topic) => announcer.announce(topic),
    listen: async (heard) => {
      closers.push(listenForever(options, channel, heard));
    },
    limiter: (name, points, seconds) => sharedLimiter({ pool, schema: options.schema, clock }, name, points, seconds),
    eventText: postgresEventText,
    reclaim: async () => 0,
    timeline: () => serverTimeline(pool),
    ping: async () => {
      await translated(pool.query('select 1'), 'reading');
    },
    close: async () => {
      await changes.idle();
      await announcer.idle();
      for (const close of closers) await close();
      await pool.end();
    },
  };
}

/** Migrates the database. Closes the pool and rejects with a `DatabaseUnusable` when it cannot be used. */
async function migrateFirst(pool: Pool, options: PostgresOptions): Promise<string[]> {
  try {
    await requireOwnConnections(pool);
    return await migratePostgres(options);
  } catch (error) {
    await pool.end();
    throw asUnusable(error, options.url);
  }
}

/**
 * Begins a transaction of changes. One advisory lock serializes the changes of all processes, as SQLite's single writer
 * does: what a change has read stays true until it commits, and event ids grow in commit order.
 */
function beginChanges(schema: string): string[] {
  return ['begin', changesLock(schema)];
}

interface Writing extends Pick<Surroundings, 'seal' | 'observer'> {
  readonly connect: () => Promise<PoolClient>;
  readonly names: StatementNames;
}

/** Commits a group of changes on a connection of the pool. */
async function commitOnPool<T>(
  { connect, names, seal, observer }: Writing,
  begin: readonly string[],
  group: readonly TransactionWork<T>[],
) {
  const client = await connect();
  const broken = { error: undefined as Error | undefined };
  const onError = (error: Error) => {
    broken.error = error;
  };
  client.on('error', onError);
  const connection = pooledConnection(client, names, { seal, observer });
  try {
    return await commitGroup(connection, begin, group);
  } finally {
    client.off('error', onError);
    client.release(broken.error ?? connection.broken() ?? leftOpen(client) ?? false);
  }
}

/**
 * Returns an error for a connection whose transaction is still open: its locks would block others, and the next change
 * would join it.
 */
function leftOpen(client: PoolClient): Error | undefined {
  return client.getTransactionStatus() === 'I' ? undefined : new Error('a transaction was left open');
}

async function commitAlone<T>(writing: Writing, work: TransactionWork<T>): Promise<T> {
  const [outcome] = await commitOnPool(writing, ['begin'], [work]);
  if (outcome === undefined) throw new Error('a group of one change resolved without an outcome');
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

interface Searching extends Pick<Surroundings, 'seal' | 'observer'> {
  readonly connect: () => Promise<PoolClient>;
  /** The time limit of other statements, as PostgreSQL spells it. */
  readonly usual: string;
}

function beginSearch({ connect, usual, ...parts }: Searching, search: ScheduledSearch, statementMs: number): Search {
  const within = (ms: number) =>
    readingFrom(parts, (text, values) =>
      search.run(() => queryWithin(connect, text, values, { ms: Math.min(ms, statementMs), usual })),
    );
  return {
    db: within(statementMs),
    get usedMs() {
      return search.usedMs;
    },
    within,
  };
}

function readingFrom(
  { seal, observer }: Pick<Surroundings, 'seal' | 'observer'>,
  query: (text: string, values: unknown[]) => Promise<PgResult>,
): Kysely<Tables> {
  return kyselyOver(
    'postgres',
    seal,
    timed(observer, async (text, parameters) => toResult(await translated(query(text, [...parameters]), 'reading'))),
  );
}
