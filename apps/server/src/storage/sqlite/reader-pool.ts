import { DatabaseClosed } from '../driver-errors.ts';
import { SqliteConnection, type SqliteResult } from './connection.ts';
import type { SqliteValue } from './worker-protocol.ts';

/**
 * A pool of reading connections. The pool grows when a statement arrives while all connections are busy. Each
 * connection costs a thread and some 25 MB, so the pool has at most `max` connections.
 */
export class SqliteReaders {
  readonly #path: string;
  readonly #max: number;
  readonly #connections: SqliteConnection[] = [];
  #opening: Promise<void> | null = null;
  #closed = false;

  private constructor(path: string, max: number) {
    this.#path = path;
    this.#max = max;
  }

  static async open(path: string, max: number): Promise<SqliteReaders> {
    const readers = new SqliteReaders(path, max);
    await readers.#openAnother();
    return readers;
  }

  /** Creates a pool that opens its first connection with the first statement. */
  static openLazily(path: string, max: number): SqliteReaders {
    return new SqliteReaders(path, max);
  }

  async run(sql: string, parameters: readonly SqliteValue[]): Promise<SqliteResult> {
    // A thread that is opened after `close` would never end, and keep the process alive.
    if (this.#closed) throw new DatabaseClosed();
    if (this.#connections.length === 0) await this.#openAnother();
    const connection =
      this.#connections.find(({ batching }) => batching) ??
      this.#connections.reduce((best, next) => (rank(next) < rank(best) ? next : best));
    if ((connection.load > 0 || connection.broken) && this.#alive < this.#max) {
      // When opening fails, the open connections continue to serve, and the next statement on a busy pool tries again.
      this.#openAnother().catch(() => undefined);
    }
    return connection.run(sql, parameters);
  }

  get #alive(): number {
    return this.#connections.filter((connection) => !connection.broken).length;
  }

  /** Closes the pool after the queries that have begun. Rejects later queries. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    for (const connection of this.#connections) await connection.close();
  }

  #openAnother(): Promise<void> {
    this.#opening ??= SqliteConnection.open(this.#path, 'reader')
      .then((connection) => void this.#connections.push(connection))
      .finally(() => {
        this.#opening = null;
      });
    return this.#opening;
  }
}

/** Orders connections by their load; connections whose thread has ended come last. */
function rank(connection: SqliteConnection): number {
  return connection.broken ? Number.POSITIVE_INFINITY : connection.load;
}
