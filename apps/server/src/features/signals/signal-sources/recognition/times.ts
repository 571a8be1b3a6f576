/** The end of the year 9999: ISO 8601 writes later years with more digits. */
const latestTime = Date.UTC(9999, 11, 31);

/** ISO 8601, also with a space in place of T as databases write it. A time without a zone is UTC. */
const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?)?$/i;
/** The basic format of ISO 8601. */
const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/i;
/** A date as HTTP writes it (RFC 9110): `Fri, 02 Jan 2026 03:04:05 GMT`. */
const http = /^(?:mon|tue|wed|thu|fri|sat|sun), (\d\d) ([a-z]{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/i;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told by the number of digits. */
const number = /^(\d{10}|\d{13}|\d{16}|\d{19})(?:\.(\d+))?$/;

/**
 * Returns a time as ISO 8601 in UTC, from a date of ISO 8601 or RFC 9110, or from a number since 1970; null for any
 * other text. A time before 1970 is invalid: Alertmanager sends the year 1 for "no time".
 */
export function timeOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const time = numberOf(text) ?? isoOf(iso.exec(text) ?? basic.exec(text)) ?? httpOf(text);
  return time === undefined || Number.isNaN(time) || time < 0 || time > latestTime
    ? null
    : new Date(time).toISOString();
}

function numberOf(text: string): number | undefined {
  const [, digits, fraction = ''] = number.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // Fractions are of seconds only. As text, because a double loses digits of nanoseconds.
  return digits.length === 10 ? Number(digits) * 1000 + millis(fraction) : Number(digits.slice(0, 13));
}

function isoOf(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const time = utc([year, month, day, hour, minute, second].map(Number));
  return time === undefined ? undefined : time + millis(fraction) - offsetOf(zone);
}

function httpOf(text: string): number | undefined {
  const [, day, month = '', year, hour, minute, second] = http.exec(text) ?? [];
  if (day === undefined) return undefined;
  return utc([year, months.indexOf(month.toLowerCase()) + 1, day, hour, minute, second].map(Number));
}

/** Returns the time of year, month, day, hour, minute and second in UTC; undefined when there is no such time. */
function utc([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: readonly number[]): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  // A leap second counts as the second after it.
  if (!exists || hour > 23 || minute > 59 || second > 60) return undefined;
  return date.setUTCHours(hour, minute, second, 0);
}

function millis(fraction: string): number {
  return Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/** Returns the milliseconds that a zone is ahead of UTC. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
