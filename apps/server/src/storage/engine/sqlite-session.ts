import type { QueryResult } from 'kysely';
import type { CounterRow } from '../tables/events.ts';
import type { Appended, BulkTable, Transaction } from './engine.ts';
import { partOf, type Session } from './group-commit.ts';
import { kyselyOver } from './kysely-over.ts';
import type { SqliteConnection, SqliteResult } from './sqlite-connection.ts';
import type { SqliteValue } from './sqlite-protocol.ts';

/** A {@link Session} on the writing connection. */
export function writerSession(writer: SqliteConnection): Session {
  let deferred: string[] = [];
  let changedRows = 0;
  const take = () => {
    const statements = deferred;
    deferred = [];
    return statements;
  };
  const db = kyselyOver('sqlite', async (query, parameters) => {
    const result = await writer.run(query, parameters as SqliteValue[], take());
    changedRows += result.changes;
    return toResult(result);
  });
  const transaction: Transaction = {
    db,
    changedRows: () => changedRows,
    insertMany: async (into, rows) => {
      if (rows.length > 0) changedRows += (await writer.runMany(insertStatement(into), rows, take())).changes;
    },
    append: async (counter, into, rows, now) => {
      const append = { inside: true, counter, now, sql: insertStatement(into), rows };
      const result = await writer.append(append, take());
      changedRows += result.changes;
      return appended(result, rows.length);
    },
    part: (work) => partOf(session, work),
  };
  const session: Session = {
    transaction,
    defer: (...statements) => deferred.push(...statements),
    exec: async (...statements) => {
      await writer.exec([...take(), ...statements]);
    },
  };
  return session;
}

export function insertStatement({ table, columns }: BulkTable): string {
  const names = columns.map(([name]) => name).join(', ');
  return `insert into ${table} (${names}) values (${columns.map(() => '?').join(', ')})`;
}

/** Where appended rows stand, from the counter's row after it moved. */
export function appended({ rows }: SqliteResult, count: number): Appended {
  const { value, moved_at: at } = rows[0] as CounterRow;
  return { first: value - count + 1, at };
}

export function toResult(result: SqliteResult): QueryResult<unknown> {
  return { rows: result.rows, numAffectedRows: BigInt(result.changes), insertId: BigInt(result.lastId) };
}
