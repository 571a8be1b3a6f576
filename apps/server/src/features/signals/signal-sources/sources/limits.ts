/** The limits that a sender needs when the owner of an endpoint sets none. Absent ones are as the settings say. */
export interface NeededLimits {
  /** Signals above the rate within ten seconds. */
  readonly burst: number;
  /** The greatest number of alerts in a signal that actions run for. */
  readonly maxElements?: number;
  readonly maxBodyBytes?: number;
}

/**
 * The limits of senders of alerts. All alerts of an outage begin within seconds, in requests of their own or in one,
 * and many senders take the answers 413 and 429 as final, so that an alert that is refused is lost: an Alertmanager
 * that sent 100 groups at once lost some of them with a burst of 60. A signal with 1,000 alerts that match keeps the
 * runner busy for seconds, which is better than alerts without effect; `maxElements` of the endpoint lowers it.
 */
export const alertLimits = {
  burst: 1000,
  maxElements: 1000,
  maxBodyBytes: 1024 * 1024,
} as const satisfies NeededLimits;
