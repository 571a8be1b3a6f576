import type { QueryResult } from 'kysely';
import type { Seal } from '../seal.ts';
import type { CounterRow } from '../tables/events.ts';
import type { Appended, BulkTable } from './engine.ts';
import type { Session } from './group-commit.ts';
import { sessionOver } from './session.ts';
import type { SqliteConnection, SqliteResult } from './sqlite-connection.ts';
import type { SqliteValue } from './sqlite-protocol.ts';

/** A {@link Session} on the writing connection. */
export function writerSession(writer: SqliteConnection, seal: Seal): Session {
  let deferred: string[] = [];
  const take = () => {
    const statements = deferred;
    deferred = [];
    return statements;
  };
  return sessionOver({
    engine: 'sqlite',
    seal,
    defer: (...statements) => void deferred.push(...statements),
    exec: async (...statements) => {
      const all = [...take(), ...statements];
      if (all.length > 0) await writer.exec(all);
    },
    abandon: async () => {
      take();
      await writer.exec(['rollback']);
    },
    run: async (sql, parameters) => toResult(await writer.run(sql, parameters as SqliteValue[], take())),
    insertMany: async (into, rows) => (await writer.runMany(insertStatement(into), rows, take())).changes,
    append: async (counter, into, rows, now) => {
      const append = { inside: true, counter, now, sql: insertStatement(into), rows };
      return appended(await writer.append(append, take()), rows.length);
    },
  });
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
