import { Problem } from '#kernel/errors.ts';
import { Loop } from '#kernel/loop.ts';

export interface WriteBehindOptions<Batch> {
  /** The time between the first change of a batch and its write, in milliseconds. */
  readonly delayMs: number | (() => number);
  /** Returns the pending batch and clears it; undefined when nothing is pending. */
  take(): Batch | undefined;
  write(batch: Batch): Promise<void>;
  /** Adds a batch whose write failed to the pending batch again. */
  giveBack(batch: Batch): void;
  onError(error: unknown): void;
}

const slowestRetryMs = 60_000;

/**
 * Write-behind: collects changes in memory and writes them later in batches, so that no request waits for the database.
 * There is no timer while nothing is pending. While the database is down, a batch is retried with back-off. A batch
 * that fails for another reason would always fail: it is reported and dropped.
 */
export class WriteBehind<Batch> {
  readonly #options: WriteBehindOptions<Batch>;
  readonly #loop: Loop;
  #failures = 0;

  constructor(options: WriteBehindOptions<Batch>) {
    this.#options = options;
    this.#loop = new Loop({ round: () => this.#write(), onError: options.onError });
    this.#loop.start();
  }

  /** Starts the timer after a change was recorded. Cheap when the timer is running. */
  wake(): void {
    if (this.#loop.isWaiting) return;
    const { delayMs } = this.#options;
    const shortest = typeof delayMs === 'number' ? delayMs : delayMs();
    this.#loop.wake(Math.min(shortest * 2 ** this.#failures, Math.max(slowestRetryMs, shortest)));
  }

  /** Writes the pending batch now, after the batch in progress. Never rejects: errors go to `onError`. */
  flush(): Promise<void> {
    return this.#loop.run();
  }

  /** Writes the pending batch and stops: no further timer is set. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#write().catch(this.#options.onError);
  }

  async #write(): Promise<void> {
    const batch = this.#options.take();
    if (batch === undefined) return;
    try {
      await this.#options.write(batch);
      this.#failures = 0;
    } catch (error) {
      if (error instanceof Problem && error.name === 'ServiceUnavailableError') {
        this.#failures++;
        this.#options.giveBack(batch);
        this.wake();
      }
      throw error;
    }
  }
}
