/** The state of a call in the outbox. */
export type CallState = 'queued' | 'delivered' | 'failed';

/** A call in the outbox, without the request itself. */
export interface Call {
  readonly id: number;
  readonly runId: number;
  readonly actionId: number;
  readonly state: CallState;
  readonly attempts: number;
  /** The status of the last answer; null when there was none. */
  readonly status: number | null;
  /** The result of the last attempt, in a sentence. */
  readonly details: string | null;
  /** Null when the call is delivered or failed. */
  readonly nextAttemptAt: number | null;
  readonly settledAt: number | null;
}

/** A call that is due, with the request. */
export interface DueCall {
  readonly id: number;
  readonly runId: number;
  readonly idempotencyKey: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The number of earlier attempts. */
  readonly attempts: number;
  readonly createdAt: number;
}

const minuteMs = 60_000;
/** The retry back-off: the delay after each failed attempt. */
const retryDelaysMs = [1000, 5000, 30_000, 2 * minuteMs, 10 * minuteMs] as const;

/** Returns the delay in milliseconds before the next attempt; undefined when there is no further attempt. */
export function retryDelayMs(attempts: number): number | undefined {
  return retryDelaysMs[attempts - 1];
}
