import { arrivalTimes } from './arrivals.ts';
import type { Failure } from './connection.ts';
import { Fleet, type Lane } from './fleet.ts';
import { assertBounded, type LoadResult, type OpenJob } from './job.ts';
import type { Answer } from './response-parser.ts';
import { watchStrain } from './strain.ts';
import { Tally } from './tally.ts';

const defaultDrainMs = 5000;

/**
 * Runs an open loop: requests are due at fixed times, also when the server is slow, and wait in a queue while all
 * connections are busy. Latency counts from the due time, so a stall of the server shows in all requests that fall into
 * it (no coordinated omission). Ends within warm-up, duration and drain time; requests unanswered by then, sent or
 * queued, are errors. Rejects when the server cannot be connected to. Always closes its connections.
 */
export async function runOpenLoop(job: OpenJob): Promise<LoadResult> {
  assertBounded(job);
  return new OpenLoop(job).run();
}

class OpenLoop {
  readonly #job: OpenJob;
  readonly #fleet: Fleet;
  readonly #tally = new Tally();
  readonly #done = Promise.withResolvers<void>();
  readonly #nextArrival: () => number;
  /**
   * A stack of idle connections: the one used last is used next, as in a client's pool, so most are used only in a
   * stall.
   */
  readonly #idle: Lane[];
  #timer: NodeJS.Timeout | undefined;
  #start = 0;
  #measureFrom = 0;
  #end = 0;
  /**
   * When the next unsent request is or was due. No queue is stored: the due times after this one are computed when
   * needed.
   */
  #due = 0;
  #lastAnswerAt = 0;
  #stopped = false;

  constructor(job: OpenJob) {
    this.#job = job;
    this.#fleet = new Fleet(job, (lane, outcome) => this.#settled(lane, outcome));
    this.#idle = [...this.#fleet.lanes].reverse();
    this.#nextArrival = arrivalTimes(job.arrivals, job.ratePerSecond);
  }

  async run(): Promise<LoadResult> {
    const { warmupMs, durationMs, drainMs = defaultDrainMs } = this.#job;
    await this.#fleet.open();
    const strain = watchStrain();
    this.#start = performance.now();
    this.#measureFrom = this.#start + warmupMs;
    this.#end = this.#measureFrom + durationMs;
    const deadline = setTimeout(() => this.#giveUp(), warmupMs + durationMs + drainMs);
    try {
      this.#due = this.#start + this.#nextArrival();
      this.#pump();
      await this.#done.promise;
      return this.#tally.result({
        kind: 'open',
        perSecond: this.#achieved(),
        intendedPerSecond: this.#job.ratePerSecond,
        sent: this.#fleet.sent,
        connects: this.#fleet.connects,
        strain: strain(),
      });
    } finally {
      clearTimeout(deadline);
      clearTimeout(this.#timer);
      this.#fleet.close();
    }
  }

  /**
   * Sends due requests while connections are free. Runs again when the next one is due or a connection is free again.
   */
  #pump(): void {
    clearTimeout(this.#timer);
    if (this.#stopped) return;
    const now = performance.now();
    while (this.#due <= now && this.#due < this.#end) {
      const lane = this.#idle.pop();
      if (lane === undefined) return;
      if (this.#due >= this.#measureFrom) this.#tally.sendDelay.record(now - this.#due);
      this.#fleet.send(lane, this.#due, now);
      this.#due = this.#start + this.#nextArrival();
    }
    if (this.#due < this.#end) {
      this.#timer = setTimeout(() => this.#pump(), this.#due - now);
    } else if (this.#idle.length === this.#fleet.lanes.length) {
      this.#done.resolve();
    }
  }

  #settled(lane: Lane, outcome: Answer | Failure): void {
    const now = performance.now();
    const ms = this.#waited(lane.dueAt, now);
    if (typeof outcome === 'string') {
      this.#tally.failed(outcome, ms);
    } else {
      this.#tally.answered(outcome, ms);
      this.#lastAnswerAt = now;
    }
    this.#idle.push(lane);
    this.#pump();
  }

  #giveUp(): void {
    this.#stopped = true;
    this.#fleet.abort('unanswered');
    const now = performance.now();
    for (; this.#due < this.#end; this.#due = this.#start + this.#nextArrival()) {
      this.#tally.failed('unanswered', this.#waited(this.#due, now));
    }
    this.#done.resolve();
  }

  /** Returns how long a request with this due time has waited; undefined for a request of the warm-up. */
  #waited(dueAt: number, now: number): number | undefined {
    return dueAt >= this.#measureFrom ? now - dueAt : undefined;
  }

  #achieved(): number {
    const { answers } = this.#tally;
    return answers === 0 ? 0 : (answers * 1000) / (Math.max(this.#lastAnswerAt, this.#end) - this.#measureFrom);
  }
}
