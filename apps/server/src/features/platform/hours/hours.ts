import { type Weekday, weekdays } from '@yardarm/contract';

/** A weekly time window: hours of the day, on some days of the week, in a time zone. */
export interface Hours {
  readonly days: readonly Weekday[];
  /** Such as 09:00. */
  readonly from: string;
  /** Not included. Earlier than `from` when the hours go on past midnight. */
  readonly to: string;
  readonly timeZone: string;
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const minuteMs = 60_000;
const minutesOfDay = 1440;

/** Returns whether a time, in milliseconds UTC, is within the hours. */
export function isWithinHours(hours: Hours, time: number): boolean {
  const { day, clock } = clockIn(hours, time);
  return isWithin(hours, day, clock);
}

/** Returns the first time from `time` on that is within the hours; both in milliseconds UTC. */
export function nextWithinHours(hours: Hours, time: number): number {
  let next = time;
  // Each try moves to the next `from`. Eight tries cover a week; the others are for days on which the clock changes.
  for (let tries = 0; tries < 16 && !isWithinHours(hours, next); tries++) {
    const clock = minutesOf(clockIn(hours, next).clock);
    const minutes = (minutesOf(hours.from) - clock + minutesOfDay) % minutesOfDay || minutesOfDay;
    const begin = Math.floor(next / minuteMs) * minuteMs;
    const end = begin + minutes * minuteMs;
    // Another time of day means that the clock changed in between: hours may have begun before `end`.
    next = clockIn(hours, end).clock === hours.from ? end : firstWithin(hours, begin + minuteMs, end);
  }
  return next;
}

/** Returns the first minute within the hours, or `end` when no minute before it is. */
function firstWithin(hours: Hours, begin: number, end: number): number {
  let minute = begin;
  while (minute < end && !isWithinHours(hours, minute)) minute += minuteMs;
  return minute;
}

/** Describes a time by the clock of the hours: "Friday, 21:30 in Europe/Berlin". */
export function describeTime(hours: Hours, time: number): string {
  const { day, clock } = clockIn(hours, time);
  return `${dayNames[day]}, ${clock} in ${hours.timeZone}`;
}

/** Describes hours: "from 09:00 to 17:00 on Monday, Tuesday". */
export function describeHours({ days, from, to }: Hours): string {
  const named = weekdays.flatMap((name, index) => (days.includes(name) ? [dayNames[index]] : []));
  return `from ${from} to ${to} on ${named.join(', ')}`;
}

/** Hours that go on past midnight belong to the day on which they begin. */
function isWithin({ days, from, to }: Hours, day: number, clock: string): boolean {
  const begins = (of: number) => days.includes(weekdays[(of + 7) % 7] ?? 'mon');
  if (from < to) return begins(day) && clock >= from && clock < to;
  return (begins(day) && clock >= from) || (begins(day - 1) && clock < to);
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The formats of hours: creating one takes longer than formatting with it. */
const formats = new WeakMap<Hours, Intl.DateTimeFormat>();

function formatOf(hours: Hours): Intl.DateTimeFormat {
  let format = formats.get(hours);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: hours.timeZone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(hours, format);
  }
  return format;
}

/** Returns the day of the week (0 is Monday) and the time of day in the time zone of hours. */
function clockIn(hours: Hours, time: number): { readonly day: number; readonly clock: string } {
  const parts = new Map(
    formatOf(hours)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: dayNames.indexOf(parts.get('weekday') as (typeof dayNames)[number]),
    clock: `${parts.get('hour')}:${parts.get('minute')}`,
  };
}
