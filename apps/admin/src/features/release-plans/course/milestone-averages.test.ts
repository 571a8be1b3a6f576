import { describe, expect, it } from 'vitest';
import type { Course, ExposedStretch } from './course.ts';
import { averagesOf, milestonesIn } from './milestone-averages.ts';

const minute = 60_000;

function stretch(from: number, to: number, milestone: string, course: Course = 'running'): ExposedStretch {
  return { from: from * minute, to: to * minute, milestone, exposure: 10, course, reasons: [], signalIds: [] };
}

/** Returns a metric with a value at the end of each minute, of the time of `minutesBack` before. */
function everyMinute(values: readonly (number | null)[], minutesBack = 1) {
  return { name: 'errors', minutesBack, curve: values.map((value, index) => ({ at: (index + 1) * minute, value })) };
}

const valuesOf = (...given: Parameters<typeof averagesOf>) => averagesOf(...given).map(({ values }) => values);

describe('the average of a metric at a milestone', () => {
  const course = [stretch(0, 3, '10 %'), stretch(3, 5, '50 %')];

  it('is that of the values while the milestone was served', () => {
    expect(averagesOf(course, [everyMinute([1, 2, 3, 10, 20])])).toEqual([{ name: 'errors', values: [2, 15] }]);
    expect(milestonesIn(course)).toEqual(['10 %', '50 %']);
  });

  it('leaves out values that are partly about the milestone before', () => {
    expect(valuesOf(course, [everyMinute([1, 2, 3, 10, 20], 2)])).toEqual([[2.5, 20]]);
    expect(valuesOf(course, [everyMinute([1, 2, 3, 10, 20], 3)])).toEqual([[3, null]]);
  });

  it('leaves out the times at which the flag was held or off, and minutes after them that look back', () => {
    const halted = [stretch(0, 2, '10 %'), stretch(2, 3, '10 %', 'held'), stretch(3, 6, '10 %')];
    expect(valuesOf(halted, [everyMinute([1, 1, 90, 4, 4, 4])])).toEqual([[2.8]]);
    expect(valuesOf(halted, [everyMinute([1, 1, 90, 90, 4, 4], 2)])).toEqual([[3]]);
  });

  it('goes on while the milestone waits or the plan is paused', () => {
    const waiting = [stretch(0, 2, '10 %'), stretch(2, 4, '10 %', 'gated'), stretch(4, 6, '10 %', 'paused')];
    expect(valuesOf(waiting, [everyMinute([null, 3, 3, 3, 3, 9], 2)])).toEqual([[4.2]]);
  });

  it('joins the times of a milestone that was started twice', () => {
    const back = [stretch(0, 1, '10 %'), stretch(1, 2, '50 %'), stretch(2, 3, '10 %')];
    expect(valuesOf(back, [everyMinute([1, 50, 3])])).toEqual([[2, 50]]);
  });

  it('is weighted by the time that each value is about', () => {
    const curve = [15, 30, 31].map((at, index) => ({ at: at * minute, value: [1, 1, 16][index] ?? null }));
    const [average] = valuesOf([stretch(0, 40, '10 %')], [{ name: 'errors', minutesBack: 1, curve }]);
    expect(average?.[0]).toBeCloseTo((1 * 1 + 15 * 1 + 1 * 16) / 17);
  });

  it('is missing without data', () => {
    expect(valuesOf(course, [everyMinute([null, null, null, null, null])])).toEqual([[null, null]]);
  });
});
