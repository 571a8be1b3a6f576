/** A statement of a search was not run, or was cancelled, because its search was stopped or exceeded its time limit. */
export class SearchStopped extends Error {}

interface Queued {
  readonly search: ScheduledSearch;
  /** When the statement was queued, by `performance.now()`. */
  readonly since: number;
  readonly start: () => void;
}

/**
 * A statement that has waited longer than this runs next, so that a stream of short searches cannot block a long one.
 */
const longestWaitMs = 100;

/**
 * Schedules the statements of searches fairly: at most `maxRunning` run at a time, and the next statement is that of
 * the search that has used the least time, unless one has waited too long. A short search waits for the running
 * statement, not for earlier long searches.
 */
export class SearchScheduler {
  readonly #maxRunning: number;
  readonly #queue: Queued[] = [];
  #running = 0;

  constructor(maxRunning: number) {
    this.#maxRunning = maxRunning;
  }

  /** Begins a search. When `stop` aborts, its queued statements reject with {@link SearchStopped} and do not run. */
  begin(stop?: AbortSignal): ScheduledSearch {
    return new ScheduledSearch((search, work) => this.#run(search, work, stop));
  }

  async #run<T>(search: ScheduledSearch, work: () => Promise<T>, stop: AbortSignal | undefined): Promise<T> {
    if (stop?.aborted === true) throw new SearchStopped('the search was stopped');
    if (this.#running < this.#maxRunning) this.#running++;
    else await this.#wait(search, stop);
    const started = performance.now();
    try {
      return await work();
    } finally {
      search.add(performance.now() - started);
      this.#next();
    }
  }

  #wait(search: ScheduledSearch, stop: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const queued: Queued = {
        search,
        since: performance.now(),
        start: () => {
          stop?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(queued), 1);
        reject(new SearchStopped('the search was stopped'));
      };
      stop?.addEventListener('abort', leave, { once: true });
      this.#queue.push(queued);
    });
  }

  #next(): void {
    const [oldest] = this.#queue;
    if (oldest === undefined) {
      this.#running--;
      return;
    }
    const overdue = performance.now() - oldest.since > longestWaitMs;
    const next = overdue
      ? oldest
      : this.#queue.reduce((best, each) => (each.search.usedMs < best.search.usedMs ? each : best));
    this.#queue.splice(this.#queue.indexOf(next), 1);
    next.start();
  }
}

type Run = <T>(search: ScheduledSearch, work: () => Promise<T>) => Promise<T>;

/** One search and its running time. */
export class ScheduledSearch {
  readonly #run: Run;
  #usedMs = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** The running time of its statements in milliseconds, without queueing time. */
  get usedMs(): number {
    return this.#usedMs;
  }

  add(ms: number): void {
    this.#usedMs += ms;
  }

  /** Runs `work` when the scheduler selects this search. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(this, work);
  }
}
