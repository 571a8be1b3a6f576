import type { QueryResult } from 'kysely';
import type { QueryResult as PgResult, PoolClient, QueryConfig } from 'pg';
import type { WriteConnection } from '../commit/open-transaction.ts';
import { isQueryTimeout } from '../driver-errors.ts';
import type { BulkTable, Surroundings } from '../engine.ts';
import { timed, timing } from '../observer.ts';
import { appendRows, columnArrays } from './append.ts';
import { corkForTick } from './cork.ts';
import type { StatementNames } from './statement-names.ts';

/** A {@link WriteConnection} borrowed from the pool. */
export interface PooledConnection extends WriteConnection {
  /** The reason why the connection cannot be used again; undefined while it can. */
  broken(): Error | undefined;
}

export function pooledConnection(
  client: PoolClient,
  names: StatementNames,
  { seal, observer }: Pick<Surroundings, 'seal' | 'observer'>,
): PooledConnection {
  let deferred: string[] = [];
  let silent: Error | undefined;

  /** Sends a statement. After a statement that timed out, rejects at once: this connection would not answer either. */
  const send = async (query: string | QueryConfig): Promise<PgResult> => {
    if (silent !== undefined) throw silent;
    if (corkForTick(client)) observer.sent();
    try {
      return await client.query(query);
    } catch (error) {
      if (isQueryTimeout(error)) silent = error;
      throw error;
    }
  };

  /** Sends the deferred statements as one simple query. */
  const flush = async (): Promise<void> => {
    if (deferred.length === 0) return;
    const statements = deferred.join('; ');
    deferred = [];
    await send(statements);
  };
  /**
   * Sends a statement after the deferred ones. When a deferred statement fails, PostgreSQL refuses `statement` too, and
   * the promise rejects with the first failure.
   */
  const afterDeferred = async <T>(statement: () => Promise<T>): Promise<T> => {
    const [, result] = await Promise.all([flush(), statement()]);
    return result;
  };
  const run = (text: string, values: unknown[]) => afterDeferred(() => send(names.named(text, values)));
  return {
    dialect: 'postgres',
    seal,
    defer: (...statements) => void deferred.push(...statements),
    exec: async (...statements) => {
      deferred.push(...statements);
      await flush();
    },
    rollback: async () => {
      deferred = [];
      await send('rollback');
    },
    run: timed(observer, async (text, values) => toResult(await run(text, [...values]))),
    insertMany: async (into, rows) => {
      const text = insertStatement(into);
      return (await timing(observer, text, run(text, columnArrays(into.columns.length, rows)))).rowCount ?? 0;
    },
    append: (counter, into, rows, now) =>
      timing(
        observer,
        insertStatement(into),
        afterDeferred(() => appendRows(send, counter, into, rows, now)),
      ),
    broken: () => silent,
  };
}

export function toResult({ command, rows, rowCount }: PgResult): QueryResult<unknown> {
  return { rows, numAffectedRows: BigInt(command === 'SELECT' ? 0 : (rowCount ?? 0)) };
}

/**
 * Returns a statement that inserts from one array per column. Its text is the same for any number of rows, so
 * PostgreSQL plans it once.
 */
export function insertStatement({ table, columns }: BulkTable): string {
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, kind], index) => `$${index + 1}::${kind === 'integer' ? 'bigint' : 'text'}[]`);
  return `insert into ${table} (${names}) select * from unnest(${arrays.join(', ')})`;
}
