/** The only source of time. Tests hand in one they can move. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
  /** Milliseconds since some moment, by a clock that only runs on: for waits and limits, which must not end early or late when the time is set. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** ISO 8601 UTC with milliseconds, the form of every date in an answer (docs/spec#http-rules). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** {@link isoTime} for a time that may be absent. */
export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
