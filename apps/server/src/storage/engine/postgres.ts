import type { Kysely } from 'kysely';
import { type QueryResult as PgResult, Pool, type PoolClient } from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { translated, whyUnusable } from '../driver-errors.ts';
import { Grouper } from '../grouper.ts';
import type { Seal } from '../seal.ts';
import { type SearchTurn, SearchTurns } from '../search-turns.ts';
import type { Tables } from '../tables.ts';
import type { Engine, Lane, Thing } from './engine.ts';
import { commitTogether, type Work } from './group-commit.ts';
import { readingOver } from './kysely-over.ts';
import { Announcer } from './postgres-announce.ts';
import { appendRows } from './postgres-append.ts';
import { postgresEventText } from './postgres-event-text.ts';
import { sharedLimiter } from './postgres-limiter.ts';
import { listenForever } from './postgres-listen.ts';
import { migratePostgres } from './postgres-migrate.ts';
import { connectionOptions, numberTypes, type PostgresOptions } from './postgres-options.ts';
import { readTogether } from './postgres-reading.ts';
import { queryWithin } from './postgres-search.ts';
import { poolSession, toResult } from './postgres-session.ts';
import { StatementNames } from './postgres-statements.ts';
import type { Search } from './search.ts';

const maxGroup = 200;
/** A group costs several round trips and a write to the disk, however many share it. */
const patienceMs = 10;
/** Milliseconds for a statement of a search that sets no limit of its own, such as a page of a long list. */
const longestMs = 10_000;

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
  const groups = new Grouper<Work<unknown>, unknown>(
    (works) => inSession({ pool, names, seal }, beginChanges(options.schema), works),
    maxGroup,
    { patienceMs },
  );
  return {
    name: 'postgres',
    migrated,
    read,
    beginSearch: ({ stop, statementMs = longestMs } = {}) =>
      beginSearch({ pool, seal }, turns.begin(stop), statementMs),
    transact: <T>(lane: Lane, run: Work<T>['run'], about?: Thing) =>
      translated(
        lane === 'changes' ? (groups.add({ run, about }) as Promise<T>) : alone({ pool, names, seal }, { run }),
      ),
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
      await groups.idle();
      await announcer.idle();
      for (const close of closers) await close();
      await pool.end();
    },
  };
}

/**
 * Changes run one at a time across all processes, behind one advisory lock: what a change read is still true
 * when it commits, exactly as with SQLite's single writer, and event ids follow commit order.
 */
function beginChanges(schema: string): string[] {
  return ['begin', `select pg_advisory_xact_lock(7235, hashtext('${schema.replaceAll("'", "''")}'))`];
}

/** Where changes are made. */
interface Way {
  readonly pool: Pool;
  readonly names: StatementNames;
  readonly seal: Seal;
}

async function inSession<T>({ pool, names, seal }: Way, begin: readonly string[], works: readonly Work<T>[]) {
  const client = await pool.connect();
  const broken = { error: undefined as Error | undefined };
  const onError = (error: Error) => {
    broken.error = error;
  };
  client.on('error', onError);
  const session = poolSession(client, names, seal);
  try {
    return await commitTogether(session, begin, works);
  } finally {
    client.off('error', onError);
    release(client, broken.error ?? session.broken() ?? leftOpen(client));
  }
}

/** A connection with a transaction on it would hold up everybody with the locks of that, and make the next one's work a part of it. */
function leftOpen(client: PoolClient): Error | undefined {
  return client.getTransactionStatus() === 'I' ? undefined : new Error('a transaction was left open');
}

function release(client: PoolClient, error: Error | undefined): void {
  client.release(error ?? false);
}

async function alone<T>(way: Way, work: Work<T>): Promise<T> {
  const [outcome] = await inSession(way, ['begin'], [work]);
  if (outcome === undefined) throw new Error('a group of one was answered with no outcome');
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
  return readingOver('postgres', seal, async (text, parameters) =>
    toResult(await translated(query(text, [...parameters]), 'reading')),
  );
}
