import { describe, expect, it } from 'vitest';
import { arrivalTimes } from './arrivals.ts';

function take(count: number, next: () => number): number[] {
  return Array.from({ length: count }, next);
}

describe('arrival times', () => {
  it('are evenly spaced from 0 when constant', () => {
    expect(take(5, arrivalTimes('constant', 250))).toEqual([0, 4, 8, 12, 16]);
  });

  it('do not drift from the rate over a million arrivals', () => {
    expect(take(1_000_001, arrivalTimes('constant', 3000)).at(-1)).toBeCloseTo(1_000_000 / 3, 6);
  });

  it('have the exponential gaps of independent users when poisson', () => {
    let seed = 1;
    // Park and Miller's generator, so that the test is the same each time.
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const times = take(20_000, arrivalTimes('poisson', 100, random));
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeCloseTo(10, 0);
    // An exponential gap exceeds its mean with probability 1/e.
    expect(gaps.filter((gap) => gap > 10).length / gaps.length).toBeCloseTo(1 / Math.E, 1);
  });
});
