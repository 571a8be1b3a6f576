import { describe, expect, it } from 'vitest';
import { seriesOf, shareOf, totalsBy } from './series.ts';

const now = Date.parse('2026-11-21T12:34:00Z');

describe('seriesOf() and totalsBy()', () => {
  it('sums by hour and includes empty hours', () => {
    const counted = [
      { timestamp: '2026-11-21T12:00:00Z', yes: 1, no: 2 },
      { timestamp: '2026-11-21T12:00:00Z', yes: 3, no: 0 },
      { timestamp: '2026-11-21T09:00:00Z', yes: 9, no: 9 },
    ];
    expect(seriesOf(counted, 3, now)).toEqual([
      { at: Date.parse('2026-11-21T10:00:00Z'), yes: 0, no: 0 },
      { at: Date.parse('2026-11-21T11:00:00Z'), yes: 0, no: 0 },
      { at: Date.parse('2026-11-21T12:00:00Z'), yes: 4, no: 2 },
    ]);
    expect(seriesOf([], 48, now)).toHaveLength(48);
  });

  it('sums by day for more than two days', () => {
    const counted = [
      { timestamp: '2026-11-20T00:00:00Z', yes: 1, no: 0 },
      { timestamp: '2026-11-20T17:00:00Z', yes: 1, no: 1 },
    ];
    const series = seriesOf(counted, 168, now);
    expect(series).toHaveLength(8);
    expect(series.at(-2)).toEqual({ at: Date.parse('2026-11-20T00:00:00Z'), yes: 2, no: 1 });
  });

  it('sums by application, largest first', () => {
    const of = (appName: string, yes: number) => ({ appName, timestamp: '2026-11-20T00:00:00Z', yes, no: 1 });
    const totals = totalsBy([of('a', 1), of('b', 5), of('a', 1)], ({ appName }) => appName);
    expect(totals).toEqual([
      { key: 'b', yes: 5, no: 1 },
      { key: 'a', yes: 2, no: 2 },
    ]);
    expect(totals.map(shareOf)).toEqual(['83 %', '50 %']);
    expect(shareOf({ yes: 0, no: 0 })).toBe('–');
  });

  it('gives 0 and 100 percent only for shares of none and of all', () => {
    const shares = [
      { yes: 0, no: 1000 },
      { yes: 1, no: 999 },
      { yes: 999, no: 1 },
      { yes: 1000, no: 0 },
    ].map(shareOf);
    expect(shares).toEqual(['0 %', '1 %', '99 %', '100 %']);
  });
});
