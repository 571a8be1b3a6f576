import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SqliteError } from '../driver-errors.ts';
import type {
  SqliteAppend,
  SqliteRequest,
  SqliteResponse,
  SqliteResult,
  SqliteValue,
  SqliteWorkerData,
} from './sqlite-protocol.ts';

/** A SQLite connection that lives in a thread of its own; this is the handle to it. */
export class SqliteConnection {
  readonly #worker: Worker;
  readonly #pending = new Map<number, { resolve: (result: SqliteResult) => void; reject: (error: Error) => void }>();
  #nextId = 1;
  #broken: Error | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (response: SqliteResponse) => this.#settle(response));
    worker.on('error', (error) => this.#break(error as Error));
    worker.on('exit', () => this.#break(new Error('the database thread has ended')));
  }

  /** Opens the database file at `path`, creating it when it is not there. */
  static async open(path: string, role: SqliteWorkerData['role']): Promise<SqliteConnection> {
    const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
      workerData: { path, role } satisfies SqliteWorkerData,
      name: `sqlite-${role}`,
    });
    await once(worker, 'message');
    return new SqliteConnection(worker);
  }

  /** Whether its thread has ended, so that it will never answer again. */
  get broken(): boolean {
    return this.#broken !== null;
  }

  /** How many requests this connection has in hand. */
  get load(): number {
    return this.#pending.size;
  }

  run(sql: string, parameters: readonly SqliteValue[], before: readonly string[] = []): Promise<SqliteResult> {
    return this.#send({ before, main: { sql, parameters } });
  }

  /** Runs the same statement once for each row. */
  runMany(
    sql: string,
    rows: readonly (readonly SqliteValue[])[],
    before: readonly string[] = [],
  ): Promise<SqliteResult> {
    return this.#send({ before, main: { sql, rows } });
  }

  /** Numbers and inserts rows; unless it is `inside` one, in a transaction of its own. */
  append(append: SqliteAppend, before: readonly string[] = []): Promise<SqliteResult> {
    return this.#send({ before, main: append });
  }

  /** Runs statements that answer nothing. */
  exec(before: readonly string[]): Promise<SqliteResult> {
    return this.#send({ before });
  }

  async close(): Promise<void> {
    if (this.#broken !== null) return;
    const ended = once(this.#worker, 'exit');
    this.#worker.postMessage('close');
    await ended;
  }

  #send(request: Omit<SqliteRequest, 'id'>): Promise<SqliteResult> {
    if (this.#broken !== null) return Promise.reject(this.#broken);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ ...request, id });
    });
  }

  #settle(response: SqliteResponse): void {
    const waiting = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) waiting?.reject(new SqliteError(response.error.message, response.error.code));
    else waiting?.resolve(response);
  }

  #break(error: Error): void {
    this.#broken ??= error;
    for (const waiting of this.#pending.values()) waiting.reject(this.#broken);
    this.#pending.clear();
  }
}
