import { type Author, systemActor } from '../../../kernel/actor.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../storage/database.ts';
import type { Db } from '../../../storage/tx.ts';
import { describeResult, isDelivered, isRetryable, type Send, type SendResult } from '../../outbound/index.ts';
import { type DueCall, retryDelayMs } from './call.ts';
import * as store from './store.ts';

const author: Author = { actor: systemActor, cause: {} };
/**
 * The maximum number of concurrent calls of a process, in all and per host, so that a slow host does not block the
 * others.
 */
const maxConcurrent = 16;
const maxPerHost = 4;
/** The number of due calls that are read to find one whose host has capacity. */
const maxCallsRead = 200;
const pollMs = 5000;
/** The duration of a claim; longer than the timeout of a request. */
const attemptLeaseMs = 15_000;
/** Calls that could not be sent for this long, such as during a freeze, are dropped as outdated. */
const expiresAfterMs = 24 * 60 * 60 * 1000;

export interface CallSenderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly send: Send;
  /** Returns whether calls are halted now. */
  readonly halted: (db: Db) => Promise<boolean>;
  /** Called with the result of each attempt. */
  readonly onAttempt: (outcome: 'delivered' | 'failed' | 'again') => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the calls of the outbox. Calls and their results are stored in the database, so each call is sent at least
 * once, even after a crash, with retries.
 */
export class CallSender {
  readonly #options: CallSenderOptions;
  /** Calls that this process is sending, with their hosts. */
  readonly #working = new Map<number, { readonly host: string; readonly done: Promise<void> }>();
  #scanning: Promise<void> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: CallSenderOptions) {
    this.#options = options;
  }

  /** Starts sending, beginning with calls that an earlier process left. */
  start(): void {
    const { database } = this.#options;
    // With SQLite no other process can have claimed a call.
    if (database.engine === 'sqlite')
      this.#scanning = database.writeQuietly('deliveries', author, store.makeAllDue).catch(this.#options.onError);
    this.#poll = setInterval(() => this.wake(), pollMs);
    this.wake();
  }

  /** Starts a scan for due calls. */
  wake(): void {
    if (this.#stopped) return;
    this.#scanning = this.#scanning.then(() => this.#scan()).catch(this.#options.onError);
  }

  /** Sends all due calls, and resolves when none is left. */
  idle(): Promise<void> {
    this.wake();
    return this.settled();
  }

  /** Resolves when the current calls have ended. Starts no scan, so that tests notice a missing wake-up. */
  async settled(): Promise<void> {
    do {
      await this.#scanning;
      await Promise.all([...this.#working.values()].map(({ done }) => done));
      await this.#scanning;
    } while (this.#working.size > 0);
  }

  /** Finishes the current calls and starts no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    await this.#scanning;
    clearTimeout(this.#timer);
    await Promise.all([...this.#working.values()].map(({ done }) => done));
  }

  async #scan(): Promise<void> {
    const { database, clock, halted } = this.#options;
    if (this.#stopped || this.#working.size >= maxConcurrent) return;
    const due = await store.dueCalls(database.db, clock.now(), maxCallsRead);
    if (due.length > 0 && (await halted(database.db))) return;
    for (const call of due) if (!this.#working.has(call.id)) this.#startAttempt(call);
    clearTimeout(this.#timer);
    const next = await store.nextDue(database.db);
    if (next === undefined || this.#stopped) return;
    const wait = next - clock.now();
    if (wait > 0 && wait < pollMs) this.#timer = setTimeout(() => this.wake(), wait);
  }

  #startAttempt(call: DueCall): void {
    const { host } = new URL(call.url);
    const activeForHost = [...this.#working.values()].filter((active) => active.host === host).length;
    if (this.#stopped || this.#working.size >= maxConcurrent || activeForHost >= maxPerHost) return;
    const done = this.#attempt(call).then(
      () => {
        this.#working.delete(call.id);
        this.wake();
      },
      (error: unknown) => {
        // Wait for the next poll: retrying at once would loop while the result cannot be saved.
        this.#working.delete(call.id);
        this.#options.onError(error);
      },
    );
    this.#working.set(call.id, { host, done });
  }

  async #attempt(call: DueCall): Promise<void> {
    const { database, clock, send, onAttempt } = this.#options;
    const attempt = call.attempts + 1;
    const claimed = await database.writeQuietly('deliveries', author, (tx) =>
      store.claimAttempt(tx, call, tx.now + attemptLeaseMs),
    );
    if (!claimed) return;
    const expired = clock.now() - call.createdAt > expiresAfterMs;
    const { method, url, body, idempotencyKey, runId } = call;
    const reservedHeaders = { 'idempotency-key': idempotencyKey, 'yardarm-run-id': String(runId) };
    const result: SendResult = expired
      ? { failure: 'The call waited longer than a day and was not sent.', refused: true }
      : await send({ method, url, headers: { ...call.headers, ...reservedHeaders }, body });
    const retryDelay = isRetryable(result) ? retryDelayMs(attempt) : undefined;
    const state = isDelivered(result) ? 'delivered' : retryDelay === undefined ? 'failed' : 'queued';
    await database.writeQuietly('deliveries', author, (tx) =>
      store.saveAttempt(tx, call, attempt, {
        state,
        status: 'status' in result ? result.status : null,
        details: describeResult(result),
        nextAttemptAt: retryDelay === undefined ? null : tx.now + retryDelay,
      }),
    );
    onAttempt(state === 'queued' ? 'again' : state);
  }
}
