import { describe, expect, it } from 'vitest';
import { type ExternalQuery, isCount, requireNames, toPromql, typeOfName } from './promql.ts';

function query(more: Partial<ExternalQuery> = {}): ExternalQuery {
  return { metricName: 'http_requests_total', aggregationMode: 'count', labelSelectors: {}, ...more };
}

const histogram = { metricName: 'http_seconds' };

describe('the PromQL of a query', () => {
  it.each([
    [{}, 'sum(increase(http_requests_total[300s]))'],
    [{ aggregationMode: 'sum' }, 'sum(increase(http_requests_total[300s]))'],
    [{ aggregationMode: 'rps' }, 'sum(rate(http_requests_total[300s]))'],
    [{ metricName: 'unleash_counter_errors' }, 'sum(increase(unleash_counter_errors[300s]))'],
    [
      { ...histogram, aggregationMode: 'count' },
      'sum(increase(http_seconds[300s])) or sum(increase(http_seconds_count[300s]))',
    ],
    [{ ...histogram, aggregationMode: 'rps' }, 'sum(rate(http_seconds[300s])) or sum(rate(http_seconds_count[300s]))'],
    [
      { ...histogram, aggregationMode: 'sum' },
      'sum(avg_over_time(http_seconds[300s])) or sum(increase(http_seconds_sum[300s]))',
    ],
    [
      { ...histogram, aggregationMode: 'avg' },
      'sum(sum_over_time(http_seconds[300s])) / sum(count_over_time(http_seconds[300s])) or sum(increase(http_seconds_sum[300s])) / sum(increase(http_seconds_count[300s]))',
    ],
    [
      { ...histogram, aggregationMode: 'p95' },
      'histogram_quantile(0.95, sum by (le) (rate(http_seconds_bucket[300s])))',
    ],
  ] as const)('of %o', (more, promql) => expect(toPromql(query(more), 300)).toBe(promql));

  it('has one series for each value of a label', () => {
    expect(toPromql(query(), 60, 'code')).toBe('sum by (code) (increase(http_requests_total[60s]))');
    expect(toPromql(query({ ...histogram, aggregationMode: 'p50' }), 60, 'code')).toBe(
      'histogram_quantile(0.5, sum by (le, code) (rate(http_seconds_bucket[60s])))',
    );
  });

  it.each([
    [{ job: ['shop'] }, '{job="shop"}'],
    [{ job: ['shop'], code: [] }, '{job="shop"}'],
    [{ job: [''] }, '{job=""}'],
    [{ code: ['500', '503'] }, '{code=~"500|503"}'],
    [{ path: ['a"b'] }, String.raw`{path="a\"b"}`],
    [{ path: ['a\\b'] }, String.raw`{path="a\\b"}`],
    [{ path: ['a\nb'] }, String.raw`{path="a\nb"}`],
    [{ path: ['"} or vector(1) #'] }, String.raw`{path="\"} or vector(1) #"}`],
    [{ path: ['/a.b', '/(c|d)+'] }, String.raw`{path=~"/a\\.b|/\\(c\\|d\\)\\+"}`],
    [{ path: ['a\\', '"'] }, String.raw`{path=~"a\\\\|\""}`],
  ])('selects labels: %o', (labelSelectors, selectors) =>
    expect(toPromql(query({ labelSelectors }), 60)).toBe(`sum(increase(http_requests_total${selectors}[60s]))`),
  );
});

describe('the names of a query', () => {
  it.each([
    [query({ metricName: 'up{job="x"} or vector(1)' }), 'metricName'],
    [query({ metricName: '1st' }), 'metricName'],
    [query({ labelSelectors: { 'code="1",x': ['a'] } }), 'labelSelectors.code="1",x'],
    [query({ labelSelectors: { 'a:b': ['a'] } }), 'labelSelectors.a:b'],
  ])('are refused: %o', (refused, path) =>
    expect(() => requireNames(refused)).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ path })] }),
    ),
  );

  it('are those that Prometheus allows', () => {
    expect(() =>
      requireNames(query({ metricName: 'job:http_errors:rate5m', labelSelectors: { le: ['1'] } })),
    ).not.toThrow();
  });

  it('tell counters, and whether a query counts', () => {
    expect(['a_total', 'a_bucket', 'unleash_gauge_a_total', 'a'].map(typeOfName)).toEqual([
      'counter',
      'counter',
      'gauge',
      undefined,
    ]);
    expect(
      [query(), query({ aggregationMode: 'sum' }), query({ ...histogram, aggregationMode: 'sum' })].map(isCount),
    ).toEqual([true, true, false]);
  });
});
