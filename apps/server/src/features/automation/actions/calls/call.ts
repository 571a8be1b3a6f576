import type { DeliveryState } from '#features/platform/deliveries/index.ts';

/** The state of a call, by the state of its delivery. */
export type CallState = 'queued' | 'delivered' | 'failed';

export const callStates: Readonly<Record<DeliveryState, CallState>> = {
  waiting: 'queued',
  delivered: 'delivered',
  dead: 'failed',
};

/** A call with its state, without the request itself. */
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
