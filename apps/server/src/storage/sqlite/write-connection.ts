import type { QueryResult } from 'kysely';
import { firstOf } from '#kernel/lists.ts';
import type { WriteConnection } from '../commit/open-transaction.ts';
import type { Appended, BulkTable } from '../engine.ts';
import { type DatabaseObserver, timed, timing } from '../observer.ts';
import type { Seal } from '../seal.ts';
import type { CounterRow } from '../tables/events.ts';
import type { SqliteConnection, SqliteResult } from './connection.ts';
import type { SqliteValue } from './worker-protocol.ts';

/** Returns the {@link WriteConnection} over the connection of the writer thread. */
export function writeConnection(writer: SqliteConnection, seal: Seal, observer: DatabaseObserver): WriteConnection {
  let deferred: string[] = [];
  /** Returns the statements that go before the next one, which is sent now. */
  const takeDeferred = () => {
    if (!writer.batching) observer.sent();
    const statements = deferred;
    deferred = [];
    return statements;
  };
  return {
    dialect: 'sqlite',
    seal,
    defer: (...statements) => void deferred.push(...statements),
    exec: async (...statements) => {
      if (deferred.length + statements.length > 0) await writer.exec([...takeDeferred(), ...statements]);
    },
    rollback: async () => {
      deferred = [];
      await writer.exec(['rollback']);
    },
    run: timed(observer, async (sql, parameters) =>
      toResult(await writer.run(sql, parameters as SqliteValue[], takeDeferred())),
    ),
    insertMany: async (into, rows) => {
      const sql = insertStatement(into);
      return (await timing(observer, sql, writer.runMany(sql, rows, takeDeferred()))).changes;
    },
    append: async (counter, into, rows, now) => {
      const append = { inside: true, counter, now, sql: insertStatement(into), rows };
      return appended(await timing(observer, append.sql, writer.append(append, takeDeferred())), rows.length);
    },
  };
}

export function insertStatement({ table, columns }: BulkTable): string {
  const names = columns.map(([name]) => name).join(', ');
  return `insert into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`;
}

/** Returns the position of `count` appended rows, from the row of the counter after its increment. */
export function appended({ rows }: SqliteResult, count: number): Appended {
  const { value, moved_at: at } = firstOf(rows) as CounterRow;
  return { first: value - count + 1, at };
}

export function toResult(result: SqliteResult): QueryResult<unknown> {
  return { rows: result.rows, numAffectedRows: BigInt(result.changes), insertId: BigInt(result.lastId) };
}
