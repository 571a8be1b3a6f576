import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type {
  SqliteAppend,
  SqliteRequest,
  SqliteResponse,
  SqliteResult,
  SqliteValue,
  SqliteWorkerData,
} from './sqlite-protocol.ts';

/**
 * Holds one SQLite connection in a thread of its own: calls are synchronous and an fsync takes milliseconds,
 * which must not hold the event loop that serves requests.
 */
const { path, role } = workerData as SqliteWorkerData;
const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
database.exec('pragma journal_mode = wal');
// FULL: the log reaches the disk before a commit returns, so a power cut loses nothing that was acknowledged.
database.exec('pragma synchronous = full');
database.exec('pragma cache_size = -16000');
database.exec('pragma temp_store = memory');
database.exec('pragma wal_autocheckpoint = 4000');
database.exec('pragma journal_size_limit = 67108864');
if (role === 'reader') database.exec('pragma query_only = on');

const statements = new Map<string, StatementSync>();
const maxStatements = 500;

function prepare(sql: string): StatementSync {
  let statement = statements.get(sql);
  if (statement === undefined) {
    // Searches build many different statements; the oldest gives way so that memory stays bounded.
    if (statements.size >= maxStatements) statements.delete(statements.keys().next().value as string);
    statement = database.prepare(sql);
    statements.set(sql, statement);
  }
  return statement;
}

function runOne(sql: string, parameters: readonly SqliteValue[]): SqliteResult {
  const statement = prepare(sql);
  if (statement.columns().length > 0) return runReturning(statement, sql, parameters);
  const result = statement.run(...parameters);
  return { rows: [], changes: Number(result.changes), lastId: Number(result.lastInsertRowid) };
}

/** `insert … returning` answers rows like a query; how many rows it changed is asked separately. */
function runReturning(statement: StatementSync, sql: string, parameters: readonly SqliteValue[]): SqliteResult {
  if (/^\s*(select|pragma|explain)/i.test(sql)) return { rows: statement.all(...parameters), changes: 0, lastId: 0 };
  // `with` begins what changes rows as well as what does not, and then the changes of the statement before would be told.
  const before = totalChanges();
  const rows = statement.all(...parameters);
  return { rows, changes: totalChanges() - before, lastId: 0 };
}

function totalChanges(): number {
  return (prepare('select total_changes() as n').get() as { n: number }).n;
}

function runMany(sql: string, rows: readonly (readonly SqliteValue[])[]): SqliteResult {
  const statement = prepare(sql);
  for (const row of rows) statement.run(...row);
  return { rows: [], changes: rows.length, lastId: 0 };
}

/** Answers the row of the counter it moved. */
function append({ counter, now, sql, rows }: SqliteAppend): SqliteResult {
  const moved = prepare(
    'update counters set value = value + ?1, moved_at = max(moved_at, ?2) where name = ?3 returning value, moved_at',
  ).get(rows.length, now, counter) as { value: number; moved_at: number };
  const statement = prepare(sql);
  let number = moved.value - rows.length;
  for (const row of rows) statement.run(++number, moved.moved_at, ...row);
  return { rows: [moved], changes: rows.length, lastId: 0 };
}

function inOwnTransaction(work: () => SqliteResult): SqliteResult {
  prepare('begin immediate').run();
  try {
    const result = work();
    prepare('commit').run();
    return result;
  } catch (error) {
    if (database.isTransaction) prepare('rollback').run();
    throw error;
  }
}

function answer(request: SqliteRequest): SqliteResponse {
  try {
    for (const sql of request.before) prepare(sql).run();
    if (request.main === undefined) return { id: request.id, rows: [], changes: 0, lastId: 0 };
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
