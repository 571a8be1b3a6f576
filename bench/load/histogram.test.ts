import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyHistogram } from './histogram.ts';

/** Times from nothing to three minutes, spread over all orders of magnitude. */
const latency = fc.oneof(
  fc.double({ min: 0, max: 0.05, noNaN: true }),
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.double({ min: 0, max: 180_000, noNaN: true }),
);
const latencies = fc.array(latency, { minLength: 1, maxLength: 300 });
const fraction = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 0.9, 0.99, 0.999, 1));

function nearestRank(values: readonly number[], wanted: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(wanted * sorted.length)) - 1] ?? 0;
}

function histogramOf(values: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

describe('latency histogram', () => {
  it('answers percentiles that are never below the exact ones and above them by at most 1/128 and 0.2 µs', () => {
    fc.assert(
      fc.property(latencies, fraction, (values, wanted) => {
        const exact = nearestRank(values, wanted);
        const answered = histogramOf(values).percentile(wanted);
        expect(answered).toBeGreaterThanOrEqual(exact);
        expect(answered).toBeLessThanOrEqual(exact * (1 + 1 / 128) + 0.0002);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps count, sum and extremes exactly', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const histogram = histogramOf(values);
        expect(histogram.count).toBe(values.length);
        expect(histogram.minMs).toBe(Math.min(...values));
        expect(histogram.maxMs).toBe(Math.max(...values));
        expect(histogram.summary().mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 6);
      }),
    );
  });

  it('counts the same whether values are recorded together or added from encoded parts', () => {
    fc.assert(
      fc.property(fc.array(latency), fc.array(latency), (left, right) => {
        const added = new LatencyHistogram();
        for (const part of [left, right]) {
          added.add(JSON.parse(JSON.stringify(histogramOf(part).encode())));
        }
        const together = histogramOf([...left, ...right]);
        expect(added.encode().buckets).toEqual(together.encode().buckets);
        const { mean: addedMean, ...addedRest } = added.summary();
        const { mean, ...rest } = together.summary();
        expect(addedRest).toEqual(rest);
        expect(addedMean).toBeCloseTo(mean, 6);
      }),
    );
  });

  it('reports the exact maximum of times beyond its range', () => {
    const histogram = histogramOf([1, 1_000_000]);
    expect(histogram.percentile(1)).toBe(1_000_000);
    expect(histogram.summary().max).toBe(1_000_000);
  });

  it('answers zeros when nothing was recorded', () => {
    expect(new LatencyHistogram().summary()).toEqual({ count: 0, mean: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 });
  });

  it.each([-0.001, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s as a latency', (value) => {
    const histogram = new LatencyHistogram();
    expect(() => histogram.record(value)).toThrow(RangeError);
    expect(histogram.count).toBe(0);
  });
});
