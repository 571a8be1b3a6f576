import type { QueryResult } from 'kysely';
import type { CounterRow } from '../tables/events.ts';
import type { Appended, BulkTable, Thing } from './engine.ts';
import { type OpenWork, partOf, type Session } from './group-commit.ts';
import { kyselyOver } from './kysely-over.ts';
import type { SqliteConnection, SqliteResult } from './sqlite-connection.ts';
import type { SqliteValue } from './sqlite-protocol.ts';
import { Watch } from './watch.ts';

/** A {@link Session} on the writing connection. */
export function writerSession(writer: SqliteConnection): Session {
  let deferred: string[] = [];
  const take = () => {
    const statements = deferred;
    deferred = [];
    return statements;
  };
  const defer = (...statements: readonly string[]) => void deferred.push(...statements);
  const exec = async (...statements: readonly string[]) => {
    await writer.exec([...take(), ...statements]);
  };
  const open = (about?: Thing): OpenWork => {
    const watch = new Watch(about);
    let changedRows = 0;
    const count = (result: SqliteResult) => {
      changedRows += result.changes;
      return result;
    };
    return {
      transaction: {
        db: kyselyOver('sqlite', async (query, parameters, touches) => {
          const ask = () => writer.run(query, parameters as SqliteValue[], take());
          return toResult(count(await watch.statement(query, touches, ask)));
        }),
        changedRows: () => changedRows,
        insertMany: async (into, rows) => {
          if (rows.length === 0) return;
          count(await watch.inserting(into, rows, () => writer.runMany(insertStatement(into), rows, take())));
        },
        append: async (counter, into, rows, now) => {
          const append = { inside: true, counter, now, sql: insertStatement(into), rows };
          return appended(count(await watch.writing('sums', () => writer.append(append, take()))), rows.length);
        },
        part: (work) => watch.part(() => partOf({ defer, exec }, work)),
      },
      watch,
    };
  };
  return { open, defer, exec };
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
