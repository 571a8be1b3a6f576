import { describe, expect, it } from 'vitest';
import type { Safeguard } from './safeguard-queries.ts';
import { describeLabels, describeSafeguard, describeStatus } from './safeguard-words.ts';

const safeguard: Safeguard = {
  id: 'a',
  action: { type: 'pauseReleasePlanProgressions', id: 'p' },
  triggerCondition: { operator: '>', threshold: 0.02 },
  impactMetric: {
    id: 'a',
    metricName: 'unleash_counter_errors',
    timeRange: 'hour',
    aggregationMode: 'count',
    labelSelectors: {},
    minutes: 5,
    dividedBy: { metricName: 'unleash_counter_requests', labelSelectors: {} },
  },
  status: {
    state: 'within',
    value: 0.012_345_678,
    reason: null,
    lookedAt: '2026-11-25T10:00:00.000Z',
    triggeredAt: null,
    noDataSince: null,
  },
};

describe('a safeguard', () => {
  it('is described with its metric, threshold and effect', () => {
    expect(describeSafeguard(safeguard)).toBe(
      'unleash_counter_errors / unleash_counter_requests (count, last 5 min) above 0.02: halts the plan',
    );
  });

  it('of a Prometheus server says so, and why it has no value', () => {
    const impactMetric = { ...safeguard.impactMetric, source: 'external' as const };
    expect(describeSafeguard({ ...safeguard, impactMetric })).toContain(' (count, last 5 min, from Prometheus) above');
    const reason = 'The Prometheus server did not answer in 5 s.';
    expect(describeStatus({ ...safeguard, status: { ...safeguard.status, state: 'no-data', reason } })).toBe(reason);
  });

  it.each([
    ['within', 'Now 0.01235'],
    ['no-data', 'No data: the plan starts no milestone without a value'],
    ['triggered', 'Triggered. Now 0.01235; ready again once it is back'],
    ['crossed', 'Now 0.01235, beyond the threshold; the plan is paused already'],
  ] as const)('that is %s says so', (state, text) => {
    expect(describeStatus({ ...safeguard, status: { ...safeguard.status, state } })).toBe(text);
  });
});

describe('the labels of a metric', () => {
  it('are said with the values that count', () => {
    expect(describeLabels({ environment: ['production'], region: ['eu', 'us'] })).toBe(
      'Reads environment = production, region = eu or us.',
    );
    expect(describeLabels({})).toBe('Reads all labels.');
  });
});
