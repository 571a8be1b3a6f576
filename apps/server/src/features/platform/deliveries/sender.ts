import {
  describeResult,
  describeTarget,
  type Outbound,
  type Send,
  type SendResult,
  type Verdict,
  verdictOf,
} from '#features/platform/outbound/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import type { Change, Tx } from '#storage/tx.ts';
import { backOff } from './back-off.ts';
import type { CallKind, Delivery, DeliveryKind, DeliveryState, IntegrationKind, Prepared } from './delivery.ts';
import { dueOfReceivers } from './due.ts';
import { buryUnsendable, expiredText } from './expiry.ts';
import { type Health, mustPause, noteDeadLetter, noteFailure, noteSuccess, pause, resume } from './health.ts';
import { type Attempt, insertAttempt } from './log.ts';
import * as store from './store.ts';

const author: Author = { actor: systemActor, cause: {} };
/**
 * The maximum number of concurrent requests of a process, in all and per host, so that a slow host does not block the
 * others.
 */
const maxConcurrent = 16;
const maxPerHost = 4;
/** The number of due calls that a scan reads at most to find those whose hosts have capacity: 2000. */
const maxPagesOfCalls = 10;
const callsPerPage = 200;
const pollMs = 5000;
/** How much longer a claim is than the timeouts of its requests. */
const leaseMarginMs = 5000;
/** How long a stop waits for current attempts. A receiver that does not answer must not delay it. */
const stopWaitMs = 1000;

export interface DeliverySenderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly send: Send;
  /** The longest duration of an attempt. */
  readonly timeoutMs: number;
  readonly integrations: IntegrationKind;
  readonly calls: CallKind;
  /** Called with the result of each attempt. */
  readonly onAttempt: (receiver: 'integration' | 'call', state: DeliveryState) => void;
  readonly onError: (error: unknown) => void;
  /** Returns a number between 0 and 1, for the jitter. */
  readonly random?: () => number;
}

/**
 * Sends the messages of the outbox: events to integrations, and action calls. Messages and their results are stored in
 * the database, so each message is sent at least once, even after a crash, with retries.
 */
export class DeliverySender {
  readonly #options: DeliverySenderOptions;
  /** Messages that this process is sending, with their hosts. */
  readonly #working = new Map<number, { readonly host: string; readonly done: Promise<void> }>();
  readonly #scans: Loop;
  /** Looks for events and messages of other processes. */
  readonly #polls: Loop;
  /** Whether there may be events for which no deliveries are queued yet. */
  #eventsWait = true;
  readonly #abort = new AbortController();

  constructor(options: DeliverySenderOptions) {
    this.#options = options;
    const { onError } = options;
    this.#scans = new Loop({ round: () => this.#scan(), onError });
    this.#polls = new Loop({ round: async () => this.wakeForEvents(), onError, firstMs: 0, everyMs: pollMs });
  }

  /** Starts sending, beginning with messages that an earlier process left. */
  async start(): Promise<void> {
    const { database, onError } = this.#options;
    // With SQLite no other process can have claimed a message.
    if (database.engine === 'sqlite')
      await database.writeQuietly('deliveries', author, store.makeAllDue).catch(onError);
    this.#scans.start();
    this.#polls.start();
  }

  /** Starts a scan for due messages. */
  wake(): void {
    this.#scans.wake();
  }

  /** Starts a scan for new events and due messages. */
  wakeForEvents(): void {
    this.#eventsWait = true;
    this.wake();
  }

  /** Sends all due messages, and resolves when none is left. */
  idle(): Promise<void> {
    this.wakeForEvents();
    return this.settled();
  }

