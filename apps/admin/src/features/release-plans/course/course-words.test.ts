import { describe, expect, it } from 'vitest';
import type { ExposedStretch } from './course.ts';
import { describeStop, describeTime, exposureRows, extentIn, tickLabel, ticksOf } from './course-words.ts';

const local = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

function stretch(from: number, to: number, exposure: number): ExposedStretch {
  return { from, to, milestone: '10 %', exposure, course: 'running', reasons: [], signalIds: [] };
}

describe('the time axis', () => {
  it.each([
    [local(25, 10, 3), local(25, 10, 58), ['10:10', '10:20', '10:30', '10:40', '10:50']],
    [local(25, 10, 3), local(26, 10, 3), ['12:00', '18:00', '00:00', '06:00']],
    [local(25, 10), local(27, 11), ['11-26', '11-27']],
    [local(25, 10), local(28, 10), ['11-26', '11-27', '11-28']],
  ])('has round times: %#', (from, to, labels) => {
    expect(ticksOf(from, to).map((at) => tickLabel(at, from, to))).toEqual(labels);
  });

  it('has few of them for any length', () => {
    for (let length = 60_000; length < 400 * 86_400_000; length *= 1.7)
      expect(ticksOf(local(1, 3), local(1, 3) + length).length).toBeLessThanOrEqual(7);
  });
});

describe('a stretch', () => {
  it('is described with its time and its reasons', () => {
    const [from, to] = [local(25, 10), local(25, 10, 30)];
    expect(describeTime({ from, to }, local(25, 12))).toBe('2026-11-25 10:00 to 10:30');
    expect(describeTime({ from, to }, to)).toBe('2026-11-25 10:00 to now');
    expect(describeTime({ from, to: local(26, 9) }, local(27, 9))).toBe('2026-11-25 10:00 to 2026-11-26 09:00');
    expect(describeStop({ course: 'running', reasons: [] })).toBeUndefined();
    expect(describeStop({ course: 'paused', reasons: ['Paused', 'Held off'] })).toBe('Paused. Held off');
  });

  it('has the lowest and highest value of a curve in it', () => {
    const curve = [5, null, 2, 9].map((value, index) => ({ at: index * 10, value }));
    expect(extentIn(curve, { from: 0, to: 20 })).toEqual([2, 2]);
    expect(extentIn(curve, { from: 0, to: 30 })).toEqual([2, 9]);
    expect(extentIn(curve, { from: 0, to: 10 })).toBeUndefined();
  });
});

describe('the rows of the chart', () => {
  it('are at each change, in between and at the end', () => {
    const rows = exposureRows([stretch(0, 60, 10), stretch(60, 61, 0), stretch(61, 240, 50)]);
    expect(rows.slice(0, 2)).toEqual([
      { at: 0, Exposure: 10 },
      { at: 2, Exposure: 10 },
    ]);
    expect(rows.find(({ at }) => at === 60)?.Exposure).toBe(0);
    expect(rows.find(({ at }) => at === 61)?.Exposure).toBe(50);
    expect(rows.at(-1)).toEqual({ at: 240, Exposure: 50 });
    expect(exposureRows([])).toEqual([]);
  });
});
