import type { QueryResult } from 'kysely';
import type { QueryResult as PgResult, PoolClient, QueryConfig } from 'pg';
import { isSilence } from '../driver-errors.ts';
import type { Seal } from '../seal.ts';
import type { BulkTable } from './engine.ts';
import type { Session } from './group-commit.ts';
import { appendRows, columnArrays } from './postgres-append.ts';
import { gather } from './postgres-gathering.ts';
import type { StatementNames } from './postgres-statements.ts';
import { sessionOver } from './session.ts';

/** A {@link Session} on a connection borrowed from the pool. */
export interface PoolSession extends Session {
  /** Why the connection cannot be used again, once it cannot. */
  broken(): Error | undefined;
}

export function poolSession(client: PoolClient, names: StatementNames, seal: Seal): PoolSession {
  let deferred: string[] = [];
  let silent: Error | undefined;

  /** After a statement that was never answered nothing else on this connection will be either. */
  const send = async (query: string | QueryConfig): Promise<PgResult> => {
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
  const run = (text: string, values: unknown[]) => afterDeferred(() => send(names.named(text, values)));
  const session = sessionOver({
    engine: 'postgres',
    seal,
    defer: (...statements) => void deferred.push(...statements),
    exec: async (...statements) => {
      deferred.push(...statements);
      await flush();
    },
    abandon: async () => {
      deferred = [];
      await send('rollback');
    },
    run: async (text, values) => toResult(await run(text, [...values])),
    insertMany: async (into, rows) =>
      (await run(insertStatement(into), columnArrays(into.columns.length, rows))).rowCount ?? 0,
    append: (counter, into, rows, now) => afterDeferred(() => appendRows(send, counter, into, rows, now)),
  });
  return { ...session, broken: () => silent };
}

export function toResult({ command, rows, rowCount }: PgResult): QueryResult<unknown> {
  return { rows, numAffectedRows: BigInt(command === 'SELECT' ? 0 : (rowCount ?? 0)) };
}

/** One array a column: a statement of the same text whatever the number of rows, so it is parsed once. */
function insertStatement({ table, columns }: BulkTable): string {
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, kind], index) => `$${index + 1}::${kind === 'integer' ? 'bigint' : 'text'}[]`);
  return `insert into ${table} (${names}) select * from unnest(${arrays.join(', ')})`;
}
