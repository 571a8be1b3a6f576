import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SqliteError } from '../driver-errors.ts';
import type {
  SqliteAnswer,
  SqliteAppend,
  SqliteRequest,
  SqliteResponse,
  SqliteValue,
  SqliteWorkerData,
} from './sqlite-protocol.ts';

/** What a statement answered. */
export interface SqliteResult {
  readonly rows: unknown[];
  /** Rows inserted, updated or deleted. */
  readonly changes: number;
  readonly lastId: number;
}

/**
 * Bounds the young generation of a thread to two spaces of 4 MB, whatever flags Node was started with: V8 would let it grow to 64 MB for the
 * rows that pass through.
 */
const threadYoungMb = 12;

/** SQLite's result code for a database that could not be opened. */
const cannotOpen = 14;

/** A SQLite connection that lives in a thread of its own; this is the handle to it. */
export class SqliteConnection {
  readonly #path: string;
  readonly #role: SqliteWorkerData['role'];
  #worker: Worker;
  readonly #pending = new Map<number, { resolve: (result: SqliteResult) => void; reject: (error: Error) => void }>();
  /** Asked since the last message to the thread. */
  #outbox: SqliteRequest[] = [];
  #nextId = 1;
  #broken: Error | null = null;

  private constructor(path: string, role: SqliteWorkerData['role'], worker: Worker) {
    this.#path = path;
    this.#role = role;
    this.#worker = this.#follow(worker);
  }

  /** Opens the database file at `path`, creating it when it is not there. */
  static async open(path: string, role: SqliteWorkerData['role']): Promise<SqliteConnection> {
    return new SqliteConnection(path, role, await startThread(path, role));
  }

  /**
   * Opens it again when its thread has ended. To be called between transactions only: the rest of one that was open
   * would otherwise be done without its beginning. Rejects when the database cannot be opened now.
   */
  async revive(): Promise<void> {
    if (this.#broken === null) return;
    try {
      this.#worker = this.#follow(await startThread(this.#path, this.#role));
    } catch (error) {
      throw new SqliteError((error as Error).message, cannotOpen);
    }
    this.#broken = null;
  }

  /** Whether its thread has ended, so that it will never answer again. */
  get broken(): boolean {
    return this.#broken !== null;
  }

  /** Whether what is asked of it now goes with what was just asked. */
  get gathering(): boolean {
    return this.#outbox.length > 0;
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
   * What is asked without waiting for an answer in between goes as one message and is answered by one: to wake a thread
   * costs more than most statements do.
   */
  #post(request: SqliteRequest): void {
    // The next tick comes when no promise is left to go on with, and so nothing more to ask before an answer.
    if (this.#outbox.push(request) === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    this.#worker.postMessage(this.#outbox);
    this.#outbox = [];
  }

  #follow(worker: Worker): Worker {
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
    else waiting?.resolve({ rows: named(response), changes: response.changes, lastId: response.lastId });
  }

  #break(worker: Worker, cause: unknown): void {
    // One that failed ends a little later, when another may have taken its place.
    if (worker !== this.#worker) return;
    this.#broken ??= new Error('the database thread has ended', { cause });
    this.#outbox = [];
    for (const waiting of this.#pending.values()) waiting.reject(this.#broken);
    this.#pending.clear();
  }
}

/** The rows as objects; of two columns of one name the later one stays. */
function named({ columns, rows }: SqliteAnswer): Record<string, SqliteValue>[] {
  return rows.map((row) => {
    const object: Record<string, SqliteValue> = {};
    for (let i = 0; i < columns.length; i += 1) object[columns[i] as string] = row[i] as SqliteValue;
    return object;
  });
}

async function startThread(path: string, role: SqliteWorkerData['role']): Promise<Worker> {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
    workerData: { path, role } satisfies SqliteWorkerData,
    name: `sqlite-${role}`,
    resourceLimits: { maxYoungGenerationSizeMb: threadYoungMb },
  });
  await once(worker, 'message');
  return worker;
}
