import type { Failure } from './connection.ts';
import { Fleet, type Lane } from './fleet.ts';
import { assertBounded, type ClosedJob, type LoadResult } from './job.ts';
import type { Answer } from './response-parser.ts';
import { type Strain, watchStrain } from './strain.ts';
import { Tally } from './tally.ts';

/** The pause after a failed request: without it, this process would retry a refusing server as fast as it can. */
const pauseAfterFailureMs = 20;

/**
 * Runs a closed loop: each connection sends its next request when the last answer has arrived. Ends within warm-up,
 * duration and one time-out. Rejects when the server cannot be connected to. Always closes its connections.
 */
export async function runClosedLoop(job: ClosedJob): Promise<LoadResult> {
  assertBounded(job);
  return new ClosedLoop(job).run();
}

class ClosedLoop {
  readonly #job: ClosedJob;
  readonly #fleet: Fleet;
  readonly #tally = new Tally();
  readonly #done = Promise.withResolvers<void>();
  #measureFrom = 0;
  #end = 0;
  #active = 0;
  #answersInTime = 0;

  constructor(job: ClosedJob) {
    this.#job = job;
    this.#fleet = new Fleet(job, (lane, outcome) => this.#settled(lane, outcome));
  }

  async run(): Promise<LoadResult> {
    const { warmupMs, durationMs } = this.#job;
    await this.#fleet.open();
    const strain = watchStrain();
    this.#measureFrom = performance.now() + warmupMs;
    this.#end = this.#measureFrom + durationMs;
    this.#active = this.#fleet.lanes.length;
    try {
      for (const lane of this.#fleet.lanes) this.#next(lane, performance.now());
      await this.#done.promise;
      return this.#result(strain());
    } finally {
      this.#fleet.close();
    }
  }

  #next(lane: Lane, now: number): void {
    if (now < this.#end && this.#fleet.sent < (this.#job.maxRequests ?? Number.POSITIVE_INFINITY)) {
      this.#fleet.send(lane, now, now);
      return;
    }
    this.#active -= 1;
    if (this.#active === 0) this.#done.resolve();
  }

  #settled(lane: Lane, outcome: Answer | Failure): void {
    const now = performance.now();
    const ms = lane.sentAt >= this.#measureFrom ? now - lane.sentAt : undefined;
    if (typeof outcome === 'string') {
      this.#tally.failed(outcome, ms);
      setTimeout(() => this.#next(lane, performance.now()), pauseAfterFailureMs);
      return;
    }
    this.#tally.answered(outcome, ms);
    if (now >= this.#measureFrom && this.#answersInTime === 0) this.#end = Math.max(this.#end, now);
    if (now >= this.#measureFrom && now <= this.#end) this.#answersInTime += 1;
    this.#next(lane, now);
  }

  #result(strain: Strain): LoadResult {
    const measuredMs = Math.min(this.#end, performance.now()) - this.#measureFrom;
    return this.#tally.result({
      kind: 'closed',
      perSecond: measuredMs > 0 ? (this.#answersInTime * 1000) / measuredMs : 0,
      intendedPerSecond: 0,
      sent: this.#fleet.sent,
      connects: this.#fleet.connects,
      strain,
    });
  }
}
