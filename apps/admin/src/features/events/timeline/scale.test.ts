import { describe, expect, it } from 'vitest';
import { around, clustered, loadedFor, panned, ticksOf, zoomed } from './scale.ts';

const hour = 3_600_000;
const day = { start: 0, end: 24 * hour };

describe('a time range', () => {
  it('is zoomed around a fixed point', () => {
    expect(zoomed(day, 0.5)).toEqual({ start: 6 * hour, end: 18 * hour });
    expect(zoomed(day, 0.5, 24 * hour)).toEqual({ start: 12 * hour, end: 24 * hour });
    expect(zoomed(day, 2, 0)).toEqual({ start: 0, end: 48 * hour });
  });

  it('is limited to two seconds and 400 days', () => {
    expect(zoomed({ start: 0, end: 3000 }, 0.1)).toEqual({ start: 500, end: 2500 });
    const all = zoomed(day, 1e6);
    expect(all.end - all.start).toBe(400 * 24 * hour);
  });

  it('is panned by a share of its length', () => {
    expect(panned(day, 0.25)).toEqual({ start: 6 * hour, end: 30 * hour });
    expect(panned(day, -1)).toEqual({ start: -24 * hour, end: 0 });
  });

  it('includes two times with a margin, also when they are equal', () => {
    expect(around(100_000, 200_000)).toEqual({ start: 85_000, end: 215_000 });
    expect(around(5000, 5000)).toEqual({ start: 4000, end: 6000 });
  });

  it('loads a wider range, and the same one after a small move', () => {
    const wanted = { start: 10.2 * hour, end: 34.2 * hour };
    const loaded = loadedFor(wanted);
    expect(loaded.start).toBeLessThan(wanted.start);
    expect(loaded.end).toBeGreaterThan(wanted.end);
    expect(loaded.end - loaded.start).toBeLessThan(4 * 24 * hour);
    expect(loadedFor({ start: wanted.start + 60_000, end: wanted.end + 60_000 })).toEqual(loaded);
  });
});

describe('ticks', () => {
  it('are at full hours of the local time zone, at most as many as fit', () => {
    expect(ticksOf(day, 8, 0)).toEqual({ step: 3 * hour, at: [0, 3, 6, 9, 12, 15, 18, 21, 24].map((n) => n * hour) });
    expect(ticksOf(day, 2, 2 * hour)).toEqual({ step: 12 * hour, at: [10 * hour, 22 * hour] });
    expect(ticksOf({ start: 0, end: 2000 }, 8, 0).step).toBe(1000);
  });
});

describe('clustered()', () => {
  it('groups items that are close to the first of a cluster', () => {
    const items = [0, 5, 9, 10, 11, 40].map((at) => ({ at }));
    expect(clustered(items, 10).map(({ items: own, start, end }) => [own.length, start, end])).toEqual([
      [3, 0, 9],
      [2, 10, 11],
      [1, 40, 40],
    ]);
    expect(clustered([], 10)).toEqual([]);
  });
});
