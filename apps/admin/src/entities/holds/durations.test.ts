import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { durations, endOf } from './durations.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-24T22:30:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const ends: Readonly<Record<string, string>> = {
  '1 hour': '2026-11-24T23:30:00.000Z',
  '4 hours': '2026-11-25T02:30:00.000Z',
  '1 day': '2026-11-25T22:30:00.000Z',
  '1 week': '2026-12-01T22:30:00.000Z',
};

describe('the duration of a hold or an override', () => {
  it.each(durations)('of $label ends after that time', ({ label, value }) => {
    expect(endOf(value)).toBe(ends[label]);
  });

  it('has no end when none is chosen', () => {
    expect(endOf('')).toBeNull();
  });
});
