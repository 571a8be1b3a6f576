import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { oncePerTick } from '#kernel/event-loop.ts';
import { startThread } from '#kernel/start-thread.ts';
import { DatabaseClosed, SqliteError } from '../driver-errors.ts';
import type {
  SqliteAnswer,
  SqliteAppend,
  SqliteRequest,
  SqliteResponse,
  SqliteValue,
  SqliteWorkerData,
} from './worker-protocol.ts';

/** The result of a statement. */
export interface SqliteResult {
  readonly rows: unknown[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
  readonly lastId: number;
}

/**
 * Limits the young generation of the heap of a thread to two spaces of 4 MB. V8 would let it grow to 64 MB while rows
 * pass through the thread.
 */
const threadYoungMb = 12;

/** SQLite's result code for a database that could not be opened. */
const cannotOpen = 14;

/** Handle of a SQLite connection that lives in its own worker thread. */
export class SqliteConnection {
  readonly #path: string;
  readonly #role: SqliteWorkerData['role'];
  #worker: Worker;
  readonly #pending = new Map<number, { resolve: (result: SqliteResult) => void; reject: (error: Error) => void }>();
  /** Requests to send with the next message to the thread. */
  #outbox: SqliteRequest[] = [];
  readonly #flushLater = oncePerTick(() => this.#flush());
  #nextId = 1;
  #broken: Error | null = null;
  #closed = false;

  private constructor(path: string, role: SqliteWorkerData['role'], worker: Worker) {
    this.#path = path;
    this.#role = role;
    this.#worker = this.#attach(worker);
  }

  /** Opens the database file at `path`, creating it if it is missing. */
  static async open(path: string, role: SqliteWorkerData['role']): Promise<SqliteConnection> {
    return new SqliteConnection(path, role, await openThread(path, role));
  }

  /**
   * Reopens the connection when its thread has ended. Must be called between transactions: the rest of an open
   * transaction would run without its beginning. Rejects when it is closed or cannot be opened.
   */
  async revive(): Promise<void> {
    // A thread that is started after `close` would write without the lock of the directory, and keep the process alive.
    if (this.#closed) throw new DatabaseClosed();
    if (this.#broken === null) return;
    try {
      this.#worker = this.#attach(await openThread(this.#path, this.#role));
    } catch (error) {
      throw new SqliteError((error as Error).message, cannotOpen);
    }
    this.#broken = null;
  }

  /** True when the thread has ended. */
  get broken(): boolean {
    return this.#broken !== null;
  }

  /** True while requests of this tick are collected for one message. */
  get batching(): boolean {
    return this.#outbox.length > 0;
  }

  /** The number of unanswered requests. */
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

  /** Numbers and inserts rows: in the open transaction when `inside` is set, otherwise in a new one. */
  append(append: SqliteAppend, before: readonly string[] = []): Promise<SqliteResult> {
    return this.#send({ before, main: append });
  }

  /** Runs statements without parameters and results. */
  exec(before: readonly string[]): Promise<SqliteResult> {
    return this.#send({ before });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#broken !== null) return;
    const ended = once(this.#worker, 'exit');
    this.#flush();
    this.#worker.postMessage('close');
    await ended;
  }

  #send(request: Omit<SqliteRequest, 'id'>): Promise<SqliteResult> {
    if (this.#broken !== null) return Promise.reject(this.#broken);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#post({ ...request, id });
    });
  }

  /**
   * Batches the requests of one tick into one message with one reply: waking a thread costs more than most statements.
   */
  #post(request: SqliteRequest): void {
    this.#outbox.push(request);
    this.#flushLater();
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    this.#worker.postMessage(this.#outbox);
    this.#outbox = [];
  }

  #attach(worker: Worker): Worker {
    worker.on('message', (responses: SqliteResponse[]) => {
      for (const response of responses) this.#settle(response);
    });
    worker.on('error', (cause) => this.#break(worker, cause));
    worker.on('exit', () => this.#break(worker, undefined));
    return worker;
  }

  #settle(response: SqliteResponse): void {
    const waiting = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if ('error' in response) waiting?.reject(new SqliteError(response.error.message, response.error.code));
    else waiting?.resolve({ rows: toObjects(response), changes: response.changes, lastId: response.lastId });
  }

  #break(worker: Worker, cause: unknown): void {
    // A thread that failed exits later, when a new thread may have replaced it.
    if (worker !== this.#worker) return;
    this.#broken ??= new Error('the database thread has ended', { cause });
    this.#outbox = [];
    for (const waiting of this.#pending.values()) waiting.reject(this.#broken);
    this.#pending.clear();
  }
}

/** Returns the rows as objects. Of two columns with one name the later wins. */
function toObjects({ columns, rows }: SqliteAnswer): Record<string, SqliteValue>[] {
  return rows.map((row) => {
    const object: Record<string, SqliteValue> = {};
    let i = 0;
    for (const column of columns) object[column] = row[i++] ?? null;
    return object;
  });
}

async function openThread(path: string, role: SqliteWorkerData['role']): Promise<Worker> {
  const worker = startThread('sqlite-worker', import.meta.url, {
    workerData: { path, role } satisfies SqliteWorkerData,
    name: `sqlite-${role}`,
    resourceLimits: { maxYoungGenerationSizeMb: threadYoungMb },
  });
  await once(worker, 'message');
  return worker;
}
