import { describe, expect, it } from 'vitest';
import type { Chart } from './chart-queries.ts';
import { describeChart, nameOfLine, rowsOf } from './chart-words.ts';

describe('the words of a chart', () => {
  it('tell lines with the flag from those without it', () => {
    const names = (groupBy: string | null, value: string) =>
      nameOfLine({ metric: { label: value } }, { groupBy }, 'new-checkout');
    expect(names('new_checkout', 'enabled')).toBe('with the flag');
    expect(names('new_checkout', 'disabled')).toBe('without the flag');
    expect(names('new_checkout', 'blue')).toBe('variant blue');
    // Other clients of the API can save a chart with the name of the flag itself as label.
    expect(names('new-checkout', 'enabled')).toBe('with the flag');
    expect(names('region', 'eu')).toBe('eu');
    expect(names(null, '')).toBe('Value');
  });

  it('name the aggregation, the range, the labels and the source', () => {
    const chart: Chart = {
      id: '1',
      metricName: 'requests_total',
      displayName: 'requests_total',
      title: '',
      type: 'counter',
      aggregationMode: 'rps',
      timeRange: 'day',
      step: '15m',
      yAxisMin: 'zero',
      labelSelectors: { environment: ['production', 'staging'] },
      source: 'external',
      groupBy: null,
    };
    expect(describeChart(chart)).toBe('Per second, last day, environment = production or staging, from Prometheus');
  });

  it('put the values of several lines at one time into one row', () => {
    const rows = rowsOf([
      {
        metric: {},
        data: [
          [60, 1],
          [120, 2],
        ],
      },
      {
        metric: {},
        data: [
          [0, 5],
          [120, 3],
        ],
      },
    ]);
    expect(rows).toEqual([
      { at: 0, line1: 5 },
      { at: 60, line0: 1 },
      { at: 120, line0: 2, line1: 3 },
    ]);
  });
});
