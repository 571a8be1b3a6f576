import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { BoundedMap } from '#kernel/bounded-map.ts';
import { transactionFailed } from '../driver-errors.ts';
import type {
  SqliteAnswer,
  SqliteAppend,
  SqliteRequest,
  SqliteResponse,
  SqliteValue,
  SqliteWorkerData,
} from './worker-protocol.ts';

/**
 * The worker thread of one SQLite connection. SQLite's calls are synchronous, and an fsync takes milliseconds, which
 * must not block the event loop that serves requests.
 */
const { path, role } = workerData as SqliteWorkerData;
const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
// Must come before the first write: it applies to a new file, and to an existing file after `vacuum`.
if (role === 'writer') database.exec('pragma auto_vacuum = incremental');
database.exec('pragma journal_mode = wal');
// FULL: the write-ahead log is on the disk before a commit returns, so a power cut loses no acknowledged commit.
database.exec('pragma synchronous = full');
database.exec('pragma cache_size = -16000');
database.exec('pragma temp_store = memory');
database.exec('pragma wal_autocheckpoint = 4000');
database.exec('pragma journal_size_limit = 67108864');
if (role === 'reader') database.exec('pragma query_only = on');

interface Prepared {
  readonly statement: StatementSync;
  /** The columns of the result; empty for a statement without a result. */
  readonly columns: readonly string[];
  readonly reads: boolean;
}

/** Searches build many different statements. */
const statements = new BoundedMap<string, Prepared>(500);

function prepare(sql: string): Prepared {
  let prepared = statements.get(sql);
  if (prepared === undefined) {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    prepared = { statement, columns, reads: /^\s*(select|pragma|explain)/i.test(sql) };
    statements.set(sql, prepared);
  }
  return prepared;
}

function runOne(sql: string, parameters: readonly SqliteValue[]): SqliteAnswer {
  const { statement, columns, reads } = prepare(sql);
  // Pragmas have `reads`, so `all` executes them even without a result: such a pragma works in steps, and `run` makes
  // only the first.
  if (columns.length === 0 && !reads) {
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { ...nothing, changes: Number(changes), lastId: Number(lastInsertRowid) };
  }
  // `insert … returning` returns rows like a query, so the number of changed rows is read separately. `changes()` would
  // report the previous statement after a `with … select`, so compare the totals.
  const before = reads ? 0 : totalChanges();
  const rows = rowsOf(statement, parameters);
  return { columns, rows, changes: reads ? 0 : totalChanges() - before, lastId: 0 };
}

const nothing: SqliteAnswer = { columns: [], rows: [], changes: 0, lastId: 0 };

/** Runs a statement and returns its rows as arrays of values. */
function rowsOf(statement: StatementSync, parameters: readonly SqliteValue[]): SqliteValue[][] {
  // The types of node:sqlite do not take `setReturnArrays` into account.
  return statement.all(...parameters) as unknown as SqliteValue[][];
}

function totalChanges(): number {
  return rowsOf(prepare('select total_changes()').statement, [])[0]?.[0] as number;
}

function runMany(sql: string, rows: readonly (readonly SqliteValue[])[]): SqliteAnswer {
  const { statement } = prepare(sql);
  for (const row of rows) statement.run(...row);
  return { ...nothing, changes: rows.length };
}

/** Increments a counter and inserts rows with their numbers and the time. Returns the row of the counter. */
function append({ counter, now, sql, rows }: SqliteAppend): SqliteAnswer {
  const moved = runOne(
    'update counters set value = value + ?1, moved_at = max(moved_at, ?2) where name = ?3 returning value, moved_at',
    [rows.length, now, counter],
  );
  const [value, at] = moved.rows[0] as [number, number];
  const { statement } = prepare(sql);
  let number = value - rows.length;
  for (const row of rows) statement.run(++number, at, ...row);
  return { ...moved, changes: rows.length };
}

function inOwnTransaction(work: () => SqliteAnswer): SqliteAnswer {
  prepare('begin immediate').statement.run();
  try {
    const result = work();
    prepare('commit').statement.run();
    return result;
  } catch (error) {
    if (database.isTransaction) prepare('rollback').statement.run();
    throw error;
  }
}

/**
 * True when a statement of the open transaction has failed. As in PostgreSQL, statements are refused until a rollback:
 * pipelined statements, such as the commit, were sent before the failure was known.
 */
let failed = false;

/** Runs a statement without parameters and results. */
function control(sql: string): void {
  if (sql.startsWith('rollback')) failed = false;
  refuseAfterFailure();
  prepare(sql).statement.run();
}

function refuseAfterFailure(): void {
  if (failed) throw new Error(transactionFailed);
}

function answer(request: SqliteRequest): SqliteResponse {
  const alone = request.main !== undefined && 'counter' in request.main && !request.main.inside;
  try {
    for (const sql of request.before) control(sql);
    if (request.main === undefined) return { ...nothing, id: request.id };
    if (!alone) refuseAfterFailure();
    const { main } = request;
    const result =
      'counter' in main
        ? main.inside
          ? append(main)
          : inOwnTransaction(() => append(main))
        : 'rows' in main
          ? runMany(main.sql, main.rows)
          : runOne(main.sql, main.parameters);
    return { ...result, id: request.id };
  } catch (error) {
    failed ||= role === 'writer' && !alone && !request.before.includes('rollback');
    const failure = error as Error & { errcode?: number };
    return { id: request.id, error: { message: failure.message, code: failure.errcode } };
  }
}

parentPort?.on('message', (requests: readonly SqliteRequest[] | 'close') => {
  if (requests === 'close') {
    database.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(requests.map(answer));
  }
});
parentPort?.postMessage('open');
