import { describe, expect, it } from 'vitest';
import { curveOf, joined, overShortGaps, type Steps, stepsOf, type WatchedQuery } from './metric-curve.ts';
import { rangesFor, watchedIn } from './watched.ts';

const query: WatchedQuery = {
  metricName: 'unleash_counter_errors',
  timeRange: 'hour',
  aggregationMode: 'count',
  labelSelectors: {},
  minutes: 2,
};

/** Returns steps from time 0 on with these values; undefined means a step without samples. */
function steps(step: number, ...values: (number | undefined)[]): Steps {
  const points = values.flatMap((value, index) => (value === undefined ? [] : [[index * step, value] as const]));
  return { start: 0, end: values.length * step, step, points };
}

const points = (...given: [number, number | null][]) => given.map(([at, value]) => ({ at, value }));
const valuesOf = (...given: Parameters<typeof curveOf>) => curveOf(...given).map(({ value }) => value);

describe('the curve of a metric', () => {
  it('adds counts up over the time of the query, which is at the end of a step', () => {
    expect(curveOf(query, steps(60, 1, 2, 3))).toEqual([
      { at: 60_000, value: null },
      { at: 120_000, value: 3 },
      { at: 180_000, value: 5 },
    ]);
  });

  it('counts a step without samples as 0, and has no value without any', () => {
    expect(valuesOf(query, steps(60, 4, undefined, undefined, 1))).toEqual([null, 4, null, 1]);
  });

  it('scales counts of longer steps to the time of the query', () => {
    expect(valuesOf({ ...query, minutes: 5 }, steps(900, 30, 60))).toEqual([10, 20]);
    expect(valuesOf({ ...query, minutes: 30 }, steps(900, 30, 60))).toEqual([null, 90]);
  });

  it('scales the last step when it is not over', () => {
    expect(valuesOf({ ...query, minutes: 5 }, { ...steps(900, 30, 10), end: 1200 })).toEqual([10, 10]);
  });

  it('averages rates over the time of the query', () => {
    expect(valuesOf({ ...query, aggregationMode: 'rps' }, steps(60, 1, 3, undefined))).toEqual([null, 2, 1.5]);
  });

  it.each([
    { ...query, aggregationMode: 'p95' },
    { ...query, aggregationMode: 'sum', metricName: 'unleash_gauge_queue' },
  ] as const)('has averages, percentiles and gauges as they are', (plain) => {
    expect(valuesOf(plain, steps(60, 1, undefined, 3))).toEqual([1, null, 3]);
  });

  it('reads the whole time range without minutes', () => {
    const { minutes: _, ...hourly } = query;
    expect(valuesOf(hourly, steps(900, 1, 2, 3, 4, 5))).toEqual([null, null, null, 10, 14]);
  });

  it('is divided by another metric, and has no value where that is 0 or missing', () => {
    const dividedBy = { metricName: 'unleash_counter_requests', labelSelectors: {} };
    const divided = { ...query, minutes: 1, dividedBy };
    expect(valuesOf(divided, steps(60, 1, 2, 3), steps(60, 4, 0, undefined))).toEqual([0.25, null, null]);
  });

  it('goes on with finer values where there are some', () => {
    const [coarse, fine] = [points([10, 1], [20, 2], [30, 3]), points([16, null], [18, 5], [19, null], [20, 6])];
    expect(joined(coarse, fine)).toEqual(points([10, 1], [18, 5], [19, null], [20, 6]));
    expect(joined(coarse, points([18, null]))).toEqual(coarse);
  });

  it('is drawn over gaps of up to 15 minutes', () => {
    const minute = 60_000;
    const end = points([1, 1], [2, null], [16, 4]).map(({ at, value }) => ({ at: at * minute, value }));
    expect(overShortGaps(end).map(({ value }) => value)).toEqual([1, 4]);
    const long = [
      { at: -2 * minute, value: null },
      ...end,
      { at: 17 * minute, value: null },
      { at: 32 * minute, value: 5 },
    ];
    expect(overShortGaps(long).map(({ value }) => value)).toEqual([null, 1, 4, null, 5]);
  });

  it('is read from the first series of an answer', () => {
    const series = [{ metric: {}, data: [[60, 1] as [number, number]] }];
    expect(stepsOf({ start: '0', end: '3600', step: '60', series })).toEqual({
      start: 0,
      end: 3600,
      step: 60,
      points: [[60, 1]],
    });
    expect(stepsOf({ start: '0', end: '60', step: '60', series: [] }).points).toEqual([]);
  });
});

describe('the metrics that are watched', () => {
  const triggerCondition = { operator: '>', threshold: 9 } as const;
  const safeguard = { impactMetric: { ...query, id: 'x' }, triggerCondition };
  const gated = (metric?: object) =>
    ({
      activeMilestoneId: 'a',
      milestones: [{ id: 'a', transitionCondition: { intervalMinutes: 60, ...(metric && { metric }) } }],
    }) as unknown as Parameters<typeof watchedIn>[0];

  it('are those of the safeguards and of the gate of the active milestone, each once', () => {
    const gate = { impactMetric: query, condition: { operator: '<', threshold: 4 } };
    const names = watchedIn(gated(gate), [safeguard, safeguard]).map(({ name }) => name);
    expect(names).toEqual([
      'unleash_counter_errors (count, last 2 min) above 9',
      'unleash_counter_errors (count, last 2 min) below 4',
    ]);
    expect(watchedIn(gated(), [])).toEqual([]);
  });

  it('are read by the minute in the last hour, as far as the time of the query fits into it', () => {
    const [metric] = watchedIn(gated(), [safeguard]);
    const hourly = { ...safeguard, impactMetric: { ...safeguard.impactMetric, minutes: 60 } };
    const [long] = watchedIn(gated(), [hourly]);
    const minute = 60_000;
    expect(metric && [rangesFor(metric, 58 * minute), rangesFor(metric, 59 * minute)]).toEqual([
      ['hour'],
      ['day', 'hour'],
    ]);
    expect(long && rangesFor(long, minute)).toEqual(['day']);
  });
});
