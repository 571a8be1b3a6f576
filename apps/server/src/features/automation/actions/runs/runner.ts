import { touches } from '#features/platform/event-effects/index.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Clock } from '#kernel/clock.ts';
import { Loop } from '#kernel/loop.ts';
import type { Database } from '#storage/database.ts';
import { ReadThroughCache } from '#storage/read-through-cache.ts';
import type { RunContext } from './acting/run-actions.ts';
import { type HandledBatch, handlePendingSignals } from './handle-signals.ts';
import { matchProbe } from './match-probe.ts';
import { endpointsWithEnabledSets, endpointsWithPendingSignals } from './signal-cursor.ts';

const author: Author = { actor: systemActor, cause: {} };
/** The delay before a retry after an error. */
const retryMs = 1000;
/** The poll interval, which finds signals of a process that crashed before it handled them. */
const pollMs = 2000;

export interface RunnerOptions extends RunContext {
  readonly database: Database;
  readonly clock: Clock;
  /** Called with the seconds between a signal and the commit of its changes. */
  readonly onChanged: (seconds: number) => void;
  /** Called when signals have been handled: there may be new runs. */
  readonly onHandled: () => void;
}

/**
 * Runs action sets on new signals. The process that stores a signal wakes the runner; the cursor is stored in the
 * database, so a lost wake-up only causes delay.
 */
export class Runner {
  readonly #options: RunnerOptions;
  /** Endpoints with enabled action sets; signals of other endpoints are skipped. */
  readonly #endpointsWithSets: ReadThroughCache<ReadonlySet<number>>;
  /** Endpoints that are being handled, and those of them that received more signals meanwhile. */
  readonly #working = new Map<number, Promise<void>>();
  readonly #wokenMeanwhile = new Set<number>();
  /**
   * The error of each endpoint whose signals could not be handled. Removed when they were handled or none is pending.
   */
  readonly #failing = new Map<number, unknown>();
  /** Finds the endpoints with pending signals. */
  readonly #scans: Loop;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { db, feed } = options.database;
    this.#endpointsWithSets = new ReadThroughCache(
      feed,
      (event) => touches(event, 'action-sets'),
      async () => new Set(await endpointsWithEnabledSets(db)),
      1,
    );
    this.#scans = new Loop({
      round: () => this.#scan(),
      onError: options.onError,
      firstMs: 0,
      retryMs,
      // With SQLite no other process can leave signals behind.
      ...(options.database.engine === 'postgres' ? { everyMs: pollMs } : {}),
    });
  }

  /** Starts the runner, beginning with signals that an earlier process left. */
  start(): void {
    this.#options.database.feed.subscribe({
      events: (events) => {
        // A signal may have arrived before this process learned of the action set for it.
        if (events.some((event) => touches(event, 'action-sets'))) this.#scans.wake();
      },
      // Signals may be waiting again.
      reset: () => this.#scans.wake(),
    });
    this.#scans.start();
  }

  /** Handles new signals of these endpoints. Cheap for endpoints without enabled action sets. */
  wake(endpointIds: readonly number[]): void {
    const endpoints = this.#endpointsWithSets.peek('');
    if (endpoints === undefined) this.#scans.wake();
    else for (const id of endpointIds) if (endpoints.has(id)) this.#startHandling(id);
  }

  /** Handles all pending signals, and resolves when none is left. */
  idle(): Promise<void> {
    this.#scans.wake();
    return this.settled();
  }

  /** Resolves when the current work has ended. Starts no scan, so that tests notice a missing wake-up. */
  async settled(): Promise<void> {
    do {
      await this.#scans.settle();
      await Promise.all(this.#working.values());
    } while (this.#working.size > 0);
  }

  /**
   * Matches the payload of a loop probe in the same way as new signals, and resolves with the reason why actions are
   * halted now, if any. Waits for a scan that is running. Rejects while signals of an endpoint cannot be handled.
   */
  async probe(payload: unknown): Promise<string | undefined> {
    await this.#scans.settle();
    await this.#endpointsWithSets.get('');
    const [failing] = this.#failing;
    if (failing !== undefined)
      throw new Error(`signals of the endpoint ${failing[0]} cannot be handled`, { cause: failing[1] });
    return this.#options.database.write(author, (tx) => matchProbe(tx, payload));
  }

  /** Finishes the current work and starts no more. */
  async stop(): Promise<void> {
    await this.#scans.stop();
    await Promise.all(this.#working.values());
  }

  async #scan(): Promise<void> {
    await this.#endpointsWithSets.get('');
    const pending = new Set(await endpointsWithPendingSignals(this.#options.database.db));
    for (const id of this.#failing.keys()) if (!pending.has(id)) this.#failing.delete(id);
    for (const id of pending) this.#startHandling(id);
  }

  #startHandling(endpointId: number): void {
    if (this.#scans.stopping.aborted) return;
    if (this.#working.has(endpointId)) {
      this.#wokenMeanwhile.add(endpointId);
      return;
    }
    const work = this.#handleAll(endpointId)
      .then(
        () => void this.#failing.delete(endpointId),
        (error: unknown) => {
          this.#failing.set(endpointId, error);
          // The signals stay pending.
          this.#options.onError(error);
          this.#scans.wake(retryMs);
        },
      )
      .finally(() => {
        this.#working.delete(endpointId);
        if (this.#wokenMeanwhile.delete(endpointId)) this.#startHandling(endpointId);
      });
    this.#working.set(endpointId, work);
  }

  async #handleAll(endpointId: number): Promise<void> {
    const { database, clock, onChanged, onHandled } = this.#options;
    let more = true;
    let begun: HandledBatch['begun'];
    while (more && !this.#scans.stopping.aborted) {
      this.#wokenMeanwhile.delete(endpointId);
      const handled = await database.write(author, (tx) => handlePendingSignals(tx, this.#options, endpointId, begun));
      onHandled();
      for (const at of handled.changedBySignalsOf) onChanged(Math.max(0, clock.now() - at) / 1000);
      ({ more, begun } = handled);
    }
  }
}
