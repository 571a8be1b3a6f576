import { type Author, systemActor } from '../../../kernel/actor.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Database } from '../../../storage/database.ts';
import type { Db } from '../../../storage/tx.ts';
import { isTaken, mayBeTaken, reasonOf, type Send, type Sent } from '../../outbound/index.ts';
import { type DueCall, pauseAfter } from './call.ts';
import * as store from './store.ts';

const author: Author = { actor: systemActor, cause: {} };
/** Requests that one process has under way at once, in all and to one host: one that is slow must not hold up the others. */
const mostAtOnce = 16;
const mostToOneHost = 4;
/** Due requests that are looked at for one whose host has room. */
const mostLooked = 200;
const pollMs = 5000;
/** Longer than an attempt takes. */
const patienceMs = 15_000;
/** What could not be tried for so long, such as while automation was frozen, is not news any more. */
const stalesAfterMs = 24 * 60 * 60 * 1000;

export interface CallerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly send: Send;
  /** Whether nothing is to be called now. */
  readonly halted: (db: Db) => Promise<boolean>;
  /** Told what came of an attempt. */
  readonly attempted: (outcome: 'delivered' | 'failed' | 'again') => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Makes the requests that runs of actions have asked for. What is to be sent, and what came of it, is in the database: each is sent at
 * least once, wherever a process dies, and tried a few times when it fails.
 */
export class Caller {
  readonly #options: CallerOptions;
  /** Requests under way here, with their hosts. */
  readonly #working = new Map<number, { readonly host: string; readonly done: Promise<void> }>();
  #looking: Promise<void> = Promise.resolve();
  #poll: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Begins with what was left by whoever called before. */
  start(): void {
    const { database } = this.#options;
    // Nobody else is there to have anything in hand on an embedded database.
    if (database.engine === 'sqlite')
      this.#looking = database.writeQuietly('deliveries', author, store.hurry).catch(this.#options.onError);
    this.#poll = setInterval(() => this.wake(), pollMs);
    this.wake();
  }

  /** Says that there may be something to call. */
  wake(): void {
    if (this.#stopped) return;
    this.#looking = this.#looking.then(() => this.#look()).catch(this.#options.onError);
  }

  /** Looks for what is due, and resolves when nothing is any more. */
  idle(): Promise<void> {
    this.wake();
    return this.settled();
  }

  /** Resolves when nothing is in hand. Looks for nothing: what no wake-up announced is not waited for. */
  async settled(): Promise<void> {
    do {
      await this.#looking;
      await Promise.all([...this.#working.values()].map(({ done }) => done));
      await this.#looking;
    } while (this.#working.size > 0);
  }

  /** Finishes the requests in hand and begins no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#timer);
    await this.#looking;
    clearTimeout(this.#timer);
    await Promise.all([...this.#working.values()].map(({ done }) => done));
  }

  async #look(): Promise<void> {
    const { database, clock, halted } = this.#options;
    if (this.#stopped || this.#working.size >= mostAtOnce) return;
    const due = await store.dueCalls(database.db, clock.now(), mostLooked);
    if (due.length > 0 && (await halted(database.db))) return;
    for (const call of due) if (!this.#working.has(call.id)) this.#begin(call);
    clearTimeout(this.#timer);
    const next = await store.nextDue(database.db);
    if (next === undefined || this.#stopped) return;
    const wait = next - clock.now();
    if (wait > 0 && wait < pollMs) this.#timer = setTimeout(() => this.wake(), wait);
  }

  #begin(call: DueCall): void {
    const { host } = new URL(call.url);
    const there = [...this.#working.values()].filter((one) => one.host === host).length;
    if (this.#stopped || this.#working.size >= mostAtOnce || there >= mostToOneHost) return;
    const done = this.#attempt(call).then(
      () => {
        this.#working.delete(call.id);
        this.wake();
      },
      (error: unknown) => {
        // The next look is that of the clock: what cannot be written down now must not be tried again and again.
        this.#working.delete(call.id);
        this.#options.onError(error);
      },
    );
    this.#working.set(call.id, { host, done });
  }

  async #attempt(call: DueCall): Promise<void> {
    const { database, clock, send, attempted } = this.#options;
    const attempt = call.attempts + 1;
    const begun = await database.writeQuietly('deliveries', author, (tx) =>
      store.beginAttempt(tx, call, tx.now + patienceMs),
    );
    if (!begun) return;
    const stale = clock.now() - call.createdAt > stalesAfterMs;
    const { method, url, body, idempotencyKey, runId } = call;
    const ours = { 'idempotency-key': idempotencyKey, 'yardarm-run-id': String(runId) };
    const sent: Sent = stale
      ? { failure: 'It waited for longer than a day and was not sent.', refused: true }
      : await send({ method, url, headers: { ...call.headers, ...ours }, body });
    const pause = mayBeTaken(sent) ? pauseAfter(attempt) : undefined;
    const state = isTaken(sent) ? 'delivered' : pause === undefined ? 'failed' : 'queued';
    await database.writeQuietly('deliveries', author, (tx) =>
      store.noteAttempt(tx, call, attempt, {
        state,
        status: 'status' in sent ? sent.status : null,
        details: reasonOf(sent),
        nextAttemptAt: pause === undefined ? null : tx.now + pause,
      }),
    );
    attempted(state === 'queued' ? 'again' : state);
  }
}
