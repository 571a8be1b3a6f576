import { Connection, type Failure } from './connection.ts';
import type { LoadJob } from './job.ts';
import { type PreparedRequest, prepareRequest } from './request.ts';
import type { Answer } from './response-parser.ts';

/** One connection and the request it has in flight. */
export interface Lane {
  readonly index: number;
  readonly connection: Connection;
  /** When the request in flight was due and when it was sent, on the clock of `performance.now`. */
  dueAt: number;
  sentAt: number;
  busy: boolean;
  /** Number of requests sent on this connection; it selects the next of the job's requests. */
  turn: number;
}

/** Called once for each request sent, with its answer or why it has none. */
export type Settled = (lane: Lane, outcome: Answer | Failure) => void;

const defaultTimeoutMs = 10_000;
const openTimeoutMs = 10_000;

/** The connections of one run: sends requests on them, fails those that take too long, and closes them all. */
export class Fleet {
  readonly lanes: readonly Lane[];
  sent = 0;
  readonly #origin: URL;
  readonly #requests: readonly PreparedRequest[];
  readonly #timeoutMs: number;
  #watch: NodeJS.Timeout | undefined;

  constructor(job: LoadJob, settled: Settled) {
    this.#origin = new URL(job.origin);
    this.#requests = job.requests.map((template) => prepareRequest(template, this.#origin));
    this.#timeoutMs = job.timeoutMs ?? defaultTimeoutMs;
    this.lanes = Array.from({ length: job.connections }, (_, index) => this.#lane(index, settled));
  }

  get connects(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.connection.connects, 0);
  }

  /**
   * Connects all lanes and starts the timer that fails overdue requests. If a lane cannot connect, closes all and
   * rejects.
   */
  async open(): Promise<void> {
    const giveUp = setTimeout(() => this.close(), openTimeoutMs);
    try {
      await Promise.all(this.lanes.map((lane) => lane.connection.open()));
    } catch (cause) {
      this.close();
      throw new Error(`Cannot connect to ${this.#origin.origin}: ${String(cause)}`, { cause });
    } finally {
      clearTimeout(giveUp);
    }
    // One timer for all connections: one per request would cost the generator more than the request.
    this.#watch = setInterval(() => this.#failOverdue(), Math.min(100, Math.max(1, this.#timeoutMs / 4)));
  }

  /** Sends a lane's next request. */
  send(lane: Lane, dueAt: number, now: number): void {
    const request = this.#requests[lane.turn % this.#requests.length];
    if (request === undefined) throw new Error('A job needs at least one request');
    lane.turn += 1;
    lane.dueAt = dueAt;
    lane.sentAt = now;
    lane.busy = true;
    const n = this.sent;
    this.sent += 1;
    lane.connection.send(request.method, request.bytes(n, lane.index));
  }

  /** Fails all requests in flight. */
  abort(failure: Failure): void {
    for (const lane of this.lanes) if (lane.busy) lane.connection.abort(failure);
  }

  /** Closes all connections without a callback for the requests in flight. */
  close(): void {
    clearInterval(this.#watch);
    for (const lane of this.lanes) lane.connection.close();
  }

  #lane(index: number, settled: Settled): Lane {
    const settle = (outcome: Answer | Failure) => {
      lane.busy = false;
      settled(lane, outcome);
    };
    const connection = new Connection(this.#origin, { answered: settle, failed: settle });
    const lane: Lane = { index, connection, dueAt: 0, sentAt: 0, busy: false, turn: 0 };
    return lane;
  }

  #failOverdue(): void {
    const oldest = performance.now() - this.#timeoutMs;
    for (const lane of this.lanes) if (lane.busy && lane.sentAt < oldest) lane.connection.abort('timeout');
  }
}
