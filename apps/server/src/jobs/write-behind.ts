import { Problem } from '../kernel/errors.ts';

export interface WriteBehindOptions<Batch> {
  /** How long what was noted may wait before it is written, in milliseconds. */
  readonly delayMs: number;
  /** Hands out what waits, leaving nothing; undefined when nothing does. */
  take(): Batch | undefined;
  write(batch: Batch): Promise<void>;
  /** Puts a batch back that the database could not take now, beside what has come since. */
  giveBack(batch: Batch): void;
  onError(error: unknown): void;
}

const slowestRetryMs = 60_000;

/**
 * Writes what requests note in memory some time later, in batches, so that no request waits for the database.
 * While nothing waits there is no timer. While the database is away a batch is kept and tried again, ever more
 * slowly; one that fails for any other reason would fail for ever, and is reported and left.
 */
export class WriteBehind<Batch> {
  readonly #options: WriteBehindOptions<Batch>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;
  #stopped = false;

  constructor(options: WriteBehindOptions<Batch>) {
    this.#options = options;
  }

  /** Says that something waits. Costs next to nothing when that is known. */
  wake(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    const delay = Math.min(
      this.#options.delayMs * 2 ** this.#failures,
      Math.max(slowestRetryMs, this.#options.delayMs),
    );
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, delay);
  }

  /** Writes what waits now, after what is being written. Never rejects: failures are reported. */
  flush(): Promise<void> {
    this.#running = this.#running.then(() => this.#write());
    return this.#running;
  }

  /** Writes what waits a last time and sets no timer any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.flush();
  }

  async #write(): Promise<void> {
    const batch = this.#options.take();
    if (batch === undefined) return;
    try {
      await this.#options.write(batch);
      this.#failures = 0;
    } catch (error) {
      this.#options.onError(error);
      if (!(error instanceof Problem && error.name === 'ServiceUnavailableError')) return;
      this.#failures++;
      this.#options.giveBack(batch);
      this.wake();
    }
  }
}
