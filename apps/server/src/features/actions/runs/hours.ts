import { weekdays } from '@yardarm/contract';
import type { ActionSet, Hours } from '../sets/index.ts';

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The name of the guard, with which its reasons begin. */
export const outsideHours = 'Hours: ';

/** Returns the reason when a time is outside the hours of a set. */
export function checkHours({ guards: { hours } }: Pick<ActionSet, 'guards'>, now: number): string | undefined {
  if (hours === undefined) return undefined;
  const { day, time } = clockIn(hours.timeZone, now);
  if (isWithin(hours, day, time)) return undefined;
  const days = weekdays.flatMap((name, index) => (hours.days.includes(name) ? [dayNames[index]] : []));
  return `${outsideHours}it is ${dayNames[day]}, ${time} in ${hours.timeZone}. The actions run from ${hours.from} to ${hours.to} on ${days.join(', ')}.`;
}

/** Hours that go on past midnight belong to the day on which they begin. */
function isWithin({ days, from, to }: Hours, day: number, time: string): boolean {
  const begins = (of: number) => days.includes(weekdays[(of + 7) % 7] ?? 'mon');
  if (from < to) return begins(day) && time >= from && time < to;
  return (begins(day) && time >= from) || (begins(day - 1) && time < to);
}

/** Returns the day of the week (0 is Monday) and the time of day in a time zone. */
function clockIn(timeZone: string, now: number): { readonly day: number; readonly time: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    day: dayNames.indexOf(parts.get('weekday') as (typeof dayNames)[number]),
    time: `${parts.get('hour')}:${parts.get('minute')}`,
  };
}
