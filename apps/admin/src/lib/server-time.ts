/** The header has whole seconds and answers take time, so smaller differences say nothing. */
const exactMs = 2000;

let aheadMs = 0;

/**
 * Notes the clock of the server from the `Date` header of an answer to a request that was sent at `sentAt`. Ignores
 * answers that took long, which can have been made at any time in between.
 */
export function noteServerTime(dateHeader: string | null, sentAt: number): void {
  const receivedAt = Date.now();
  const at = Date.parse(dateHeader ?? '');
  if (Number.isNaN(at) || receivedAt - sentAt > exactMs) return;
  const difference = at + 500 - (sentAt + receivedAt) / 2;
  aheadMs = Math.abs(difference) < exactMs ? 0 : difference;
}

/**
 * Returns the time of the server in milliseconds UTC: that of this computer, corrected when its clock is wrong.
 * Durations that a person chooses begin then, and ends in answers are compared with it.
 */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
