import { setTimeout as wait } from 'node:timers/promises';

export interface LoopOptions<Result> {
  /** Does the work that is due. Calls are never concurrent. A rejection goes to `onError`. */
  round(): Promise<Result>;
  onError(error: unknown): void;
  /** The longest time from a round to the next, in milliseconds. Without it, rounds run only when woken. */
  readonly everyMs?: number;
  /** The time from the start to the first round, in milliseconds. Default: `everyMs`. */
  readonly firstMs?: number;
  /** The back-off: the time from a failed round to the next, in milliseconds. Default: `everyMs`. */
  readonly retryMs?: number | (() => number);
}

/**
 * A background loop: runs rounds of work one at a time, when woken, at a time, periodically, and again after a failure.
 * Wake-ups during a round are coalesced into one more round. A loop forgets its wake-ups when the process ends: work
 * that must survive a restart is a row, in `jobs` or in a table that the first round reads.
 */
export class Loop<Result = void> {
  readonly #options: LoopOptions<Result>;
  readonly #stop = new AbortController();
  #isStarted = false;
  /** The last of the rounds that run or are requested. */
  #last: Promise<Result | undefined> = Promise.resolve(undefined);
  /** Whether a wake-up has requested a round that has not begun. */
  #isWoken = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends, by `performance.now()`. */
  #timerEnds = Number.POSITIVE_INFINITY;

  constructor(options: LoopOptions<Result>) {
    this.#options = options;
  }

  /** Aborts when the loop stops, so that a long round can end early. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whether a round waits for its time. */
  get isWaiting(): boolean {
    return this.#timerEnds !== Number.POSITIVE_INFINITY;
  }

  /** Obeys wake-ups from now on, and requests the first round. */
  start(): void {
    this.#isStarted = true;
    const { everyMs, firstMs = everyMs } = this.#options;
    if (firstMs !== undefined) this.wake(firstMs);
  }

  /** Requests a round in at most `ms`, after the round that runs. Does nothing before the start and after the stop. */
  wake(ms = 0): void {
    if (!this.#isStarted || this.stopping.aborted) return;
    if (ms <= 0) {
      if (!this.#isWoken) void this.run();
      this.#isWoken = true;
      return;
    }
    const ends = performance.now() + ms;
    if (ends >= this.#timerEnds) return;
    this.#clearTimer();
    this.#timerEnds = ends;
    this.#timer = setTimeout(() => {
      this.#clearTimer();
      this.wake();
    }, ms);
  }

  /**
   * Runs a round after those that run or are requested, and resolves with its result; undefined when it failed or the
   * loop has stopped. Also runs before the start, for tests and commands.
   */
  run(): Promise<Result | undefined> {
    this.#last = this.#last.then(() => this.#round());
    return this.#last;
  }

  /** Resolves when no round runs or is requested. Rounds that wait for their time may be left. */
  async settle(): Promise<void> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  /** Finishes the round that runs and starts no more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#clearTimer();
    await this.settle();
  }

  async #round(): Promise<Result | undefined> {
    this.#isWoken = false;
    if (this.stopping.aborted) return undefined;
    this.#clearTimer();
    const { round, onError, everyMs, retryMs = everyMs } = this.#options;
    try {
      const result = await round();
      if (everyMs !== undefined) this.wake(everyMs);
      return result;
    } catch (error) {
      onError(error);
      if (retryMs !== undefined) this.wake(typeof retryMs === 'number' ? retryMs : retryMs());
      return undefined;
    }
  }

  #clearTimer(): void {
    clearTimeout(this.#timer);
    this.#timerEnds = Number.POSITIVE_INFINITY;
  }
}

/** Resolves after `ms`, or as soon as `stopping` aborts. */
export async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal: stopping }).catch(() => undefined);
}
