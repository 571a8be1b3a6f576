/** What has become of a request that a run asked for. */
export type CallState = 'queued' | 'delivered' | 'failed';

/** How a request that a run asked for stands. */
export interface Call {
  readonly id: number;
  readonly runId: number;
  readonly actionId: number;
  readonly state: CallState;
  readonly attempts: number;
  /** What was answered last; null when nothing was. */
  readonly status: number | null;
  /** What came of the last attempt, in a sentence. */
  readonly details: string | null;
  /** Null when it is settled. */
  readonly nextAttemptAt: number | null;
  readonly settledAt: number | null;
}

/** A request with what it takes to send it. */
export interface DueCall {
  readonly id: number;
  readonly runId: number;
  readonly idempotencyKey: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** So often it was tried before. */
  readonly attempts: number;
  readonly createdAt: number;
}

const minuteMs = 60_000;
/** How long after each failure it is tried again. */
const pausesMs = [1000, 5000, 30_000, 2 * minuteMs, 10 * minuteMs] as const;

/** How long after so many attempts there is another one, in milliseconds; undefined when there is none. */
export function pauseAfter(attempts: number): number | undefined {
  return pausesMs[attempts - 1];
}
