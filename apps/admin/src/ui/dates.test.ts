import { describe, expect, it } from 'vitest';
import {
  formatAhead,
  formatDateMinute,
  formatDateTime,
  formatDay,
  formatEnd,
  formatRelative,
  formatTime,
  formatWithRelative,
} from './dates.ts';

// Noon of a Sunday, in the time zone of the test.
const sunday = new Date(2026, 10, 22, 12).getTime();
const before = (seconds: number) => formatRelative(sunday - seconds * 1000, sunday);

describe('a time to come', () => {
  it.each([
    [7200, 'in 2 hours'],
    [59, 'in 59 seconds'],
    [3, 'in a few seconds'],
    [-20, 'in a few seconds'],
    [-90, '1 minute ago'],
  ])('in %d seconds is %s', (seconds, words) => {
    expect(formatAhead(sunday + seconds * 1000, sunday)).toBe(words);
  });

  it('that ends within a minute is not over', () => {
    expect(formatEnd(sunday + 30_000, sunday)).toBe('12:00 (in 1 min)');
  });
});

describe('a relative time', () => {
  it.each([
    [3, 'just now'],
    [42, '42 seconds ago'],
    [119, '1 minute ago'],
    [7200, '2 hours ago'],
    [86_400, 'yesterday'],
    [40 * 86_400, '1 month ago'],
    [3 * 31_557_600, '3 years ago'],
  ])('of %d seconds before now is %s', (seconds, words) => {
    expect(before(seconds)).toBe(words);
  });

  it('counts days by the calendar, as headings do', () => {
    const friday = new Date(2026, 10, 20, 23).getTime();
    expect(formatDay(friday)).toBe('Friday, 2026-11-20');
    expect(formatRelative(friday, sunday)).toBe('2 days ago');
    expect(formatRelative(new Date(2026, 10, 21, 1).getTime(), sunday)).toBe('yesterday');
  });

  it('may be in the future', () => {
    expect(formatRelative(sunday + 3_600_000, sunday)).toBe('in 1 hour');
    expect(formatRelative(new Date(2026, 10, 24, 1).getTime(), sunday)).toBe('in 2 days');
  });
});

describe('the end of something', () => {
  it.each([
    [30, '12:00 (in 1 min)'],
    [7200, '14:00 (in 2 h)'],
    [7141, '13:59 (in 2 h)'],
    [5400, '13:30 (in 1 h 30 min)'],
    [3 * 86_400, '2026-11-25 12:00 (in 3 days)'],
    [-120, '2026-11-22 11:58 (2 minutes ago)'],
  ])('in %d seconds is %s', (seconds, words) => {
    expect(formatEnd(sunday + seconds * 1000, sunday)).toBe(words);
  });
});

describe('an absolute time', () => {
  it('is written as ISO 8601, in the time zone of the reader', () => {
    expect(formatDateTime(sunday)).toBe('2026-11-22 12:00:00');
    expect(formatDateMinute(new Date(sunday))).toBe('2026-11-22 12:00');
    expect(formatTime(new Date(sunday).toISOString())).toBe('12:00:00');
    expect(formatWithRelative(sunday + 3_600_000, sunday)).toBe('2026-11-22 13:00:00 (in 1 hour)');
  });
});
