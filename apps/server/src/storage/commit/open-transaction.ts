import type { Kysely, QueryResult } from 'kysely';
import type { Appended, BulkRow, BulkTable, Transaction, TransactionWork } from '../engine.ts';
import { type Dialect, kyselyOver } from '../kysely-connection.ts';
import type { Seal } from '../seal.ts';
import type { CounterName } from '../tables/events.ts';
import type { Tables } from '../tables.ts';

/**
 * A connection for writing. Statements are pipelined: each is sent at once, without waiting for the results of the
 * statements before it, and they run in the order in which they were sent.
 */
export interface WriteConnection {
  readonly dialect: Dialect;
  readonly seal: Seal;
  run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>;
  /** Resolves with the number of rows inserted. */
  insertMany(into: BulkTable, rows: readonly BulkRow[]): Promise<number>;
  append: Transaction['append'];
  /** Stores statements without parameters or results, to send them together with the next statement. */
  defer(...statements: readonly string[]): void;
  /** Sends the deferred statements, and `statements` after them. */
  exec(...statements: readonly string[]): Promise<void>;
  /** Rolls the transaction back and drops deferred statements. */
  rollback(): Promise<void>;
}

/** A {@link Transaction} that counts changed rows and remembers the first failed statement. */
export class OpenTransaction implements Transaction {
  readonly db: Kysely<Tables>;
  readonly #connection: WriteConnection;
  readonly #runNested: Transaction['nested'];
  readonly #unawaited: Promise<unknown>[] = [];
  #sent = 0;
  #changedRows = 0;
  #ended = false;
  /** The first statement that failed. The transaction refuses further statements until it is rolled back. */
  failure: { readonly error: unknown } | undefined;

  constructor(connection: WriteConnection, runNested: Transaction['nested']) {
    this.#connection = connection;
    this.#runNested = runNested;
    this.db = kyselyOver(connection.dialect, connection.seal, async (sql, parameters) => {
      const result = await this.#send(() => connection.run(sql, parameters));
      this.#changedRows += Number(result.numAffectedRows ?? 0);
      return result;
    });
  }

  async changedRows(): Promise<number> {
    await this.settled();
    return this.#changedRows;
  }

  async insertMany(into: BulkTable, rows: readonly BulkRow[]): Promise<void> {
    if (rows.length === 0) return;
    this.#changedRows += await this.#send(() => this.#connection.insertMany(into, rows));
  }

  async append(counter: CounterName, into: BulkTable, rows: readonly BulkRow[], now: number): Promise<Appended> {
    const appended = await this.#send(() => this.#connection.append(counter, into, rows, now));
    this.#changedRows += rows.length;
    return appended;
  }

  nested<T>(work: TransactionWork<T>): Promise<T> {
    return this.#runNested(work);
  }

  goOn(send: () => Promise<unknown>): void {
    const before = this.#sent;
    const statement = send();
    // Avoids an unhandledRejection when the change throws before `settled` awaits the statement.
    statement.catch(() => undefined);
    if (this.#sent === before) throw new Error('goOn needs a prepared statement: another one is not sent at once');
    this.#unawaited.push(statement);
  }

  /** Resolves when all statements have ended that the change did not wait for. Rejects when one of them failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#unawaited);
  }

  /** Refuses statements from now on: they would run in the transaction of the next change. */
  end(): void {
    this.#ended = true;
  }

  async #send<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#ended)
      throw new Error('a change sent a statement after it had ended; await all statements in the change');
    this.#sent += 1;
    try {
      return await statement();
    } catch (error) {
      this.failure ??= { error };
      throw error;
    }
  }
}
