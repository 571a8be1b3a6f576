import type { Kysely } from 'kysely';
import { type QueryResult as PgResult, Pool, type PoolClient } from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { translated, whyUnusable } from '../driver-errors.ts';
import { Batcher } from '../grouper.ts';
import type { Seal } from '../seal.ts';
import { type SearchTurn, SearchTurns } from '../search-turns.ts';
import type { Tables } from '../tables.ts';
import type { Engine, Lane, TransactionWork } from './engine.ts';
import { commitGroup } from './group-commit.ts';
import { kyselyOver } from './kysely-over.ts';
import { Announcer } from './postgres-announce.ts';
import { appendRows } from './postgres-append.ts';
import { postgresEventText } from './postgres-event-text.ts';
import { sharedLimiter } from './postgres-limiter.ts';
import { listenForever } from './postgres-listen.ts';
import { migratePostgres } from './postgres-migrate.ts';
import { connectionOptions, numberTypes, type PostgresOptions } from './postgres-options.ts';
import { readTogether } from './postgres-reading.ts';
import { queryWithin } from './postgres-search.ts';
import { pooledConnection, toResult } from './postgres-session.ts';
import { StatementNames } from './postgres-statements.ts';
import type { Search } from './search.ts';

const maxGroup = 200;
/** The time limit of search statements, unless the search sets one. */
const searchStatementMs = 10_000;

/** PostgreSQL, shared by any number of processes. Rejects when it cannot be reached, with a {@link DatabaseUnusable}, or migrated. */
export async function openPostgres(
  options: PostgresOptions,
  seal: Seal,
  clock: Clock,
): Promise<Engine & { migrated: string[] }> {
  const migrated = await migratePostgres(options).catch((error) => {
    throw whyUnusable(error, options.url);
  });
  const pool = new Pool({ ...connectionOptions(options), max: options.poolMax, types: numberTypes, pipeline: true });
  pool.on('error', options.onError);
  const channel = { name: `yardarm_${options.schema}`.slice(0, 63), self: newId() };
  const closers: (() => Promise<void>)[] = [];
  const names = new StatementNames();
  const together = readTogether(pool);
  // With what is read once the change is made: to wake another connection for it would cost more than it does.
  const announcer = new Announcer(together, channel, options.onError);
  const read = readingFrom(seal, (text, values) => together(names.named(text, values)));
  // Searches leave half of the connections to everything else.
  const turns = new SearchTurns(Math.max(1, Math.floor(options.poolMax / 2)));
  const changes = new Batcher<TransactionWork<unknown>, unknown>(
    (group) => commitOnPool({ pool, names, seal }, beginChanges(options.schema), group),
    maxGroup,
  );
  return {
    name: 'postgres',
    migrated,
    read,
    beginSearch: ({ stop, statementMs = searchStatementMs } = {}) =>
      beginSearch({ pool, seal }, turns.begin(stop), statementMs),
    transact: <T>(lane: Lane, work: TransactionWork<T>) =>
      translated(lane === 'changes' ? (changes.add(work) as Promise<T>) : commitAlone({ pool, names, seal }, work)),
    append: (counter, into, rows, now) =>
      translated(appendRows((config) => pool.query(config), counter, into, rows, now)),
    announce: () => announcer.announce(),
    listen: async (heard) => {
      closers.push(listenForever(options, channel, heard));
    },
    limiter: (name, points, seconds) => sharedLimiter({ pool, schema: options.schema, clock }, name, points, seconds),
    eventText: postgresEventText,
    // Its autovacuum lets the space of deleted rows be used again.
    reclaim: async () => 0,
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

/**
 * Begins a transaction of changes. One advisory lock serializes the changes of all processes, as SQLite's single writer
 * does: what a change has read stays true until it commits, and event ids grow in commit order.
 */
function beginChanges(schema: string): string[] {
  return ['begin', `select pg_advisory_xact_lock(7235, hashtext('${schema.replaceAll("'", "''")}'))`];
}

interface Writing {
  readonly pool: Pool;
  readonly names: StatementNames;
  readonly seal: Seal;
}

/** Commits a group of changes on a connection of the pool. */
async function commitOnPool<T>(
  { pool, names, seal }: Writing,
  begin: readonly string[],
  group: readonly TransactionWork<T>[],
) {
  const client = await pool.connect();
  const broken = { error: undefined as Error | undefined };
  const onError = (error: Error) => {
    broken.error = error;
  };
  client.on('error', onError);
  const connection = pooledConnection(client, names, seal);
  try {
    return await commitGroup(connection, begin, group);
  } finally {
    client.off('error', onError);
    client.release(broken.error ?? connection.broken() ?? leftOpen(client) ?? false);
  }
}

/** Returns an error for a connection whose transaction is still open: its locks would block others, and the next change would join it. */
function leftOpen(client: PoolClient): Error | undefined {
  return client.getTransactionStatus() === 'I' ? undefined : new Error('a transaction was left open');
}

async function commitAlone<T>(writing: Writing, work: TransactionWork<T>): Promise<T> {
  const [outcome] = await commitOnPool(writing, ['begin'], [work]);
  if (outcome === undefined) throw new Error('a group of one change resolved without an outcome');
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

function beginSearch({ pool, seal }: { pool: Pool; seal: Seal }, turn: SearchTurn, statementMs: number): Search {
  const within = (ms: number) =>
    readingFrom(seal, (text, values) => turn.run(() => queryWithin(pool, text, values, Math.min(ms, statementMs))));
  return {
    db: within(statementMs),
    get usedMs() {
      return turn.usedMs;
    },
    within,
  };
}

function readingFrom(seal: Seal, query: (text: string, values: unknown[]) => Promise<PgResult>): Kysely<Tables> {
  return kyselyOver('postgres', seal, async (text, parameters) =>
    toResult(await translated(query(text, [...parameters]), 'reading')),
  );
}
