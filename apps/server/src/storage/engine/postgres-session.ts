import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import { isSilence } from '../driver-errors.ts';
import type { BulkTable, Thing } from './engine.ts';
import { type OpenWork, partOf, type Session } from './group-commit.ts';
import { kyselyOver } from './kysely-over.ts';
import { appendRows, columnArrays } from './postgres-append.ts';
import { gather } from './postgres-gathering.ts';
import type { StatementNames } from './postgres-statements.ts';
import { Watch } from './watch.ts';

/** A {@link Session} on a connection borrowed from the pool. */
export interface PoolSession extends Session {
  /** Why the connection cannot be used again, once it cannot. */
  broken(): Error | undefined;
}

export function poolSession(client: PoolClient, names: StatementNames): PoolSession {
  let deferred: string[] = [];
  let silent: Error | undefined;

  /** After a statement that was never answered nothing else on this connection will be either. */
  const send = async (query: string | QueryConfig): Promise<QueryResult> => {
    if (silent !== undefined) throw silent;
    gather(client);
    try {
      return await client.query(query);
    } catch (error) {
      if (isSilence(error)) silent = error;
      throw error;
    }
  };

  /** Sends what was deferred, in one piece, and the statements after it without waiting for the answer. */
  const flush = async (): Promise<void> => {
    if (deferred.length === 0) return;
    const statements = deferred.join('; ');
    deferred = [];
    await send(statements);
  };
  /**
   * A statement after what was deferred. Where that fails, the transaction is over for whatever comes behind it, so that
   * nothing of it is done alone; and what is told is the first failure.
   */
  const afterDeferred = async <T>(statement: () => Promise<T>): Promise<T> => {
    const [, result] = await Promise.all([flush(), statement()]);
    return result;
  };
  const defer = (...statements: readonly string[]) => void deferred.push(...statements);
  const exec = async (...statements: readonly string[]) => {
    defer(...statements);
    await flush();
  };
  const open = (about?: Thing): OpenWork => {
    const watch = new Watch(about);
    let changedRows = 0;
    const run = async (text: string, values: unknown[]) => {
      const result = await afterDeferred(() => send(names.named(text, values)));
      if (result.command !== 'SELECT') changedRows += result.rowCount ?? 0;
      return result;
    };
    return {
      transaction: {
        db: kyselyOver('postgres', async (query, parameters, touches) => {
          const result = await watch.statement(query, touches, () => run(query, [...parameters]));
          return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
        }),
        changedRows: () => changedRows,
        insertMany: async (into, rows) => {
          if (rows.length === 0) return;
          await watch.inserting(into, rows, () => run(insertStatement(into), columnArrays(into.columns.length, rows)));
        },
        append: async (counter, into, rows, now) => {
          changedRows += rows.length;
          return watch.writing('sums', () => afterDeferred(() => appendRows(send, counter, into, rows, now)));
        },
        part: (work) => watch.part(() => partOf({ defer, exec }, work)),
      },
      watch,
    };
  };
  return { open, defer, exec, broken: () => silent };
}

/** One array a column: a statement of the same text whatever the number of rows, so it is parsed once. */
function insertStatement({ table, columns }: BulkTable): string {
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, kind], index) => `$${index + 1}::${kind === 'integer' ? 'bigint' : 'text'}[]`);
  return `insert into ${table} (${names}) select * from unnest(${arrays.join(', ')})`;
}
