/** Why a statement of a search did not run: its search was stopped while the statement waited for its turn. */
export class SearchStopped extends Error {}

interface Waiting {
  readonly turn: SearchTurn;
  readonly start: () => void;
}

/**
 * Schedules the statements of searches: at most `atOnce` run, and of those that wait the next is that of the search which
 * has used the least time. A short search therefore waits for the statement that is running, not for the long searches
 * that came before it.
 */
export class SearchTurns {
  readonly #atOnce: number;
  readonly #waiting: Waiting[] = [];
  #running = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Begins a search. When `stop` aborts, its waiting statements reject with {@link SearchStopped} and never run. */
  begin(stop?: AbortSignal): SearchTurn {
    return new SearchTurn((turn, work) => this.#run(turn, work, stop));
  }

  async #run<T>(turn: SearchTurn, work: () => Promise<T>, stop: AbortSignal | undefined): Promise<T> {
    if (stop?.aborted === true) throw new SearchStopped('the search was stopped');
    if (this.#running < this.#atOnce) this.#running++;
    else await this.#wait(turn, stop);
    const started = performance.now();
    try {
      return await work();
    } finally {
      turn.add(performance.now() - started);
      this.#next();
    }
  }

  #wait(turn: SearchTurn, stop: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        turn,
        start: () => {
          stop?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new SearchStopped('the search was stopped'));
      };
      stop?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#running--;
      return;
    }
    const least = this.#waiting.reduce((best, one) => (one.turn.usedMs < best.turn.usedMs ? one : best));
    this.#waiting.splice(this.#waiting.indexOf(least), 1);
    least.start();
  }
}

type Run = <T>(turn: SearchTurn, work: () => Promise<T>) => Promise<T>;

/** The statements of one search. */
export class SearchTurn {
  readonly #run: Run;
  #usedMs = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Milliseconds that its statements ran, without those that they waited. */
  get usedMs(): number {
    return this.#usedMs;
  }

  add(ms: number): void {
    this.#usedMs += ms;
  }

  /** Runs `work` when it is this search's turn. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(this, work);
  }
}