  /** Resolves when the current attempts have ended. Starts no scan, so that tests notice a missing wake-up. */
  async settled(): Promise<void> {
    do {
      await this.#scans.settle();
      await Promise.all([...this.#working.values()].map(({ done }) => done));
      await this.#scans.settle();
    } while (this.#working.size > 0);
  }

  /**
   * Finishes the current attempts and starts no more. An attempt without an answer is aborted after a second: it stays
   * claimed, and is sent again with the same id.
   */
  async stop(): Promise<void> {
    await this.#polls.stop();
    await this.#scans.stop();
    const abort = setTimeout(() => this.#abort.abort(), stopWaitMs);
    await Promise.all([...this.#working.values()].map(({ done }) => done));
    clearTimeout(abort);
  }

  async #scan(): Promise<void> {
    const { database, clock, integrations, calls } = this.#options;
    if (this.#eventsWait) {
      this.#eventsWait = false;
      // Never set to false here: events may have come while `fanOut` ran.
      if (await integrations.fanOut()) this.#eventsWait = true;
    }
    if (this.#working.size >= maxConcurrent || !(await store.isAnyWaiting(database.db))) return;
    const receivers = await integrations.receivers();
    await buryUnsendable(database, author, clock.now());
    await this.#startAll(integrations, await dueOfReceivers(database.db, clock.now(), receivers));
    await this.#startCalls(calls);
    const next = await store.nextDue(database.db, clock.now());
    if (next === undefined) return;
    const wait = Math.max(next - clock.now(), 1);
    if (wait < pollMs) this.#scans.wake(wait);
  }

  /** Starts due calls, unless calls are halted. Reads on behind the calls to hosts that have no capacity. */
  async #startCalls(calls: CallKind): Promise<void> {
    const { database, clock } = this.#options;
    let after: Delivery | undefined;
    for (let page = 0; page < maxPagesOfCalls && this.#working.size < maxConcurrent; page++) {
      const due = await store.dueCalls(database.db, { now: clock.now(), limit: callsPerPage, after });
      if (due.length === 0 || (page === 0 && (await calls.halted(database.db)))) return;
      await this.#startAll(calls, due);
      if (due.length < callsPerPage) return;
      after = due.at(-1);
    }
  }

  async #startAll(kind: DeliveryKind, due: readonly Delivery[]): Promise<void> {
    const free = due.filter(({ id }) => !this.#working.has(id));
    if (free.length === 0 || this.#working.size >= maxConcurrent) return;
    const prepared = await kind.prepare(this.#options.database.db, free);
    for (const delivery of free) {
      const request = prepared.get(delivery.id);
      if (request !== undefined) this.#startAttempt(kind, delivery, refusedWithoutUrl(request));
    }
  }

  #startAttempt(kind: DeliveryKind, delivery: Delivery, prepared: Prepared): void {
    const host = 'request' in prepared ? new URL(prepared.request.url).host : '';
    const activeForHost = [...this.#working.values()].filter((active) => active.host === host).length;
    if (this.#scans.stopping.aborted || this.#working.size >= maxConcurrent || activeForHost >= maxPerHost) return;
    const done = this.#attempt(kind, delivery, prepared).then(
      () => {
        this.#working.delete(delivery.id);
        this.wake();
      },
      (error: unknown) => {
        // Wait for the next poll: retrying at once would loop while the result cannot be saved.
        this.#working.delete(delivery.id);
        this.#options.onError(error);
      },
    );
    this.#working.set(delivery.id, { host, done });
  }

  async #attempt(kind: DeliveryKind, delivery: Delivery, prepared: Prepared): Promise<void> {
    const { database, clock, send, timeoutMs } = this.#options;
    const requests = 'before' in prepared ? 2 : 1;
    const claimed = await database.writeQuietly('deliveries', author, (tx) =>
      store.claim(tx, delivery, tx.now + timeoutMs * requests + leaseMarginMs),
    );
    if (!claimed) return;
    const attemptedAt = clock.now();
    const startedAt = performance.now();
    let result: SendResult;
    if ('told' in prepared) result = { delivered: prepared.told };
    else if ('refused' in prepared) result = { failure: prepared.refused, refused: true };
    else if (attemptedAt > delivery.expiresAt) result = { failure: expiredText(delivery.expiresAt), refused: true };
    else result = await sendPrepared(send, prepared, this.#abort.signal);
    const { integrationId } = delivery;
    const verdict = verdictOf(result, integrationId === null ? 'call' : 'integration');
    const isDone = verdict === 'delivered';
    if (this.#abort.signal.aborted && !isDone) return;
    const attempt: Attempt = {
      attemptedAt,
      durationMs: Math.round(performance.now() - startedAt),
      request: 'request' in prepared ? describeTarget(prepared.request) : '',
      status: 'status' in result ? result.status : null,
      // The body of a call may be secret, and a receiver may echo it.
      answer: 'status' in result && integrationId !== null ? result.answer : null,
      error: isDone ? null : describeResult(result),
    };
    const outcome = this.#outcomeOf(delivery, result, verdict);
    const health = await this.#writeResult(outcome.state === 'dead', async (tx) => {
      if (!(await store.saveResult(tx, delivery, outcome))) return undefined;
      await insertAttempt(tx, delivery, attempt);
      if ('saveResult' in prepared) await prepared.saveResult?.(tx, result);
      if (outcome.state !== 'waiting')
        await kind.settled?.(tx, { ...delivery, ...outcome, attempts: delivery.attempts + 1 });
      // The receiver was not asked, so its health is as it was.
      if (integrationId === null || 'told' in prepared) return undefined;
      if (outcome.state === 'dead') await noteDeadLetter(tx, integrationId, outcome.details);
      return noteResult(tx, integrationId, result, { verdict, random: this.#random() });
    });
    this.#options.onAttempt(integrationId === null ? 'call' : 'integration', outcome.state);
    if (health !== undefined) await this.#pauseOrResume(health, isDone);
  }

  /**
   * Writes the result of an attempt. A message that is given up may record an event, so it is a change, not a quiet
   * write.
   */
  #writeResult<T>(records: boolean, change: Change<T>): Promise<T> {
    const { database } = this.#options;
    if (!records) return database.writeQuietly('deliveries', author, change);
    return database.write(author, (tx) => {
      tx.allowNoEvents('deliveries');
      return change(tx);
    });
  }

  #outcomeOf(delivery: Delivery, result: SendResult, verdict: Verdict): store.AttemptResult {
    const common = { status: 'status' in result ? result.status : null, details: describeResult(result) };
    if (verdict === 'delivered') return { ...common, state: 'delivered', failures: 0, nextAttemptAt: null };
    const failures = delivery.failures + 1;
    const retryAfterMs = retryAfterOf(result);
    const nextAttemptAt = this.#options.clock.now() + backOff(failures, this.#random(), retryAfterMs);
    if (verdict !== 'retry' || nextAttemptAt > delivery.expiresAt)
      return { ...common, state: 'dead', failures, nextAttemptAt: null };
    return { ...common, state: 'waiting', failures, nextAttemptAt };
  }

  #random(): number {
    return (this.#options.random ?? Math.random)();
  }

  /** Pauses an integration that keeps failing, and resumes a paused one that received a message. */
  async #pauseOrResume(health: Health, isDelivered: boolean): Promise<void> {
    const { database, clock } = this.#options;
    if (isDelivered && health.pausedAt !== null)
      await database.write(author, async (tx) => void (await resume(tx, health.integrationId)));
    if (!isDelivered && mustPause(health, clock.now()))
      await database.write(author, (tx) => pause(tx, health.integrationId));
  }
}

/** Sends the requests of a message. The last request is sent only when the request before it was accepted. */
async function sendPrepared(
  send: Send,
  { request, before }: Extract<Prepared, { readonly request: Outbound }>,
  signal: AbortSignal,
): Promise<SendResult> {
  const result = before === undefined ? undefined : await send(before, signal);
  return result === undefined || verdictOf(result, 'integration') === 'delivered' ? send(request, signal) : result;
}

/** Refuses a message whose receiver has no URL, such as after "yardarm forget-secrets". The others must not wait. */
function refusedWithoutUrl(prepared: Prepared): Prepared {
  if (!('request' in prepared) || URL.canParse(prepared.request.url)) return prepared;
  return { refused: 'The receiver has no valid URL. Set it again.' };
}

/**
 * Updates the health of an integration. A message that was not sent, or that the receiver refuses, does not count as a
 * failure of the receiver.
 */
async function noteResult(
  tx: Tx,
  integrationId: number,
  result: SendResult,
  { verdict, random }: { readonly verdict: Verdict; readonly random: number },
): Promise<Health | undefined> {
  if (verdict === 'delivered') return noteSuccess(tx, integrationId);
  if (verdict === 'refused') return undefined;
  const retryAfterMs = retryAfterOf(result);
  return noteFailure(tx, integrationId, { error: describeResult(result), random, retryAfterMs });
}

function retryAfterOf(result: SendResult): number | undefined {
  return 'delivered' in result ? undefined : result.retryAfterMs;
}
