import { serverNow } from '../lib/server-time.ts';

/**
 * The date and time formats of the interface. Absolute dates are ISO 8601 in the time zone of the user: 2026-03-31
 * 12:00:00. A relative date has the absolute date beside it or as its tooltip.
 */

type Moment = number | string | Date;

/** Uses the Swedish locale, whose dates and times have the form of ISO 8601. */
const isoFormat = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('sv-SE', options);

const date = isoFormat({ dateStyle: 'short' });
const dateInUtc = isoFormat({ dateStyle: 'short', timeZone: 'UTC' });
const time = isoFormat({ timeStyle: 'medium' });
const minute = isoFormat({ timeStyle: 'short' });
const dateTime = isoFormat({ dateStyle: 'short', timeStyle: 'medium' });
const dateTimeInUtc = isoFormat({ dateStyle: 'short', timeStyle: 'medium', timeZone: 'UTC' });
const dateMinute = isoFormat({ dateStyle: 'short', timeStyle: 'short' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'long' });

const asDate = (moment: Moment) => new Date(moment);

/** Returns the user's time zone: Europe/Vienna. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the day: 2026-03-31. */
export const formatDate = (moment: Moment) => date.format(asDate(moment));

/** Returns the day in UTC: 2026-03-31. */
export const formatUtcDate = (moment: Moment) => dateInUtc.format(asDate(moment));

/** Returns the time of day: 12:00:00. */
export const formatTime = (moment: Moment) => time.format(asDate(moment));

/** Returns the time of day without seconds: 12:00. */
export const formatMinute = (moment: Moment) => minute.format(asDate(moment));

/** Returns the day and the time: 2026-03-31 12:00:00. */
export const formatDateTime = (moment: Moment) => dateTime.format(asDate(moment));

/** Returns the day and the time in UTC: 2026-03-31 12:00:00 UTC. */
export const formatUtcDateTime = (moment: Moment) => `${dateTimeInUtc.format(asDate(moment))} UTC`;

/** Returns the day and the time without seconds: 2026-03-31 12:00. */
export const formatDateMinute = (moment: Moment) => dateMinute.format(asDate(moment));

/** Returns the day with its weekday: Tuesday, 2026-03-31. */
export const formatDay = (moment: Moment) => `${weekday.format(asDate(moment))}, ${formatDate(moment)}`;

/** Returns the day and the time with how long ago or ahead that is: 2026-03-31 12:00:00 (in 3 hours). */
export const formatWithRelative = (moment: Moment, now = serverNow()) =>
  `${formatDateTime(moment)} (${formatRelative(asDate(moment).getTime(), now)})`;

const [minuteLength, hourLength, dayLength] = [60_000, 3_600_000, 86_400_000];
const [monthLength, yearLength] = [2_629_800_000, 31_557_600_000];

const named = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const counted = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * Returns how long before or after `now` a moment is, both in milliseconds: "2 hours ago". Days are those of the
 * calendar, so "yesterday" always means the calendar day before.
 */
export function formatRelative(at: number, now: number): string {
  const distance = at - now;
  const length = Math.abs(distance);
  const part = (unit: number) => Math.trunc(distance / unit);
  if (length < 9_500) return 'just now';
  if (length < minuteLength) return counted.format(Math.round(distance / 1000), 'second');
  if (length < hourLength) return counted.format(part(minuteLength), 'minute');
  if (length < dayLength) return counted.format(part(hourLength), 'hour');
  if (length < monthLength) return named.format(calendarDays(at) - calendarDays(now), 'day');
  if (length < yearLength) return counted.format(part(monthLength), 'month');
  return counted.format(part(yearLength), 'year');
}

/**
 * Returns how long after `now` something happens: "in 42 seconds". What is due may take some seconds, so that it is
 * "in a few seconds" until a minute after its time.
 */
export function formatAhead(at: number, now: number): string {
  const left = at - now;
  return left < 9_500 && left > -minuteLength ? 'in a few seconds' : formatRelative(at, now);
}

/**
 * Returns since when something is so, and how long that is before `now`: 05:12 (2 minutes ago). A start on another day
 * of the calendar has its date.
 */
export function formatStart(at: number, now: number): string {
  const start = calendarDays(at) === calendarDays(now) ? formatMinute(at) : formatDateMinute(at);
  return `${start} (${formatRelative(at, now)})`;
}

/**
 * Returns when something ends, and how long that is from `now`: 05:12 (in 1 h 59 min). An end that is a day or more
 * ahead has its date: 2026-03-31 05:12 (in 3 days).
 */
export function formatEnd(at: number, now: number): string {
  const left = at - now;
  if (left <= 0 || left >= dayLength) return `${formatDateMinute(at)} (${formatRelative(at, now)})`;
  const minutes = Math.ceil(left / minuteLength);
  const hours = Math.floor(minutes / 60);
  const parts = [...(hours > 0 ? [`${hours} h`] : []), ...(minutes % 60 > 0 ? [`${minutes % 60} min`] : [])];
  return `${formatMinute(at)} (in ${parts.join(' ')})`;
}

/** Returns the number of days from 1970 to a moment in the calendar of the user. */
function calendarDays(ms: number): number {
  const day = new Date(ms);
  return Math.round(Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / dayLength);
}
