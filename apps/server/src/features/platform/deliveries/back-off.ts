const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** The delay after each failed attempt, like the table of Standard Webhooks; the last delay is repeated. */
const delaysMs = [
  5 * secondMs,
  15 * secondMs,
  minuteMs,
  3 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  60 * minuteMs,
] as const;
const longestMs = 60 * minuteMs;
/** The part of a delay that is random, so that receivers are not called by all processes at once. */
const jitter = 0.2;

/**
 * Returns the delay in milliseconds after a number of failed attempts: a table with jitter of 20 %, and at least the
 * time that the receiver asked for, up to an hour. `random` is between 0 and 1.
 */
export function backOff(failures: number, random: number, retryAfterMs = 0): number {
  const delay = delaysMs[failures - 1] ?? longestMs;
  return Math.max(Math.round(delay * (1 - jitter * random)), Math.min(retryAfterMs, longestMs));
}
