/**
 * Returns a function that returns the next due time at each call, in milliseconds from the start of the run, never
 * decreasing. `constant` spaces requests evenly, the first at 0; `poisson` spaces them at random, like requests of
 * independent users. `random` returns numbers in [0, 1).
 */
export function arrivalTimes(
  arrivals: 'constant' | 'poisson',
  ratePerSecond: number,
  random: () => number = Math.random,
): () => number {
  const meanGapMs = 1000 / ratePerSecond;
  if (arrivals === 'constant') {
    let arrival = 0;
    // Multiplied, not added up: rounding errors of a million additions would shift the rate.
    return () => meanGapMs * arrival++;
  }
  let dueMs = 0;
  return () => {
    dueMs -= Math.log(1 - random()) * meanGapMs;
    return dueMs;
  };
}
