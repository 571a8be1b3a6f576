import type { Failure } from './connection.ts';
import { LatencyHistogram } from './histogram.ts';
import type { LoadJob, LoadResult } from './job.ts';
import type { Answer } from './response-parser.ts';
import type { Strain } from './strain.ts';

/** Facts of a run that only the loop knows. */
export interface RunFacts {
  readonly kind: LoadJob['kind'];
  readonly perSecond: number;
  readonly intendedPerSecond: number;
  readonly sent: number;
  readonly connects: number;
  readonly strain: Strain;
}

/** Counts the outcomes of the requests of one run. */
export class Tally {
  readonly latency = new LatencyHistogram();
  readonly sendDelay = new LatencyHistogram();
  #answers = 0;
  #bodyBytes = 0;
  readonly #statuses = new Map<number, number>();
  readonly #allStatuses = new Map<number, number>();
  readonly #errors = new Map<Failure, number>();
  readonly #allErrors = new Map<Failure, number>();

  get answers(): number {
    return this.#answers;
  }

  /** Counts an answer. `ms` is the latency of the request, or undefined for a request of the warm-up. */
  answered(answer: Answer, ms: number | undefined): void {
    increment(this.#allStatuses, answer.status);
    if (ms === undefined) return;
    increment(this.#statuses, answer.status);
    this.#answers += 1;
    this.#bodyBytes += answer.bodyBytes;
    this.latency.record(ms);
  }

  /** Counts a failure. `waitedMs` is how long the request has waited, or undefined for a request of the warm-up. */
  failed(failure: Failure, waitedMs: number | undefined): void {
    increment(this.#allErrors, failure);
    if (waitedMs === undefined) return;
    increment(this.#errors, failure);
    // Without these two, a stalled server would look fast. Other failures, such as a refused connection, measure no
    // latency.
    if (failure === 'timeout' || failure === 'unanswered') this.latency.record(waitedMs);
  }

  result({ sent, ...facts }: RunFacts): LoadResult {
    return {
      ...facts,
      answers: this.#answers,
      statuses: toObject(this.#statuses),
      errors: toObject(this.#errors),
      bodyBytes: this.#bodyBytes,
      latency: this.latency.summary(),
      histogram: this.latency.encode(),
      sendDelay: this.sendDelay.summary(),
      total: {
        sent,
        answers: [...this.#allStatuses.values()].reduce((sum, count) => sum + count, 0),
        statuses: toObject(this.#allStatuses),
        errors: toObject(this.#allErrors),
      },
    };
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function toObject(counts: ReadonlyMap<string | number, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
