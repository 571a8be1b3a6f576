import { describe, expect, it } from 'vitest';
import { type MetricInput, metricInputOf, noMetric, problemsOf, toMetric } from './metric-input.ts';

const share: MetricInput = { ...noMetric, metric: 'errors', dividedBy: 'requests', threshold: 0.1 };

describe('the metric of a form', () => {
  it('is that of the environment, where SDKs report it', () => {
    const labelSelectors = { environment: ['production'] };
    expect(toMetric({ ...share, labels: ['job=shop'] }, 'production').impactMetric).toEqual({
      metricName: 'errors',
      timeRange: 'hour',
      aggregationMode: 'count',
      labelSelectors,
      minutes: 5,
      dividedBy: { metricName: 'requests', labelSelectors },
    });
  });

  it('has the labels of the form, where the Prometheus server has it', () => {
    const labels = ['job=shop', 'code=500', 'code=50=3'];
    const input: MetricInput = { ...share, source: 'external', labels, dividedByLabels: ['job=shop'] };
    expect(toMetric(input, 'production').impactMetric).toMatchObject({
      source: 'external',
      labelSelectors: { job: ['shop'], code: ['500', '50=3'] },
      dividedBy: { metricName: 'requests', labelSelectors: { job: ['shop'] } },
    });
  });

  const stored: readonly Parameters<typeof metricInputOf>[0][] = [
    {
      metricName: 'errors',
      aggregationMode: 'rps',
      timeRange: 'day',
      labelSelectors: { region: ['eu'] },
      dividedBy: { metricName: 'all', labelSelectors: {} },
    },
    {
      source: 'external',
      metricName: 'errors',
      aggregationMode: 'rps',
      timeRange: 'hour',
      minutes: 10,
      labelSelectors: { job: ['shop'], code: ['500', '503'] },
      dividedBy: { metricName: 'errors', labelSelectors: { job: ['shop'] } },
    },
  ];
  it.each(stored)('stays as the server has it when nothing is edited: $source, $timeRange', (query) => {
    const condition = { operator: '<', threshold: 3 } as const;
    expect(toMetric(metricInputOf(query, condition), 'production')).toEqual({ impactMetric: query, condition });
  });

  it('must have labels with a name and a value', () => {
    expect(problemsOf(share)).toBeNull();
    expect(problemsOf({ ...share, labels: ['shop'], dividedByLabels: ['a-b=c'] })).toEqual({
      labels: expect.any(String),
      dividedByLabels: expect.any(String),
    });
  });
});
