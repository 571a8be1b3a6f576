import { weekdays } from '@yardarm/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hours, isWithinHours, nextWithinHours } from './index.ts';

const minuteMs = 60_000;
const berlin: Hours = { days: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '16:00', timeZone: 'Europe/Berlin' };
const next = (hours: Hours, time: string) => new Date(nextWithinHours(hours, Date.parse(time))).toISOString();

describe('the next time within hours', () => {
  it.each([
    ['on a Wednesday within them', '2026-11-25T10:30:00.000Z', '2026-11-25T10:30:00.000Z'],
    ['before they begin', '2026-11-25T03:12:30.000Z', '2026-11-25T08:00:00.000Z'],
    ['after they ended', '2026-11-25T15:00:00.000Z', '2026-11-26T08:00:00.000Z'],
    ['on Friday night', '2026-11-27T21:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  ])('%s', (_, from, expected) => expect(next(berlin, from)).toBe(expected));

  it('is a week later when only the day before is open', () => {
    const hours: Hours = { days: ['tue'], from: '08:00', to: '09:00', timeZone: 'UTC' };
    expect(next(hours, '2026-11-25T00:00:00.000Z')).toBe('2026-12-01T08:00:00.000Z');
  });

  it.each([
    ['an hour less of the night is over', '09:00', '09:30', '2026-03-28T19:00:00.000Z', '2026-03-29T07:00:00.000Z'],
    ['they begin in the skipped hour', '02:30', '03:30', '2026-03-28T19:00:00.000Z', '2026-03-29T01:00:00.000Z'],
    ['they are all skipped', '02:15', '02:45', '2026-03-28T19:00:00.000Z', '2026-04-05T00:15:00.000Z'],
    ['they come twice', '02:15', '02:45', '2026-10-25T00:50:00.000Z', '2026-10-25T01:15:00.000Z'],
    ['an hour more of the night is over', '09:00', '09:30', '2026-10-24T19:00:00.000Z', '2026-10-25T08:00:00.000Z'],
  ])('is the first one on a day when clocks change: %s', (_, from, to, time, expected) => {
    expect(next({ days: ['sun'], from, to, timeZone: 'Europe/Berlin' }, time)).toBe(expected);
  });

  it('is within them, and no earlier minute is, in any zone and on days when clocks change', () => {
    const hoursOf = fc.record({
      days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
      from: fc.constantFrom('00:00', '01:30', '02:15', '09:00', '22:00'),
      to: fc.constantFrom('03:00', '08:45', '17:00', '23:59'),
      timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
    });
    // Times around the changes to and from summer time, from March to April and from October to November.
    const times = fc.oneof(
      fc.integer({ min: Date.UTC(2026, 2, 6), max: Date.UTC(2026, 3, 6) }),
      fc.integer({ min: Date.UTC(2026, 9, 2), max: Date.UTC(2026, 10, 3) }),
    );
    fc.assert(
      fc.property(hoursOf, times, fc.double({ min: 0, max: 1, noNaN: true }), (hours, time, part) => {
        const found = nextWithinHours(hours, time);
        expect(isWithinHours(hours, found)).toBe(true);
        const between = time + Math.floor((found - time) * part);
        if (between < found - minuteMs) expect(isWithinHours(hours, between)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
