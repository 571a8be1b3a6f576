import { SqliteConnection, type SqliteResult } from './sqlite-connection.ts';
import type { SqliteValue } from './sqlite-protocol.ts';

/**
 * Connections for reading. One is enough until a long search holds it: then another is opened, so that it
 * does not hold up everyone else. Each costs a thread and some 25 MB, so there are never more than `most`.
 */
export class SqliteReaders {
  readonly #path: string;
  readonly #most: number;
  readonly #connections: SqliteConnection[] = [];
  #opening: Promise<void> | null = null;
  #closed = false;

  private constructor(path: string, most: number) {
    this.#path = path;
    this.#most = most;
  }

  static async open(path: string, most: number): Promise<SqliteReaders> {
    const readers = new SqliteReaders(path, most);
    await readers.#openAnother();
    return readers;
  }

  /** Opens none before one is needed. */
  static openLater(path: string, most: number): SqliteReaders {
    return new SqliteReaders(path, most);
  }

  async run(sql: string, parameters: readonly SqliteValue[]): Promise<SqliteResult> {
    // A thread that is opened after `close` would never end, and keep the process alive.
    if (this.#closed) throw new Error('the database is closed');
    if (this.#connections.length === 0) await this.#openAnother();
    const connection =
      this.#connections.find(({ gathering }) => gathering) ??
      this.#connections.reduce((best, next) => (rank(next) < rank(best) ? next : best));
    if ((connection.load > 0 || connection.broken) && this.#alive < this.#most) {
      // Should it fail, those that are open go on serving; the next time they are busy it is tried again.
      this.#openAnother().catch(() => undefined);
    }
    return connection.run(sql, parameters);
  }

  get #alive(): number {
    return this.#connections.filter((one) => !one.broken).length;
  }

  /** Waits for queries that have begun. Those that come later are rejected. */
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

/** The least busy first, and one whose thread has ended last. */
function rank(connection: SqliteConnection): number {
  return connection.broken ? Number.POSITIVE_INFINITY : connection.load;
}
