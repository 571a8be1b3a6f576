/** The only source of time. Tests pass a clock that they can advance. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number;
  /**
   * Milliseconds of a monotonic clock, for timeouts and limits: changes of the system time do not affect it. A limit in
   * system time lasts up to a window longer when the time is set back, and ends at once when it is set forward.
   */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** Returns a time as ISO 8601 UTC with milliseconds, the format of every date in an answer (docs/spec#http-rules). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns {@link isoTime} of a time, or null. */
export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

/**
 * Returns a time for a sentence, such as `2026-11-25 03:04 UTC`: the format of reasons, messages and titles. Times that
 * are seconds away need `seconds`.
 */
export function timeText(ms: number, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return `${isoTime(ms)
    .slice(0, precision === 'minutes' ? 16 : 19)
    .replace('T', ' ')} UTC`;
}
