import type { EncodedHistogram, LatencySummary } from './histogram.ts';
import type { RequestTemplate } from './request.ts';
import type { Strain } from './strain.ts';

interface CommonJob {
  /** The server that requests are sent to: `http://host:port`. */
  readonly origin: string;
  /** Each connection sends these in turn, over and over. */
  readonly requests: readonly RequestTemplate[];
  readonly connections: number;
  /** Requests due in the warm-up are sent but not counted. */
  readonly warmupMs: number;
  readonly durationMs: number;
  /** A request unanswered for so long after it was sent fails with `timeout`; default 10,000. */
  readonly timeoutMs?: number;
}

/** Each connection sends its next request when the last answer has arrived: what can the server do at most? */
export interface ClosedJob extends CommonJob {
  readonly kind: 'closed';
  /** Stop after so many requests, warm-up included, if that comes before the time is up. */
  readonly maxRequests?: number;
}

/** Requests are due at given times, also when the server is slow: measures how long users wait. */
export interface OpenJob extends CommonJob {
  readonly kind: 'open';
  readonly ratePerSecond: number;
  readonly arrivals: 'constant' | 'poisson';
  /** How long to wait for answers after the last request was due; default 5,000. */
  readonly drainMs?: number;
}

export type LoadJob = ClosedJob | OpenJob;

/**
 * The result of a load run. Counts and latencies are of the requests due after the warm-up, unless stated otherwise.
 */
export interface LoadResult {
  readonly kind: LoadJob['kind'];
  /**
   * Answers per second. Closed: those within the measured time, which lasts until the first answer at least. Open: all,
   * up to the last answer.
   */
  readonly perSecond: number;
  /** The rate that an open loop was to send at; 0 for a closed one. */
  readonly intendedPerSecond: number;
  /** Answers, of any status. */
  readonly answers: number;
  /** Answers by status code. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Requests without an answer, by reason. */
  readonly errors: Readonly<Record<string, number>>;
  readonly bodyBytes: number;
  /**
   * Closed loop: from sending to the answer. Open loop: from the due time. Requests that timed out or were unanswered
   * at the end count with their waiting time so far, which understates them; other errors are left out.
   */
  readonly latency: LatencySummary;
  readonly histogram: EncodedHistogram;
  /**
   * Open loop: from when a request was due to when it was sent. Up to about 1 ms is the timer's; more means that all
   * connections were waiting for the server. Part of `latency`.
   */
  readonly sendDelay: LatencySummary;
  readonly total: LoadTotal;
  readonly connects: number;
  readonly strain: Strain;
}

/** Counts of the whole run, warm-up included. */
export interface LoadTotal {
  readonly sent: number;
  readonly answers: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly errors: Readonly<Record<string, number>>;
}

const limits = { connections: 4096, ms: 3_600_000, requests: 20_000_000 };

/** Throws RangeError for a job without requests, or whose time or number of requests exceeds the limits. */
export function assertBounded(job: LoadJob): void {
  const within = (name: string, value: number, least: number, most: number) => {
    if (!(value >= least && value <= most)) throw new RangeError(`${name} must be ${least} to ${most}, not ${value}`);
  };
  if (job.requests.length === 0) throw new RangeError('A job needs at least one request');
  within('connections', job.connections, 1, limits.connections);
  within('durationMs', job.durationMs, 1, limits.ms);
  within('warmupMs', job.warmupMs, 0, limits.ms);
  within('timeoutMs', job.timeoutMs ?? 1, 1, limits.ms);
  if (job.kind === 'closed') {
    within('maxRequests', job.maxRequests ?? 1, 1, limits.requests);
  } else {
    within('ratePerSecond', job.ratePerSecond, 0.1, 1_000_000);
    within('drainMs', job.drainMs ?? 0, 0, limits.ms);
    within('requests due', (job.ratePerSecond * (job.warmupMs + job.durationMs)) / 1000, 0, limits.requests);
  }
}
